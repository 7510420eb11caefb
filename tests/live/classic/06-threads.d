#!/usr/sbin/dtrace -s
/*
 * Threads: lwp-create with an lwpsinfo_t and a psinfo_t, casts of both, times in an array by thread.
 * @trigger procs threads 4
 * @args -q
 * @filter '/^(create|start|exit|lwp-)/d'
 * @ref providers 6 lwp-create lwp-start lwp-exit
 */

#pragma D option quiet

dtrace:::BEGIN
{
	created = started = ended = sane = 0;
}

proc:::lwp-create
/pid == $target && args[1]->pr_pid == pid/
{
	created++;
	sane += args[0]->pr_lwpid != tid && args[0]->pr_lwpid > 0;
	born[(id_t)args[0]->pr_lwpid] = timestamp;
}

proc:::lwp-start
/pid == $target && born[(id_t)tid] != NULL/
{
	started++;
	sane += curlwpsinfo->pr_lwpid == tid;
}

proc:::lwp-exit
/born[(id_t)tid]/
{
	ended++;
	@life = min((timestamp - born[(id_t)tid]) / 1000000000);
	born[(id_t)tid] = 0;
}

dtrace:::END
{
	printf("%d threads created, %d started, %d ended, %d of %d numbers fit\n", created, started, ended, sane,
	    created + started);
	printa("the shortest lived %@d seconds\n", @life);
}
