/*
 * D_TRACE_DYN.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRACE_DYN */
BEGIN
{
	@q = sum(2); trace(@q);
}
