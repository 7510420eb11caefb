/*
 * D_PROTO_LEN: no format at all.
 * @args -x errtags
 */
BEGIN
{
	printf();
}
