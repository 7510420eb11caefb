/*
 * The arguments of destructive actions are checked.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN; d-builtins 4 breakpoint-panic-chill */
BEGIN
{
	panic(1);
}
