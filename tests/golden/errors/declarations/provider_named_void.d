/*
 * void with a name.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_PROTO_NAME
 * @ref d-language 7.1 named-void
 */
provider p {
	probe x(void v);
};
