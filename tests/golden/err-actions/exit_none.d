/* D_PROTO_LEN. */
BEGIN
{
	exit();
}
