/*
 * The size of an aggregation.
 * @args -x errtags
 * @ref d-errors 2.4 D_SIZEOF_TYPE; d-language 12 aggregation; d-language 9.1 sizeof */
BEGIN
{
	@a = count();
	trace(sizeof(@a));
}
