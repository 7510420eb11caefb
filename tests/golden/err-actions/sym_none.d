/* D_PROTO_LEN. */
BEGIN
{
	sym();
}
