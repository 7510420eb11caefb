/*
 * More keys than the aggregation was first used with.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN; d-language 15 key-signature */
BEGIN
{
	@a[1] = count();
	@a[1, 2] = count();
}
