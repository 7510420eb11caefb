#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "biolatency: how long block I/O takes"
#pragma tool param p pid "only I/O that this process starts"
inline pid_t p = 0;
#pragma tool param cgroup cgroup "only I/O that this control group starts"
inline string group = "";
#pragma tool param D flag "a distribution for each disk"
inline int D = 0;
#pragma tool param r flag "separate reads from writes"
inline int r = 0;
#pragma tool param i int "print every so many seconds, not only at the end"
inline int i = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

inline int mine = (!p || pid == p) &&
    (group == "" || cgroup == group || index(cgroup, strjoin(group, "/")) == 0);

uint64_t began[uintptr_t];

BEGIN { printf("Time of block I/O, in microseconds. Ends with ^C.\n"); }

io:::start /mine/ { began[arg0] = timestamp; }

io:::done
/began[arg0]/
{
	@[strjoin(D ? args[1]->dev_statname : "all disks", !r ? "" : args[0]->b_flags & B_READ ? ", read" : ", write")] =
	    quantize((timestamp - began[arg0]) / 1000);
	began[arg0] = 0;
}

tick-1s /i && ++seconds % (i ? i : 1) == 0/ { printf("\n%Y\n", walltimestamp); printa(@); trunc(@); }
tick-1s /d && ++ticks >= d/ { exit(0); }
END /i/ { printa(@); } /* what came after the last table */
