#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "iotop: processes by their block I/O"
#pragma tool param p pid "only I/O that this process starts"
inline pid_t p = 0;
#pragma tool param cgroup cgroup "only I/O that this control group starts"
inline string group = "";
#pragma tool param i int "print every so many seconds"
inline int i = 5;
#pragma tool param n int "so many rows"
inline int n = 20;
#pragma tool param d int "end after so many prints; 0: at ^C"
inline int d = 0;
#pragma D option quiet
#pragma D option aggsortrev

inline int mine = (!p || pid == p) &&
    (group == "" || cgroup == group || index(cgroup, strjoin(group, "/")) == 0);

uint64_t began[uintptr_t];
pid_t by[uintptr_t];
string name[uintptr_t];

BEGIN
{
	printf("Block I/O by process, every %d seconds. Ends with ^C.\n\n", i);
	setopt("aggrows", lltostr(n));
}

io:::start
/mine/
{
	began[arg0] = timestamp;
	by[arg0] = pid;
	name[arg0] = execname;
}

io:::done
/began[arg0]/
{
	this->type = args[0]->b_flags & B_READ ? "R" : "W";
	@bytes[by[arg0], name[arg0], args[1]->dev_statname, this->type] = sum(args[0]->b_bcount);
	@ios[by[arg0], name[arg0], args[1]->dev_statname, this->type] = count();
	@mean[by[arg0], name[arg0], args[1]->dev_statname, this->type] = avg((timestamp - began[arg0]) / 1000);
	some = 1;
	began[arg0] = 0;
	by[arg0] = 0;
	name[arg0] = 0;
}

/* at the end: what came after the last table, if anything did */
tick-1s, END
/probename == "END" ? some : ++seconds % (i ? i : 1) == 0/
{
	normalize(@bytes, 1024);
	printf("%Y\n%7s %-16s %-8s %1s %10s %8s %10s\n", walltimestamp, "PID", "COMM", "DISK", "T", "KB", "I/O", "MEAN us");
	printa("%7d %-16s %-8s %s %@10d %@8d %@10d\n", @bytes, @ios, @mean);
	printf("\n");
	trunc(@bytes);
	trunc(@ios);
	trunc(@mean);
	some = 0;
	prints++;
}

tick-1s /d && prints >= d/ { exit(0); }
