/*
 * An integer for the string key of an aggregation.
 * @args -x errtags
 * @ref d-errors 2.3 D_PROTO_ARG; d-language 15 key-signature */
BEGIN
{
	@a["x"] = count();
	@a[1] = count();
}
