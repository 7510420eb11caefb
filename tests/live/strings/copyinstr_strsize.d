/*
 * copyinstr() takes at most strsize - 1 characters.
 * @trigger self memory
 * @ref d-builtins 3.1 copyinstr-default
 * @ref options 3 strsize; options 5.5 copyinstr
 */
#pragma D option quiet
#pragma D option strsize=6

syscall::getppid:entry
/pid == $target && arg3 == 4/
{
	printf("[%s] [%s] [%s]\n", copyinstr(arg0), copyinstr(arg0, 20), copyinstr(arg0, 3));
}
