#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "threadsnoop: threads as they are created"
#pragma tool param p pid "only threads of this process"
inline pid_t p = 0;
#pragma tool param n string "only threads of processes with this name"
inline string n = "";
#pragma tool param s flag "the stack of the function that creates the thread as well"
inline int s = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet
#pragma D option jstackframes=100

BEGIN
{
	begin = timestamp;
	printf("%11s %7s %-16s %7s %7s\n", "TIME s", "PID", "COMM", "BY TID", "TID");
}

/* the first thread of a process belongs to another process than the current one */
proc:::lwp-create
/args[1]->pr_pid == pid && (!p || pid == p) && (n == "" || execname == n)/
{
	this->us = (timestamp - begin) / 1000;
	printf("%4d.%06d %7d %-16s %7d %7d\n", this->us / 1000000, this->us % 1000000, pid, execname, tid,
	    args[0]->pr_lwpid);
}

proc:::lwp-create
/s && args[1]->pr_pid == pid && (!p || pid == p) && (n == "" || execname == n)/
{
	jstack();
}

tick-1s /d && ++ticks >= d/ { exit(0); }
