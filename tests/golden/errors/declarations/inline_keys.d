/*
 * An argument too few for an inline.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN; d-language 13 parameter-count */
inline int added[int a, int b] = a + b;

BEGIN
{
	trace(added[1]);
}
