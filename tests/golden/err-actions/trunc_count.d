/*
 * D_PROTO_ARG: the number is a string.
 * @args -x errtags
 */
BEGIN
{
	@a = count(); trunc(@a, "x");
}
