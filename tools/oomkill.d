#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "oomkill: processes that the kernel kills for lack of memory"
#pragma tool param p pid "only those that this process has caused"
inline pid_t p = 0;
#pragma tool param k flag "with the kernel's stack of the allocation that failed"
inline int k = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

pid_t cause[pid_t];
string name[pid_t];
uint64_t when[pid_t];

BEGIN { printf("%-20s %7s %-16s %7s %-16s %s\n", "TIME", "BY PID", "BY COMM", "KILLED", "COMM", "CGROUP"); }

/* in the process that asked for memory */
sdt:oom::mark_victim
/!p || pid == p/
{
	cause[args[0]] = pid;
	name[args[0]] = execname;
	when[args[0]] = walltimestamp;
}

sdt:oom::mark_victim /k && (!p || pid == p)/ { stack(); }

/* its name is known where it ends */
proc:::exit
/when[pid]/
{
	printf("%-20Y %7d %-16s %7d %-16s %s\n", when[pid], cause[pid], name[pid], pid, execname, cgroup);
	cause[pid] = 0;
	name[pid] = 0;
	when[pid] = 0;
}

tick-1s /d && ++ticks >= d/ { exit(0); }
