/*
 * void among other parameters.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_PROTO_VOID; d-language 7.1 void-among-others */
provider p {
	probe x(void, int);
};

BEGIN
{
	trace(1);
}
