/*
 * D_PROTO_ARG: the factor is a string.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG */
BEGIN
{
	@a = count(); normalize(@a, "x");
}
