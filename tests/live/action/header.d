/*
 * Columns: once, before the first record; a longer function name than the column shifts what
 * follows; actions of the consumer make a record too.
 * @trigger values ints 1
 * @filter 's/^ +[0-9]+ +[0-9]+( +[a-z_]*:)/  0      1\1/'
 * @ref d-builtins 5.0 heading columns
 * @ref output 1 header-once long-name; output 2 consumer-actions
 * @ref d-language 5.4 consumer-actions-make-record
 */
BEGIN
{
	@["k"] = count();
}

syscall::getppid:entry
/pid == $target/
{
	clear(@);
}

syscall::getppid:entry
/pid == $target/
{
	printf("text\n");
}

syscall::getppid:entry
/pid == $target/
{
	printf("a");
	trace("b");
	printf("c");
	trace(4);
}

syscall::getppid:entry
/pid == $target/
{
	setopt("quietresize");
}

syscall::exit_group:entry
/pid == $target/
{
	sym(0);
}
