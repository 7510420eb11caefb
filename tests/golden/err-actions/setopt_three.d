/* D_PROTO_LEN. */
BEGIN
{
	setopt("a", "b", "c");
}
