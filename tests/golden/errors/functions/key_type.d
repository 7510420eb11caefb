/*
 * A string for an integer key.
 * @args -x errtags
 */
BEGIN
{
	a[1] = 3;
	a["x"] = 3;
}
