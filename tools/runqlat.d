#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "runqlat: how long threads that could run waited for a CPU"
#pragma tool param p pid "only threads of this process"
inline pid_t p = 0;
#pragma tool param n string "only threads of processes with this name"
inline string n = "";
#pragma tool param a flag "a distribution for each process name"
inline int a = 0;
#pragma tool param i int "print every so many seconds, not only at the end"
inline int i = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

uint64_t since[int];

BEGIN { printf("Waiting for a CPU, in microseconds. Ends with ^C.\n"); }

/* it can run from now on: it was woken, or another thread takes its CPU */
sched:::wakeup /!p || args[1]->pr_pid == p/ { since[args[0]->pr_lwpid] = timestamp; }
sched:::preempt /(!p || pid == p) && tid/ { since[tid] = timestamp; }

sched:::on-cpu
/since[tid] && (n == "" || execname == n)/
{
	@[a ? execname : "all"] = quantize((timestamp - since[tid]) / 1000);
}

sched:::on-cpu /since[tid]/ { since[tid] = 0; }

tick-1s /i && ++seconds % (i ? i : 1) == 0/ { printf("\n%Y\n", walltimestamp); printa(@); trunc(@); }
tick-1s /d && ++ticks >= d/ { exit(0); }
END /i/ { printa(@); } /* what came after the last table */
