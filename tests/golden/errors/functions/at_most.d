/*
 * Too many for a function with an optional argument.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN; d-builtins 2 at-most */
BEGIN
{
	trace(substr("a", 1, 2, 3));
}
