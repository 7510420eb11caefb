/*
 * void has no attributes.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_VOIDATTR
 * @ref d-language 7.1 unsigned-void
 */
long void *p;
