/*
 * D_PROTO_LEN.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN */
BEGIN
{
	@ = quantize(1, 2, 3);
}
