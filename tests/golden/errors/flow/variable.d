/*
 * A variable of the same name.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED
 */
int f;
int f(int a) { return a; }
