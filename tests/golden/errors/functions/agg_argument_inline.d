/*
 * An aggregation as an argument of an inline.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG */
inline int twice[int a] = a * 2;
BEGIN
{
	@a = count(); trace(twice[@a]);
}
