/*
 * Option noresolve: the object and the offset in its mapping.
 * @trigger frames 1
 * @args -q -x noresolve
 * @filter 's/0x[0-9a-f]+ {0,}/0xN /g'
 * @ref d-builtins 5.3 noresolve
 * @ref output 6 noresolve
 * @ref options 3 noresolve
 */
syscall::getppid:entry
/pid == $target/
{
	ustack(2);
	uaddr(arg0);
	usym(arg0);
	umod(arg0);
	printf("\n");
}
