/*
 * D_TRACE_DYN.
 * @args -x errtags
 */
BEGIN
{
	@q = sum(2); trace(@q);
}
