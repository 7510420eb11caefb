/*
 * A for has three parts.
 * @ref d-language 21
 * @ref d-errors 2.1
 * @args -x errtags
 * @ref d-language 21; d-errors 2.1 D_SYNTAX */
BEGIN { for (x = 1; x < 2) x++; }
