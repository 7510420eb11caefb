/*
 * Another kind of function is assigned to an aggregation.
 * @args -x errtags
 */
BEGIN
{
	@a = strlen("a");
}
