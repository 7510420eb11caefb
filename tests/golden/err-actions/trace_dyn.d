/* D_TRACE_DYN. */
BEGIN
{
	@q = sum(2); trace(@q);
}
