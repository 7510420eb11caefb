/*
 * Fewer keys than the array was first used with.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN; d-language 8.3 key-count */
BEGIN
{
	a[1, 2] = 3;
	a[1] = 3;
}
