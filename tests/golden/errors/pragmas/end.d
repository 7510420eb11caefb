/*
 * The end of the program before the end of a control line.
 * @ref d-language 1.1
 * @args -x errtags
 * @ref d-language 1.1; d-errors 2.1 D_SYNTAX */
BEGIN { trace(1); }
#pragma D option quiet