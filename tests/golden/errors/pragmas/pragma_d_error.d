/*
 * #pragma D error: the text is what the program says.
 * @args -x errtags
 * @ref d-errors 2.7 D_PRAGERR; d-language 18 error */
#pragma D error   stop here, too
BEGIN { trace(1); }
