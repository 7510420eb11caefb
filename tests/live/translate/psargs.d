/*
 * pr_psargs: how the process was called.
 * @trigger values ints 12 3
 * @ref d-builtins 1 curpsinfo
 * @ref providers 18.1 pr_psargs
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target && arg0 == 12/
{
	printf("%s\n", curpsinfo->pr_psargs);
}
