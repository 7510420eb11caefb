/*
 * END comes after all else, its clauses in order, then the aggregations in order of their first
 * appearance, but for those that were printed.
 * @trigger calls threads 4 100
 * @args -q
 * @ref d-language 5.3 begin-first-end-last
 * @ref output 8 end-order end-unprinted
 * @ref d-language 5.2 end-once-last final-aggregations
 * @ref d-language 15 ids
 * @ref d-builtins 7.4 not-printed-again
 * @ref cli 5.1 newline-then-aggregations; cli 5.2 begin-first end-last
 */
int calls;

BEGIN
{
	printf("begin\n");
	@a["a"] = count();
	@printed = count();
}

END
{
	printf("end 1, calls %d\n", calls);
	printa("printed %@d\n", @printed);
	@late["late"] = sum(calls);
}

syscall::getppid:return
/pid == $target/
{
	@b["b"] = count();
	@a["c"] = count();
	@printed = count();
}

syscall::exit_group:entry
/pid == $target/
{
	printf("exit_group\n");
	calls = 7;
}

END
{
	printf("end 2\n");
	@printed = count();
}
