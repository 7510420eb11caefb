/*
 * D_PROTO_LEN.
 * @args -x errtags
 */
BEGIN
{
	@ = llquantize(1, 10, 0, 3);
}
