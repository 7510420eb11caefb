/*
 * "*" on a pointer to a function.
 * @args -x errtags
 * @ref d-errors 2.4
 */
BEGIN { trace(*(void (*)(int))0); }
