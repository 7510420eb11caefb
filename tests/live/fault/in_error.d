/*
 * A fault inside ERROR: no recursion, a drop; what other ERROR clauses do is done.
 * @args -x statusrate=60s
 * @trigger calls getppid 5
 * @stderr
 * @filter '/^dtrace: error in/d'
 * @ref d-errors 7 no-recursion
 * @ref output 13 error-in-error never-quiet
 * @ref d-language 22 not-recursed
 * @ref d-errors 5 error-in-error
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target/
{
	x = *(int *)8;
}

ERROR
{
	@first = count();
	x = *(int *)16;
	@never = count();
}

ERROR
{
	@second = count();
}

END
{
	printa("first %@d", @first);
	printa(" second %@d\n", @second);
	printa("never %@d\n", @never);
}
