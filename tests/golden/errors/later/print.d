/*
 * print().
 * @args -x errtags
 */
BEGIN
{
	print(curthread);
}
