/*
 * A fault in a predicate: the clause is skipped, ERROR fires, the others run.
 * @trigger calls getppid 3
 * @stderr
 * @filter 's/probe ID [0-9]+ \(syscall/probe ID N (syscall/'
 * @ref d-language 5.1 next-clause-runs
 * @ref d-language 22 error-probes-at-once
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target && *(int *)16 == 0/
{
	printf("not reached\n");
	@wrong = count();
}

syscall::getppid:entry
/pid == $target/
{
	@right = count();
}

ERROR
/arg4 == DTRACEFLT_BADADDR && arg5 == 16/
{
	@errors = count();
}

END
{
	printa("right %@d", @right);
	printa(" errors %@d\n", @errors);
}
