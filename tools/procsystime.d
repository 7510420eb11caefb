#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "procsystime: time in system calls, by call"
#pragma tool param p pid "only this process"
inline pid_t p = 0;
#pragma tool param n string "only processes of this name"
inline string n = "";
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

self uint64_t began, cpu;

BEGIN { printf("Time in system calls. Ends with ^C.\n"); }

syscall:::entry
/(!p || pid == p) && (n == "" || execname == n)/
{
	self->began = timestamp;
	self->cpu = vtimestamp;
}

syscall:::return
/self->began/
{
	this->cpu = vtimestamp - self->cpu;
	this->elapsed = timestamp - self->began;
	@calls[probefunc] = count();
	@elapsed[probefunc] = sum(this->elapsed);
	@oncpu[probefunc] = sum(this->cpu);
	@total_calls = count();
	@total_elapsed = sum(this->elapsed);
	@total_oncpu = sum(this->cpu);
	self->began = 0;
	self->cpu = 0;
}

tick-1s /d && ++ticks >= d/ { exit(0); }

END
{
	normalize(@elapsed, 1000);
	normalize(@oncpu, 1000);
	normalize(@total_elapsed, 1000);
	normalize(@total_oncpu, 1000);
	printf("\n%-24s %10s %14s %14s\n", "SYSCALL", "COUNT", "ELAPSED us", "CPU us");
	printa("%-24s %@10d %@14d %@14d\n", @calls, @elapsed, @oncpu);
	printa("TOTAL                    %@10d %@14d %@14d\n", @total_calls, @total_elapsed, @total_oncpu);
}
