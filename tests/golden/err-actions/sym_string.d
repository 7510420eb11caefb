/*
 * D_PROTO_ARG.
 * @args -x errtags
 */
BEGIN
{
	sym("a");
}
