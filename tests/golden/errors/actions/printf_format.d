/*
 * The format is no literal.
 * @args -x errtags
 */
BEGIN
{
	printf(execname);
}
