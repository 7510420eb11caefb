/*
 * D_TRACE_VOID.
 * @args -x errtags
 */
BEGIN
{
	trace((void)1);
}
