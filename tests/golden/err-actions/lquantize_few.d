/*
 * D_PROTO_LEN.
 * @args -x errtags
 */
BEGIN
{
	@ = lquantize(1, 0);
}
