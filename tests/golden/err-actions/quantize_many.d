/* D_PROTO_LEN. */
BEGIN
{
	@ = quantize(1, 2, 3);
}
