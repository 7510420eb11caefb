/*
 * D_TRACE_VOID.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRACE_VOID */
BEGIN
{
	trace((void)1);
}
