#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "syscount: system calls, counted by call or by process"
#pragma tool param p pid "only this process"
inline pid_t p = 0;
#pragma tool param n string "only processes of this name"
inline string n = "";
#pragma tool param P flag "count by process, not by call"
inline int P = 0;
#pragma tool param x flag "only calls that fail"
inline int x = 0;
#pragma tool param T int "print so many rows at most; 0: all of them"
inline int T = 0;
#pragma tool param i int "print every so many seconds, not only at the end"
inline int i = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

inline int mine = (!p || pid == p) && (n == "" || execname == n);

BEGIN /!P/ { printf("%-32s %10s\n", "SYSCALL", "COUNT"); }
BEGIN /P/ { printf("%7s %-24s %10s\n", "PID", "COMM", "COUNT"); }

syscall:::entry /!x && !P && mine/ { @call[probefunc] = count(); }
syscall:::entry /!x && P && mine/ { @process[pid, execname] = count(); }
syscall:::return /x && errno && !P && mine/ { @call[probefunc] = count(); }
syscall:::return /x && errno && P && mine/ { @process[pid, execname] = count(); }

tick-1s
/i && ++seconds % (i ? i : 1) == 0/
{
	trunc(@call, T ? T : 1000000);
	trunc(@process, T ? T : 1000000);
	printf("\n%Y\n", walltimestamp);
	printa("%-32s %@10d\n", @call);
	printa("%7d %-24s %@10d\n", @process);
	trunc(@call);
	trunc(@process);
}

tick-1s /d && ++ticks >= d/ { exit(0); }

END
{
	trunc(@call, T ? T : 1000000);
	trunc(@process, T ? T : 1000000);
	printa("%-32s %@10d\n", @call);
	printa("%7d %-24s %@10d\n", @process);
}
