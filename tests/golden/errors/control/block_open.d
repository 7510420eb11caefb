/*
 * A block that is not closed.
 * @ref d-language 21
 * @ref d-errors 2.1
 * @args -x errtags
 */
BEGIN { if (pid) { x = 1; }
