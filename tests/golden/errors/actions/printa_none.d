/*
 * Nothing at all.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN; d-builtins 7.4 no-aggregation */
BEGIN
{
	printa();
}
