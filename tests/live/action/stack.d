/*
 * stack: kernel frames from the innermost, at most as many as asked for; empty in BEGIN.  The
 * functions are the kernel's: only the form of a line and their number are known.
 * @trigger calls getppid 1
 * @args -q
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
	printf("indent");
	setopt("stackindent", "2");
	stack(1);
	printf("done\n");
}
