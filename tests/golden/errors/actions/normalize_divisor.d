/*
 * A divisor that is a string.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-errors 2.10 normalize-divisor; d-builtins 7.5 argument-errors */
BEGIN
{
	@a = count();
	normalize(@a, "2");
}
