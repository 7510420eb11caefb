/*
 * stack: kernel frames from the innermost, at most as many as asked for; empty in BEGIN.  The
 * functions are the kernel's: only the form of a line and their number are known.
 * @trigger calls getppid 1
 * @args -q
 * @ref d-builtins 4 stack
 * @ref output 6 depth empty-kernel
 * @ref d-builtins 5.3 frames stackindent
 */
BEGIN
{
	printf("BEGIN");
	stack();
	printf("empty\n");
}

syscall::getppid:entry
/pid == $target/
{
	printf("one");
	stack(1);
	printf("two");
	stack(2);
	printf("all");
	stack();
	setopt("stackindent", "2");
}

syscall::getppid:entry
/pid == $target/
{
	printf("indent");
	stack(1);
	trace(stack(1));
	printf("%k%-4kdone\n", stack(1), stack(2));
}
