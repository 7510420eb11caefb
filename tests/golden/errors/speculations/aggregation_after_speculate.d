/*
 * An aggregation after speculate().
 * @args -x errtags
 * @ref d-errors 2.12 D_AGG_SPEC; d-language 17.1 after-speculate; output 12 not-speculative */
BEGIN
{
	speculate(1);
	@ = count();
}
