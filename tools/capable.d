#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "capable: capabilities that the kernel checks, and whether the process has them"
#pragma tool param p pid "only this process"
inline pid_t p = 0;
#pragma tool param n string "only processes of this name"
inline string n = "";
#pragma tool param x flag "only those that are denied"
inline int x = 0;
#pragma tool param u flag "each only once by process and capability"
inline int u = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

uint8_t seen[pid_t, int];

BEGIN { printf("%7s %7s %-16s %3s %-22s %s\n", "UID", "PID", "COMM", "CAP", "NAME", "RESULT"); }

/* cap_capable(cred, target_ns, capable_ns, cap, ret) */
sdt:capability::cap_capable
/(!p || pid == p) && (n == "" || execname == n) && (!x || args[4]) && (!u || !seen[pid, args[3]])/
{
	printf("%7d %7d %-16s %3d %-22s %s\n", uid, pid, execname, args[3], strflags(args[3], "capability"),
	    args[4] ? "denied" : "granted");
}

sdt:capability::cap_capable /u && (!p || pid == p) && (n == "" || execname == n) && (!x || args[4])/ { seen[pid, args[3]] = 1; }

tick-1s /d && ++ticks >= d/ { exit(0); }
