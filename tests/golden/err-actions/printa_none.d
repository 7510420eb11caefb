/* D_PROTO_LEN: no argument. */
BEGIN
{
	printa();
}
