/* D_PROTO_ARG. */
BEGIN
{
	setopt(1);
}
