/*
 * A declaration inside a clause.
 * @args -x errtags
 */
BEGIN
{
	int x;
}
