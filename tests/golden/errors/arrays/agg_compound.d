/*
 * The value of an aggregation's assignment is assigned to.
 * @args -x errtags
 */
BEGIN
{
	(@a = count()) = 3;
}
