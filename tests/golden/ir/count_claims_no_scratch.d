/*
 * A program that needs no scratch memory claims no slot: an integer key is built on the stack, and there is no
 * scratch map.
 * @only maps entry active native
 */
syscall::read:entry
{
	@[pid] = count();
}
