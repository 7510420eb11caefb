/*
 * "do" is reserved for nothing.
 * @ref d-language 1.4
 * @ref d-errors 2.1
 * @args -x errtags
 */
BEGIN { do x = 1; while (pid); }
