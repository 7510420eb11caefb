/*
 * Too few for a function with an optional argument.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN; d-builtins 2 at-least */
BEGIN
{
	trace(substr("a"));
}
