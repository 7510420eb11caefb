/*
 * A dimension is below 2^32.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_ARRBIG; d-language 7.3 size-too-big
 */
int a[0x1ffffffff];
