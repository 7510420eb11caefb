/* D_PROTO_LEN. */
BEGIN
{
	@ = llquantize(1, 10, 0, 3);
}
