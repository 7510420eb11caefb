/*
 * A condition stands in parentheses.
 * @ref d-language 21
 * @ref d-errors 2.1
 * @args -x errtags
 */
BEGIN { while pid x = 1; }
