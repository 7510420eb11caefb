/*
 * Another aggregating function for the same name.
 * @args -x errtags
 * @ref d-errors 2.5 D_AGG_REDEF; d-language 15 one-function */
BEGIN
{
	@a = count();
	@a = sum(1);
}
