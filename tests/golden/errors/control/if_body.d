/*
 * An if with nothing to do.
 * @ref d-language 21
 * @ref d-errors 2.1
 * @args -x errtags
 */
BEGIN { if (pid) }
