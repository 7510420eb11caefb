/*
 * A scalar with a subscript.
 * @args -x errtags
 */
BEGIN
{
	x = 1;
	x["a"] = 2;
}
