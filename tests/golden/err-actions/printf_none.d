/* D_PROTO_LEN: no format at all. */
BEGIN
{
	printf();
}
