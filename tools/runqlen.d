#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "runqlen: how many threads wait for each CPU, by sampling"
#pragma tool param a flag "a distribution for each CPU"
inline int a = 0;
#pragma tool param i int "print every so many seconds, not only at the end"
inline int i = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

BEGIN { printf("Threads that wait for a CPU, sampled 99 times a second. Ends with ^C.\n"); }

profile-99
{
	this->running = curthread->se.cfs_rq->rq->nr_running;
	/* one of them runs, unless the CPU is idle */
	@waiting[a ? strjoin("CPU ", lltostr(cpu)) : "all CPUs"] = lquantize(this->running ? this->running - 1 : 0, 0, 64, 1);
	@samples = count();
	@busy = sum(this->running > 0);
	@queued = sum(this->running > 1);
}

tick-1s
/i && ++seconds % (i ? i : 1) == 0/
{
	printf("\n%Y\n", walltimestamp);
	printa(@waiting);
	trunc(@waiting);
}

tick-1s /d && ++ticks >= d/ { exit(0); }

END
{
	printa(@waiting);
	printa("\nsamples %@d, ", @samples);
	printa("CPU in use %@d, ", @busy);
	printa("threads waiting %@d\n", @queued);
}
