/*
 * $target is the process of -c.
 * @trigger self ids
 * @ref d-language 2 target
 */
#pragma D option quiet

syscall::getppid:entry
/pid == $target && arg1 == tid/
{
	printf("%d %d %d\n", arg0 == $target, $target == pid, $$target == lltostr(pid));
}

END
{
	printf("%d\n", $target != $pid);
}
