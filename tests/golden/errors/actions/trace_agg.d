/*
 * trace() of an aggregation.
 * @args -x errtags
 * @ref d-errors 2.10 D_TRACE_DYN; d-builtins 4 trace; d-language 15 in-expression */
BEGIN
{
	@q = sum(2);
	trace(@q);
}
