/*
 * A subroutine of D stays what it is.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_IDRED
 */
int strlen(int a) { return a; }
