/* D_PROTO_ARG: the number is a string. */
BEGIN
{
	@a = count(); trunc(@a, "x");
}
