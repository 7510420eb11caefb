/* D_PROTO_LEN. */
BEGIN
{
	trace(1, 2);
}
