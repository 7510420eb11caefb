/*
 * Calls and returns, indented by a depth of one's own.
 * @trigger calls openat /dev/null 2
 * @ref output 7 width-star precision
 */
#pragma D option quiet

self int depth;

syscall::openat:entry,
syscall::close:entry
/pid == $target/
{
	printf("%*.s -> %s\n", self->depth, "", probefunc);
	self->depth += 2;
}

syscall::openat:return,
syscall::close:return
/pid == $target/
{
	self->depth -= 2;
	printf("%*.s <- %s\n", self->depth, "", probefunc);
}

/* what is done while the file is open is below */
syscall::openat:return
/pid == $target/
{
	self->depth += 4;
}

syscall::close:return
/pid == $target/
{
	self->depth -= 4;
}
