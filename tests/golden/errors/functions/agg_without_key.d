/*
 * An aggregation once with a key and once without.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN; d-language 15 key-signature */
BEGIN
{
	@a = count();
	@a[1] = count();
}
