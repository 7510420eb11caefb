/*
 * jstack() is ustack().
 * @trigger frames 1
 * @args -q
 * @filter 's/\+0x[0-9a-f]+/+N/'
 * @ref d-builtins 4 jstack
 */
syscall::getppid:entry
/pid == $target/
{
	jstack(3);
	jstack(2, 500);
}
