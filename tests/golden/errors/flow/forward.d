/*
 * A function knows those above it.
 * @args -x errtags
 * @ref d-errors 2.3 D_FUNC_UNDEF
 * @ref d-language 3 order-of-introduction
 */
int f(int n) { return g(n); }
int g(int n) { return n; }
