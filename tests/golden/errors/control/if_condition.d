/*
 * An if with no condition.
 * @ref d-language 21
 * @ref d-errors 2.1
 * @args -x errtags
 */
BEGIN { if () x = 1; }
