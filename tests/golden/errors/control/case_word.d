/*
 * "case" is reserved for nothing.
 * @ref d-language 1.4
 * @ref d-errors 2.1
 * @args -x errtags
 */
BEGIN { case 1: x = 1; }
