/*
 * Stacks and symbols as arguments of trace and printf, and user addresses as keys with %A and %a.
 * @trigger frames 1
 * @args -q
 * @filter 's/\+0x[0-9a-f]+/+N/g'
 * @ref d-builtins 8.1 k A
 * @ref output 2 stacks-and-symbols-as-arguments; output 6.1 printa-A
 * @ref d-builtins 4 usym-ufunc-uaddr-umod
 */
syscall::getppid:entry
/pid == $target/
{
	trace(ustack(2));
	printf("[%k]|%A|%A|", ustack(1), usym(arg0), uaddr(arg0 + 1));
	trace(usym(arg0));
	trace(umod(arg0));
	printf("|%-20A|%.3A|\n", umod(arg0), umod(arg0));
	@u[usym(arg0)] = count();
	@a[uaddr(arg0 + 1)] = count();
	@m[umod(arg0)] = count();
}

END
{
	printa("%A %@d\n", @u);
	printa("[%20A] %@d\n", @a);
	printa("%A %@d\n", @m);
}
