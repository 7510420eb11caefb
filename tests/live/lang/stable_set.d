/*
 * args[] of several probes whose names are those of the kernel's functions, if they agree on its type.
 * @trigger calls openat /dev/null 2
 * @ref d-language 16.3 stable-set
 */
#pragma D option quiet

/* close(unsigned int), close_range(unsigned int, ...) */
syscall::close*:entry
/pid == $target && probefunc == "close" && arg0 == 3/
{
	printf("%s %d %d %d\n", probefunc, args[0], sizeof(args[0]), args[0] * 0 - 1 > 0);
}
