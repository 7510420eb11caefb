/*
 * D_PROTO_ARG: the number is a string.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG */
BEGIN
{
	@a = count(); trunc(@a, "x");
}
