/*
 * An aggregating function as an argument of trace().
 * @args -x errtags
 * @ref d-errors 2.10 D_TRACE_VOID; d-language 15 function-elsewhere */
BEGIN
{
	trace(count());
}
