/*
 * Commands.
 * @args -x errtags
 */
BEGIN
{
	system("date");
}
