/*
 * A clause that uses pid three times loads it once.
 * @only body run found
 */
syscall::read:entry
/pid > 2/
{
	@[pid] = sum(pid);
}
