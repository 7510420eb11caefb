/*
 * A fault in the middle of a clause: what was done before stays done, once; what follows is not
 * done; the record is not printed; tracing goes on.
 * @trigger values ints 5 0 2 0 1
 * @stderr
 * @filter 's/probe ID [0-9]+ \(syscall/probe ID N (syscall/'
 * @ref d-language 5.1 fault-aborts-clause effects-remain one-record
 * @ref output 2 fault-drops-record
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target/
{
	@before = count();
	@keyed["before"] = sum(10);
	n++;
	trace("in the record");
	@quotients["sum", 100 / (int)arg0] = sum(100 / (int)arg0);
	@after = count();
	@keyed["after"] = sum(10);
	printf(" of %d\n", arg0);
}

syscall::getppid:return
/pid == $target/
{
	@returns = count();
}

ERROR
{
	@errors["code", arg4] = count();
}

END
{
	printf("n %d\n", n);
	printa("before %@d", @before);
	printa(" after %@d", @after);
	printa(" returns %@d\n", @returns);
}
