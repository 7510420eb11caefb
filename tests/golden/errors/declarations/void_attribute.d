/*
 * unsigned before void.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_VOIDATTR; d-language 7.1 unsigned-void */
unsigned void *p;

BEGIN { trace(1); }
