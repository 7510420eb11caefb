/*
 * A string for an integer, in the second place.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-builtins 2 argument-type */
BEGIN
{
	trace(substr("abc", "b"));
}
