/*
 * Options ustackframes and stackindent; a stack in a record with columns.
 * @trigger frames 1
 * @args -x ustackframes=3 -x stackindent=2
 * @filter 's/\+0x[0-9a-f]+/+N/; s/^ +[0-9]+ +[0-9]+( +getppid)/  0      1\1/'
 * @ref d-builtins 5.3 stackindent
 * @ref output 6 stackindent empty-line-after
 * @ref options 3 ustackframes stackindent
 */
syscall::getppid:entry
/pid == $target/
{
	ustack();
	trace("after");
}
