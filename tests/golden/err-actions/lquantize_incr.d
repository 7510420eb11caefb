/*
 * D_PROTO_ARG: the increment is a string.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, 0, 10, 1, "a");
}
