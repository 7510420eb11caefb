/*
 * A dimension is below 2^32.
 * @args -x errtags
 * @ref d-errors 2.13
 */
int a[0x1ffffffff];
