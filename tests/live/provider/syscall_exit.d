/*
 * exit and exit_group do not return.
 * @trigger values exit
 * @args -q
 */
syscall::exit:entry,
syscall::exit_group:entry
/pid == $target/
{
	printf("%s %s %d\n", probefunc, probename, tid == pid);
}

/* the same and what returns of them */
syscall::exit:,
syscall::exit_group:
/pid == $target/
{
	@[probefunc, probename] = count();
}
