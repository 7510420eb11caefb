/* D_PROTO_LEN. */
BEGIN
{
	clear();
}
