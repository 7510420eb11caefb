/*
 * Processes that come while tracing: what fork(2) makes has whole stacks from its first instruction on;
 * after exec(2) the new program's tables are there a moment later.
 * @trigger bare fork wait exec calls wait calls fork wait calls
 * @args -q
 * @filter '/^ +libc\.so\.6`/d; s/\+0x[0-9a-f]+//; s/ +$//'
 * @ref output 6 user-frame
 */
syscall::execve:entry
/pid == $target/
{
	execs++;
}

syscall::getppid:entry
/progenyof($target)/
{
	n++;
	depth = ustackdepth;
}

/* the first after exec(2) is what makes the tables */
syscall::getppid:entry
/progenyof($target) && n != 2/
{
	printf("%d after %d, %s", n, execs, pid == $target ? "the process" : "its child");
	ustack();
}
