/*
 * Any further parameters.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_PROTO_VARARGS; d-language 7.1 varargs */
provider p {
	probe x(int, ...);
};

BEGIN
{
	trace(1);
}
