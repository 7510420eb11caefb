/*
 * A variable that only an assignment made is no function.
 * @args -x errtags
 */
BEGIN
{
	x = 1;
	x();
}
