/*
 * D_PROTO_ARG.
 * @args -x errtags
 */
BEGIN
{
	exit("a");
}
