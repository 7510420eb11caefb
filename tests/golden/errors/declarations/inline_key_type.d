/*
 * A string for an integer parameter of an inline.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-language 13 parameter-type */
inline int added[int a, int b] = a + b;

BEGIN
{
	trace(added[1, "2"]);
}
