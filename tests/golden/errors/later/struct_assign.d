/*
 * Variables of a struct that an assignment makes.
 * @args -x errtags
 */
BEGIN
{
	t = *curthread;
}
