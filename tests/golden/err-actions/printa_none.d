/*
 * D_PROTO_LEN: no argument.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_LEN */
BEGIN
{
	printa();
}
