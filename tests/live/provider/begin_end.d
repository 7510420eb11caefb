/*
 * BEGIN is first and END last, once each, in dtrace itself, with arguments of 0.
 * @trigger calls threads 4 200
 * @args -q
 * @ref d-language 5.2 begin-once-first begin-arguments end-once-last
 * @ref d-builtins 1 probemod probefunc
 * @ref d-language 4 dtrace-provider
 * @ref cli 5.2 begin-once end-once begin-first end-last
 */
int begun, early, ended, late;

syscall::getppid:entry
/pid == $target/
{
	early += !begun;
	late += ended;
	@calls = count();
}

BEGIN
{
	begun++;
	printf("%s:%s:%s:%s id %d %d %d %d\n", probeprov, probemod, probefunc, probename, id, arg0,
		arg5, arg9);
	printf("%s %d\n", execname, pid == $pid);
}

END
{
	ended++;
	printf("%s:%s:%s:%s id %d %d %d %d\n", probeprov, probemod, probefunc, probename, id, arg0,
		arg5, arg9);
	printf("%s %d\n", execname, pid == $pid);
	printf("begun %d early %d\n", begun, early);
	printa("calls %@d\n", @calls);
}
