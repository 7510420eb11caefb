/* D_PROTO_ARG. */
BEGIN
{
	exit("a");
}
