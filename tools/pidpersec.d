#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "pidpersec: new processes in each second"
#pragma tool param p pid "only processes that this process creates"
inline pid_t p = 0;
#pragma tool param i int "print every so many seconds"
inline int i = 1;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

BEGIN { printf("%-20s %10s\n", "TIME", "PIDS"); }

proc:::create /!p || pid == p/ { @created = sum(1); }

/* at the end only if no interval was whole: a part of one is no number to compare */
tick-1s, END
/probename == "END" ? !prints : ++seconds % (i > 0 ? i : 1) == 0/
{
	/* a time without a process has a row as well */
	@created = sum(0);
	printf("%Y", walltimestamp);
	printa(" %@10d\n", @created);
	clear(@created);
	prints++;
}

tick-1s /d && ++ticks >= d/ { exit(0); }
