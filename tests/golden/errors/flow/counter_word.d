/*
 * "counter" is reserved for nothing.
 * @ref d-language 1.4
 * @ref d-errors 2.1
 * @args -x errtags
 * @ref d-language 1.4; d-errors 2.1 D_SYNTAX */
BEGIN { counter = 1; }
