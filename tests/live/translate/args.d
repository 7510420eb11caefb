/*
 * args[]: typed as the system call declares, for a set of probes as for one; arg0 to arg9 are the raw values.
 * @trigger calls read 1 1 77
 * @ref d-language 16.3 constant-index type raw-arguments stable-set
 */
#pragma D option quiet
inline int THIRD = 2;

syscall::read:entry
/pid == $target && args[0] == 3/
{
	printf("%d %d %d, ", args[0], args[2], args[THIRD] + args[1 + 1]);
	printf("%d %d %d, ", sizeof(args[0]), sizeof(args[1]), sizeof(args[2]));
	printf("%d %d %d, ", arg0 == args[0], arg1 == (int64_t)args[1], arg2 == args[2]);
	printf("%d %d\n", sizeof(arg0), args[1] != NULL);
}

syscall::read:entry, syscall::getppid:return
/pid == $target && probename == "entry" && args[0] == 3/
{
	@["list"] = count();
}

syscall::re[a]d:entry /pid == $target && args[0] == 3/ { @["glob"] = count(); }
syscall::read:return /pid == $target && (args[0] == 1 || args[0] == 77)/ { printf("%d %d\n", args[0], arg0 == arg1); }
