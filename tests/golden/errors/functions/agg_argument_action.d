/*
 * An aggregation as an argument of an action.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG */
BEGIN
{
	@a = count(); exit(@a);
}
