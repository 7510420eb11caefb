/*
 * trace() of void.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRACE_VOID; d-builtins 4 trace */
BEGIN
{
	trace((void)1);
}
