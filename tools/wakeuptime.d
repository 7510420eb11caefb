#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "wakeuptime: who wakes threads that wait, and how long they waited"
#pragma tool param p pid "only threads of this process that wait"
inline pid_t p = 0;
#pragma tool param m time "only waits that are longer"
inline uint64_t m = 0;
#pragma tool param r int "print only so many stacks; 0: all"
inline int r = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

uint64_t since[int];

BEGIN
{
	printf("Microseconds of waiting, by who waits, who wakes it, and the stack of that. Ends with ^C.\n");
	setopt("aggrows", lltostr(r));
}

sched:::sleep /tid && (!p || pid == p)/ { since[tid] = timestamp; }

sched:::wakeup
/since[args[0]->pr_lwpid] && timestamp - since[args[0]->pr_lwpid] >= m/
{
	@[args[1]->pr_fname, execname, stack()] = sum((timestamp - since[args[0]->pr_lwpid]) / 1000);
}

sched:::wakeup { since[args[0]->pr_lwpid] = 0; }

tick-1s /d && ++ticks >= d/ { exit(0); }
