/*
 * "*" on a pointer to a function.
 * @args -x errtags
 * @ref d-errors 2.4
 * @ref d-errors 2.4 D_DEREF_FUNC; d-language 9.1 dereference */
BEGIN { trace(*(void (*)(int))0); }
