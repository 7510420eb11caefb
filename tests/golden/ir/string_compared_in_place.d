/*
 * A string is compared with a constant where it is, word by word: no copy, no scratch memory.
 * @only maps body next
 */
syscall::read:entry
/threadname == "journald"/
{
	@ = count();
}
