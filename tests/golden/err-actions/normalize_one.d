/*
 * D_PROTO_LEN.
 * @args -x errtags
 */
BEGIN
{
	@a = count(); normalize(@a);
}
