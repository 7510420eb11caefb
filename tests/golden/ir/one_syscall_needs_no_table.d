/*
 * The program of a single system call compares the number and has no table.
 * @only programs data active known
 */
syscall::read:entry
{
	@ = count();
}
