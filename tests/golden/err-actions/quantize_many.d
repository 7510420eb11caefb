/*
 * D_PROTO_LEN.
 * @args -x errtags
 */
BEGIN
{
	@ = quantize(1, 2, 3);
}
