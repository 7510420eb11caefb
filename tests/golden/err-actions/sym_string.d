/* D_PROTO_ARG. */
BEGIN
{
	sym("a");
}
