/*
 * Names in a function are those above it.
 * @args -x errtags
 * @ref d-errors 2.9 D_IDENT_UNDEF
 */
int f(int n) { return n + nosuch; }
