/*
 * D_PROTO_ARG: the factor is a string.
 * @args -x errtags
 */
BEGIN
{
	@a = count(); normalize(@a, "x");
}
