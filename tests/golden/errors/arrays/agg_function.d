/*
 * A number is assigned to an aggregation.
 * @args -x errtags
 * @ref d-errors 2.5 D_AGG_FUNC; d-language 15 not-a-function */
BEGIN
{
	@a = 1;
}
