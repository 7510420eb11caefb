/*
 * speculate() after exit().
 * @args -x errtags
 * @ref d-errors 2.12 D_SPEC_DREC; d-language 17.1 after-data */
BEGIN
{
	exit(0);
	speculate(1);
}
