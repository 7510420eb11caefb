/*
 * A string goes straight to the key and takes its length there, not strsize: 16 bytes for threadname.
 * @only maps body
 */
syscall::read:entry
{
	@[threadname] = count();
}
