/*
 * D_PROTO_ARG.
 * @args -x errtags
 */
BEGIN
{
	setopt(1);
}
