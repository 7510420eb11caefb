/*
 * A string for exit().
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-builtins 2 argument-type */
BEGIN
{
	exit("1");
}
