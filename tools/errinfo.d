#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "errinfo: system calls that fail, with the error's name and text"
#pragma tool param p pid "only this process"
inline pid_t p = 0;
#pragma tool param n string "only processes of this name"
inline string n = "";
#pragma tool param s string "only this system call"
inline string s = "";
#pragma tool param c flag "count them, and print the counts at the end"
inline int c = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

inline int mine = errno && (!p || pid == p) && (n == "" || execname == n) && (s == "" || probefunc == s);

BEGIN /!c/ { printf("%-16s %7s %-18s %-12s %s\n", "EXEC", "PID", "SYSCALL", "ERR", "DESC"); }

syscall:::return
/!c && mine/
{
	printf("%-16s %7d %-18s %-12s %s\n", execname, pid, probefunc, errnoname(errno), strerror(errno));
}

syscall:::return
/c && mine/
{
	@failed[execname, probefunc, errnoname(errno), strerror(errno)] = count();
}

tick-1s /d && ++ticks >= d/ { exit(0); }

END
/c/
{
	printf("%-16s %-18s %-12s %8s  %s\n", "EXEC", "SYSCALL", "ERR", "COUNT", "DESC");
	printa("%-16s %-18s %-12s %@8d  %s\n", @failed);
}
