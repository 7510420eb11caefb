/*
 * A dimension that comes to 0.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_ARRSUB
 * @ref d-language 7.3 bad-size
 */
int a[sizeof(int) - 4];
