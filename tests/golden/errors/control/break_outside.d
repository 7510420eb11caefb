/*
 * break outside a loop.
 * @ref d-language 21
 * @ref d-errors 2.1
 * @args -x errtags
 */
BEGIN { if (pid) { break; } }
