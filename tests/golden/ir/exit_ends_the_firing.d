/*
 * After exit() the clauses of the same firing do not run: the next one tests the state; clauses before exit() do not.
 * @only body nextclause active exited
 */
int x;

syscall::read:entry
{
	x = 1;
}

syscall::read:entry
{
	exit(0);
}

syscall::read:entry
{
	x = 2;
}
