/*
 * Two brackets.
 * @args -x errtags
 * @ref d-errors 2.5 D_AGG_MDIM; d-language 15 dimensions */
BEGIN
{
	@a[1][2] = count();
}
