/*
 * Two arguments where one is expected.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN; d-builtins 2 too-many */
BEGIN
{
	trace(strlen("a", "b"));
}
