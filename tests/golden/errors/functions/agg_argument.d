/*
 * An aggregation as an argument of a subroutine.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG */
BEGIN
{
	@a = count(); trace(strlen(@a));
}
