/*
 * Stacks through a library that was loaded while tracing: those of a later call are whole.
 * @trigger bare calls library
 * @args -q
 * @filter '/^ +libc\.so\.6`/d; s/libz\.so[^ ]+/libz/; s/\+0x[0-9a-f]+//; s/ +$//'
 * @ref output 6 user-frame
 */
syscall::getppid:entry
/pid == $target/
{
	n++;
	depth = ustackdepth;
}

syscall::getppid:entry
/pid == $target && n > 3/
{
	printf("%d", n);
	ustack();
}
