#!/usr/sbin/dtrace -s
/*
 * Who sends a signal to whom: the receiver as a psinfo_t, the number as args[2], an array of names.
 * @trigger procs die
 * @args -q
 * @sort
 * @filter '/^(create|start|exit|lwp-|signal-|fault|exec)/d'
 * @ref providers 6 signal-send
 */

#pragma D option quiet

dtrace:::BEGIN
{
	name[SIGKILL] = "KILL";
	name[SIGTERM] = "TERM";
	name[SIGABRT] = "ABRT";
	name[SIGSEGV] = "SEGV";
	name[SIGCHLD] = "CHLD";
}

proc:::signal-send
/progenyof($target) && args[2] != SIGCHLD/
{
	this->me = args[1]->pr_pid == pid ? "itself" : args[1]->pr_ppid == pid ? "its child" : "another";
	printf("%s sends %s to %s, %s\n", execname, name[args[2]] != NULL ? name[args[2]] : lltostr(args[2]),
	    this->me, stringof(args[1]->pr_fname));
}
