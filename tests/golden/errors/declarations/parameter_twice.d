/*
 * Two parameters of one name.
 * @args -x errtags
 * @ref d-errors 2.13 D_DECL_PROTO_FORM; d-language 7.1 parameter-form */
inline int f[int a, int a] = 1;

BEGIN
{
	trace(1);
}
