/*
 * No argument where one is expected.
 * @args -x errtags
 */
BEGIN
{
	strlen();
}
