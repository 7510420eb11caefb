#!/usr/sbin/dtrace -Fs
/*
 * -F: what a program calls between two calls, indented, with arrows and the arguments at each.
 * @trigger values ints 1 2
 * @pinned
 * @args -F
 * @filter 's/^ *[0-9]+ /CPU /'
 * @ref output 5 syscall-arrows return-each-clause
 */

syscall::getppid:entry
/pid == $target/
{
	self->follow = 1;
	printf("%d", (int)arg0);
}

syscall::getppid:return
/self->follow/
{
	trace((int)(arg0 > 0));
	self->follow = 0;
}

syscall::getppid:return
/pid == $target && calls++ == 1/
{
	exit(0);
}
