/*
 * Arguments by number.
 * @args -x errtags
 */
BEGIN
{
	printf("%1$d", 1);
}
