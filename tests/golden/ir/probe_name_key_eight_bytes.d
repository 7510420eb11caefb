/*
 * The name of a probe takes eight bytes in a key: its id.
 * @only maps enabled
 */
syscall::read:entry,
syscall::write:entry
{
	@[probefunc] = count();
}
