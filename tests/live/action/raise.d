/*
 * raise(): a signal to the process of the probe; the record of a destructive action alone is the columns.
 * @args -w
 * @trigger raise
 * @filter 's/^ +[0-9]+ +[0-9]+( +[a-z_]*:)/  0      1\1/'
 * @ref d-builtins 4 raise
 * @ref output 15 stop-raise-nothing; output 2 destructive-actions
 * @ref d-language 5.4 destructive-make-record
 */
syscall::getppid:entry
/pid == $target/
{
	raise(10);
}

syscall::getuid:entry
/pid == $target/
{
	trace("it came");
}
