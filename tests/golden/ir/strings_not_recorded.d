/*
 * Constant strings are not recorded: the record is its header of eight bytes and pid, though two strings are printed.
 * @only body reserved
 */
BEGIN
{
	trace("constant");
	printf("%s %d", "text", pid);
}
