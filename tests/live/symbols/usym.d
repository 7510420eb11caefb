/*
 * usym, ufunc, uaddr and umod: padded names of a user address; %A in printf is the target's.
 * @trigger frames 1
 * @args -q
 * @filter 's/0x[0-9a-f]{5,}/0xADDR/g'
 * @ref d-builtins 4 usym-ufunc-uaddr-umod
 * @ref output 6.1 usym uaddr umod A padding
 * @ref d-builtins 5.3 symbols unresolved
 * @ref d-builtins 8.1 A
 */
syscall::getppid:entry
/pid == $target/
{
	usym(arg0);
	ufunc(arg0 + 1);
	uaddr(arg0);
	uaddr(arg0 + 2);
	umod(arg0);
	printf("|%A|%A|%40A|%-40A|\n", arg0, arg0 + 3, arg0, arg0 + 3);
	usym(8);
	uaddr(8);
	umod(8);
	printf("|%A|\n", 8);
}
