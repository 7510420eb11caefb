/* D_PROTO_LEN. */
BEGIN
{
	@a = count(); normalize(@a);
}
