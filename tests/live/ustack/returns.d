/*
 * Return probes put addresses of their own on the stack: they are shown as what they stand for, in a recursion too.
 * @trigger bare calls aligned
 * @args -q
 * @filter '/^ +libc\.so\.6`/d; s/\+0x[0-9a-f]+//; s/ +$//'
 * @ref output 6 user-frame
 * @ref providers 15
 */
pid$target::inner:return,
pid$target::middle:return,
pid$target::main:return
{
	printf("%s returns", probefunc);
	ustack();
}

pid$target::inner:entry
{
	printf("%s", probefunc);
	ustack();
	printf("called from %s", ufunc(ucaller));
}

syscall::getppid:entry
/pid == $target/
{
	printf("getppid");
	ustack();
}
