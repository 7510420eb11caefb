/*
 * A negative size of the string table.
 * @args -x errtags
 */
BEGIN
{
	ustack(1, -1);
}
