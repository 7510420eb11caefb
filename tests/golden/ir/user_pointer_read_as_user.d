/*
 * Types know pointers to the memory of the process, as the arguments of system calls are: what they point to is read
 * with probe_read_user(), and a bad address is a fault.
 * @only reserved bad ok
 * @filter 's/= 1[0-9]{3}$/= ID/'
 */
syscall::read:entry
{
	trace(args[1][0]);
}
