/*
 * A string for an integer key.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-language 8.3 key-type */
BEGIN
{
	a[1] = 3;
	a["x"] = 3;
}
