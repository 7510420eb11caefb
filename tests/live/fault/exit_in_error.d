/*
 * exit in ERROR ends the run.
 * @trigger calls getppid 100
 * @status 6
 * @args -q
 * @ref d-language 22 error-probes-at-once
 */
syscall::getppid:entry
/pid == $target && ++n == 3/
{
	x = *(int *)0;
}

syscall::getppid:return
/pid == $target/
{
	@returns = count();
}

ERROR
{
	printf("call %d\n", n);
	exit(6);
}

END
{
	printa("returns %@d\n", @returns);
}
