/* D_PROTO_LEN. */
BEGIN
{
	setopt();
}
