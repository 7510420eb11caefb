/*
 * A stack in a key is the number by which it is kept: 8 bytes, whatever its depth, and no zeros are written.
 * @only maps body taken
 */
syscall::getppid:entry
{
	@[ustack(40)] = count();
}
