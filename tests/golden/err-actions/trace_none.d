/* D_PROTO_LEN. */
BEGIN
{
	trace();
}
