/*
 * D_PROTO_LEN: no argument.
 * @args -x errtags
 */
BEGIN
{
	printa();
}
