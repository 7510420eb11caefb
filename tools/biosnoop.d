#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "biosnoop: block I/O, a line for each"
#pragma tool param p pid "only I/O that this process starts"
inline pid_t p = 0;
#pragma tool param cgroup cgroup "only I/O that this control group starts"
inline string group = "";
#pragma tool param D string "only this disk"
inline string D = "";
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

/* a done fires where the disk interrupts, in any process */
inline int mine = (!p || pid == p) &&
    (group == "" || cgroup == group || index(cgroup, strjoin(group, "/")) == 0);

uint64_t began[uintptr_t];
pid_t by[uintptr_t];
string name[uintptr_t];

BEGIN
{
	begin = timestamp;
	printf("%11s %-15s %7s %-8s %1s %12s %8s %9s\n", "TIME s", "COMM", "PID", "DISK", "T", "SECTOR", "BYTES", "LAT ms");
}

io:::start
/mine && (D == "" || args[1]->dev_statname == D)/
{
	began[arg0] = timestamp;
	by[arg0] = pid;
	name[arg0] = execname;
}

io:::done
/began[arg0]/
{
	this->us = (timestamp - began[arg0]) / 1000;
	this->at = (began[arg0] - begin) / 1000;
	printf("%4d.%06d %-15s %7d %-8s %s %12d %8d %5d.%03d\n", this->at / 1000000, this->at % 1000000, name[arg0],
	    by[arg0], args[1]->dev_statname, args[0]->b_flags & B_READ ? "R" : "W", args[0]->b_lblkno,
	    args[0]->b_bcount, this->us / 1000, this->us % 1000);
	began[arg0] = 0;
	by[arg0] = 0;
	name[arg0] = 0;
}

tick-1s /d && ++ticks >= d/ { exit(0); }
