/*
 * The arguments of destructive actions are checked.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-builtins 4 raise */
BEGIN
{
	raise("9");
}
