/*
 * A string goes straight to the key and takes its length there, not strsize: 16 bytes for execname.
 * @only maps body
 */
syscall::read:entry
{
	@[execname] = count();
}
