/*
 * void among the arguments of a probe.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_PROTO_VOID
 * @ref d-language 7.1 void-among-others
 */
provider p {
	probe x(int);
	probe y(void, int);
};
