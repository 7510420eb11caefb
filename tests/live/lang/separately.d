/*
 * A clause of two descriptions is two clauses, each typed by its own probe; args[] have the types of
 * the kernel's prototype.
 * @trigger calls openat /dev/null 1
 * @ref d-language 3 list-typed-separately
 * @ref d-language 16.3 type
 * @ref d-builtins 1 args
 */
#pragma D option quiet

/* int openat(int, const char *, int, umode_t), int close(unsigned int) */
syscall::openat:entry,
syscall::close:entry
/pid == $target && (probefunc == "openat" ? copyinstr(arg1) == "/dev/null" : arg0 == 3)/
{
	printf("%s %d %d\n", probefunc, args[0] * 0 - 1 > 0, sizeof(args[0]));
}

syscall::openat:entry
/pid == $target && copyinstr(arg1) == "/dev/null"/
{
	printf("%d %d %d %s\n", sizeof(args[1]), sizeof(args[2]), sizeof(args[3]),
		copyinstr((uintptr_t)args[1]));
}
