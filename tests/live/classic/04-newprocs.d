#!/usr/sbin/dtrace -s
/*
 * Births and deaths by the proc provider: args[0] as a psinfo_t, why a process ended.
 * @trigger procs fork 3
 * @args -q
 * @filter '/^(create|start|exit|lwp-)/d'
 * @ref providers 6 create start exit
 */

#pragma D option quiet

proc:::create
/pid == $target/
{
	children[args[0]->pr_pid] = 1;
	printf("fork: %s, ppid is %s\n", args[0]->pr_fname,
	    args[0]->pr_ppid == $target ? "the target" : "another");
	@["born"] = count();
}

proc:::start
/children[pid]/
{
	@["begun"] = count();
	@same["same psinfo"] = sum(curpsinfo->pr_pid == pid && curpsinfo->pr_ppid == ppid);
}

proc:::exit
/children[pid] && args[0] == CLD_EXITED/
{
	@["ended"] = count();
	children[pid] = NULL;
}

proc:::exit
/pid == $target/
{
	printa("%-12s %@d\n", @);
	printa("%-12s %@d\n", @same);
}
