/*
 * %c of eight bytes.
 * @args -x errtags
 */
BEGIN
{
	printf("%c", timestamp);
}
