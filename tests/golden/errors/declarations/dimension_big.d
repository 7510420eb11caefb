/*
 * A dimension is below 2^32.
 * @args -x errtags
 * @ref d-errors 2.13
 * @ref d-errors 2.13 D_DECL_ARRBIG */
int a[0x1ffffffff];
