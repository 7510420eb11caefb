/*
 * D_PROTO_LEN.
 * @args -x errtags
 */
BEGIN
{
	setopt();
}
