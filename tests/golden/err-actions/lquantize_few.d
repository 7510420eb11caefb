/* D_PROTO_LEN. */
BEGIN
{
	@ = lquantize(1, 0);
}
