/*
 * exit at a probe: no probe fires after it.
 * @trigger calls getppid 1000
 * @status 9
 * @ref d-language 5.1 no-clause-after-exit
 * @ref d-language 5.2 active-until
 * @ref cli 5.1 exit-stops-probes
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target && ++calls == 10/
{
	exit(9);
}

syscall::getppid:entry
/pid == $target/
{
	@entries = count();
}

syscall::getppid:return
/pid == $target/
{
	@returns = count();
}

END
{
	printf("calls %d\n", calls);
	printa("entries %@d\n", @entries);
	printa("returns %@d\n", @returns);
}
