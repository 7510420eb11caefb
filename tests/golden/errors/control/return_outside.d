/*
 * return outside a function.
 * @ref d-language 21
 * @ref d-errors 2.1
 * @args -x errtags
 */
BEGIN { return; }
