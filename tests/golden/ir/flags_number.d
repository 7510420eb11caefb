/*
 * strflags() that is only printed, or a key, records its number: no string is made, and no scratch slot is claimed.
 * @only maps body run
 */
BEGIN
{
	printf("%s %s", strflags(arg0, "open"), errnoname(arg1));
	@[signame(arg2)] = count();
}
