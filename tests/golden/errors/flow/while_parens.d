/*
 * A condition stands in parentheses.
 * @ref d-language 21
 * @ref d-errors 2.1
 * @args -x errtags
 * @ref d-language 21; d-errors 2.1 D_SYNTAX */
BEGIN { while pid x = 1; }
