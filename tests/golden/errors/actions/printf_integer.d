/*
 * The format is no string at all.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-builtins 8.2 not-literal */
BEGIN
{
	printf(1);
}
