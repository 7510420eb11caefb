#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "execsnoop: programs as they are executed, with their arguments"
#pragma tool param p pid "only programs that this process executes"
inline pid_t p = 0;
#pragma tool param P pid "only programs that children of this process execute"
inline pid_t P = 0;
#pragma tool param n string "only programs of this name"
inline string n = "";
#pragma tool param x flag "calls that fail as well"
inline int x = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

inline int mine = (!p || pid == p) && (!P || ppid == P);

self string path;

BEGIN { printf("%-16s %7s %7s %-8s %s\n", "PCOMM", "PID", "PPID", "RET", "ARGS"); }

proc:::exec /x && mine/ { self->path = args[0]; }

proc:::exec-success
/mine && (n == "" || execname == n)/
{
	printf("%-16s %7d %7d %-8s %s\n", execname, pid, ppid, "0", execargs);
}

proc:::exec-failure
/x && mine && (n == "" || basename(self->path) == n)/
{
	printf("%-16s %7d %7d %-8s %s\n", basename(self->path), pid, ppid, errnoname(args[0]), self->path);
}

proc:::exec-success, proc:::exec-failure /x/ { self->path = 0; }

tick-1s /d && ++ticks >= d/ { exit(0); }
