/*
 * A function knows those above it, not itself.
 * @args -x errtags
 * @ref d-errors 2.3 D_FUNC_UNDEF
 */
int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
