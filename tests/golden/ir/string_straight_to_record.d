/*
 * A string goes straight to the record: copyinstr() reads user memory into the reserved room, without scratch memory.
 * @only maps reserved
 * @filter 's/= 1[0-9]{3}$/= ID/'
 */
syscall::read:entry
{
	trace(copyinstr(arg1));
}
