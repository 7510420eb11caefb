/*
 * No argument where one is expected.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN; d-builtins 2 too-few */
BEGIN
{
	strlen();
}
