/*
 * An unknown function is assigned to an aggregation: the error names it.
 * @args -x errtags
 * @ref d-errors 2.3 D_FUNC_UNDEF; d-language 15 not-a-function */
BEGIN
{
	@ = nosuch();
}
