/* D_PROTO_ARG: the factor is a string. */
BEGIN
{
	@a = count(); normalize(@a, "x");
}
