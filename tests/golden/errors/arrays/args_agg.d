/*
 * An aggregation as the index of args[].
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG */
BEGIN
{
	@a = count(); trace(args[@a]);
}
