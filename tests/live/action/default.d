/*
 * The default action: a clause without statements makes a record without data; one with only
 * assignments, subroutines or aggregations makes none.
 * @trigger values ints 1 2
 * @filter 's/^ +[0-9]+ +[0-9]+( +getppid)/  0      1\1/'
 * @ref d-language 5.4 empty-clause nothing-recorded
 * @ref output 2 default-action assignments aggregations
 * @ref d-language 3 empty-body
 */
syscall::getppid:entry
/pid == $target/
{
}

syscall::getppid:return
/pid == $target/
{
	this->x = 1;
	y = this->x + 1;
	strlen(execname);
	@ = count();
}

syscall::getppid:return
/pid == $target && arg1 == -1/
{
}
