/*
 * Each call counts once, whatever CPU it is on.
 * @trigger calls threads 4 250
 * @args -q
 * @ref d-builtins 7.1 count
 */
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
	printa("entries %@d\n", @entries);
	printa("returns %@d\n", @returns);
}
