/*
 * All system calls in one clause: each of the process counts under its name, entry and return.
 * @trigger calls openat /dev/null 50
 * @args -q
 * @filter '/ (openat|close|exit_group) /!d'
 * @ref d-language 4 every-match
 */
syscall:::entry,
syscall:::return
/pid == $target && (probefunc != "close" || arg0 < 100)/
{
	@[probename, probefunc] = count();
}
