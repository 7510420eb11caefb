/*
 * A function has one body.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED
 */
int f(int a) { return a; }
int f(int b) { return b; }
