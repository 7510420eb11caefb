/*
 * The two most frequent system calls of a program.
 * @trigger calls openat /dev/null 300
 * @ref output 8.3 trunc-largest
 * @ref output 8.4 ties-by-key
 */
#pragma D option quiet

syscall:::entry
/pid == $target/
{
	@calls[probefunc] = count();
}

syscall::close:entry
/pid == $target && n++ < 299/
{
	@calls["too few"] = count();
}

dtrace:::END
{
	trunc(@calls, 2);
	printf("%-20s %8s\n", "CALL", "COUNT");
	printa("%-20s %@8d\n", @calls);
}
