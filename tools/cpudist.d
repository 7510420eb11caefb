#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "cpudist: how long threads run on a CPU before they leave it"
#pragma tool param p pid "only threads of this process"
inline pid_t p = 0;
#pragma tool param n string "only threads of processes with this name"
inline string n = "";
#pragma tool param a flag "a distribution for each process name"
inline int a = 0;
#pragma tool param o flag "the time off the CPU instead"
inline int o = 0;
#pragma tool param i int "print every so many seconds, not only at the end"
inline int i = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

self uint64_t on, off;

BEGIN { printf("Time %s a CPU, in microseconds. Ends with ^C.\n", o ? "off" : "on"); }

sched:::on-cpu
/o && self->off/
{
	@[a ? execname : "all"] = quantize((timestamp - self->off) / 1000);
	self->off = 0;
}

sched:::on-cpu /!o && tid && (!p || pid == p)/ { self->on = timestamp; }

sched:::off-cpu
/self->on && (n == "" || execname == n)/
{
	@[a ? execname : "all"] = quantize((timestamp - self->on) / 1000);
}

sched:::off-cpu { self->on = 0; }

sched:::off-cpu /o && tid && (!p || pid == p) && (n == "" || execname == n)/ { self->off = timestamp; }

tick-1s /i && ++seconds % (i ? i : 1) == 0/ { printf("\n%Y\n", walltimestamp); printa(@); trunc(@); }
tick-1s /d && ++ticks >= d/ { exit(0); }
END /i/ { printa(@); } /* what came after the last table */
