/*
 * speculate() after an aggregation.
 * @args -x errtags
 * @ref d-errors 2.12 D_SPEC_DREC; d-language 17.1 after-aggregation */
BEGIN
{
	@ = count();
	speculate(1);
}
