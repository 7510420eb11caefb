/*
 * The format is an aggregation.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-builtins 8.2 not-literal */
BEGIN
{
	@a = count(); printf(@a);
}
