/* D_TRACE_VOID. */
BEGIN
{
	trace((void)1);
}
