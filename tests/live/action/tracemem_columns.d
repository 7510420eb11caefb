/*
 * The dump of a record with columns begins and ends with a newline of its own.
 * @trigger values memory
 * @filter 's/^ +[0-9]+ +[0-9]+( +getppid)/  0      1\1/'
 * @ref d-builtins 5.2 header
 * @ref output 4 newlines
 */
syscall::getppid:entry
/pid == $target && arg0 > 1/
{
	trace(1);
	tracemem(copyin(arg0, 32), 18);
	trace(2);
}
