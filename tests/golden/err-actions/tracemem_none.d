/* D_PROTO_LEN. */
BEGIN
{
	tracemem(0);
}
