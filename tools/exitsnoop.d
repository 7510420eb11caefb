#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "exitsnoop: processes as they end, with their age and status"
#pragma tool param p pid "only this process"
inline pid_t p = 0;
#pragma tool param P pid "only children of this process"
inline pid_t P = 0;
#pragma tool param n string "only processes of this name"
inline string n = "";
#pragma tool param x flag "only those that failed: another status than 0, or a signal"
inline int x = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

/* as wait(2) returns it: of the call that ended all threads, or else of the first thread */
inline int SIGNAL_GROUP_EXIT = 4;
inline int wstatus = curthread->signal->flags & SIGNAL_GROUP_EXIT ? curthread->signal->group_exit_code :
    curthread->group_leader->exit_code;

BEGIN { printf("%-16s %7s %7s %7s %11s %s\n", "PCOMM", "PID", "PPID", "TID", "AGE s", "EXIT"); }

proc:::exit
/(!p || pid == p) && (!P || ppid == P) && (n == "" || execname == n) && (!x || wstatus)/
{
	this->ms = (timestamp - curthread->group_leader->start_time) / 1000000;
	printf("%-16s %7d %7d %7d %7d.%03d %s\n", execname, pid, ppid, tid, this->ms / 1000, this->ms % 1000,
	    wstatus & 0x7f ? strjoin(signame(wstatus & 0x7f), wstatus & 0x80 ? " (core dumped)" : "") :
	    lltostr(wstatus >> 8 & 0xff));
}

tick-1s /d && ++ticks >= d/ { exit(0); }
