#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "killsnoop: signals that processes send, to whom, and the result"
#pragma tool param p pid "only signals that this process sends"
inline pid_t p = 0;
#pragma tool param T pid "only signals to this process"
inline pid_t T = 0;
#pragma tool param n string "only signals that processes of this name send"
inline string n = "";
#pragma tool param s int "only this signal, by number"
inline int s = 0;
#pragma tool param x flag "only calls that failed"
inline int x = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

inline int mine = (!p || pid == p) && (n == "" || execname == n);

self int on, to, sig;

BEGIN { printf("%7s %7s %-16s %-11s %7s %s\n", "UID", "PID", "COMM", "SIG", "TPID", "RESULT"); }

/* kill(pid, sig), tkill(tid, sig), rt_sigqueueinfo(pid, sig, info) */
syscall::kill:entry, syscall::tkill:entry, syscall::rt_sigqueueinfo:entry /mine/
{
	self->on = 1;
	self->to = (int)arg0;
	self->sig = (int)arg1;
}

/* tgkill(pid, tid, sig), rt_tgsigqueueinfo(pid, tid, sig, info) */
syscall::tgkill:entry, syscall::rt_tgsigqueueinfo:entry /mine/
{
	self->on = 1;
	self->to = (int)arg0;
	self->sig = (int)arg2;
}

/* pidfd_send_signal(fd, sig, info, flags): the receiver is known once it is sent */
syscall::pidfd_send_signal:entry /mine/
{
	self->on = 1;
	self->to = 0;
	self->sig = (int)arg1;
}

proc:::signal-send, proc:::signal-discard /self->on && !self->to/ { self->to = args[1]->pr_pid; }

syscall::kill:return, syscall::tkill:return, syscall::tgkill:return, syscall::rt_sigqueueinfo:return,
syscall::rt_tgsigqueueinfo:return, syscall::pidfd_send_signal:return
/self->on && (!T || self->to == T) && (!s || self->sig == s) && (!x || errno)/
{
	printf("%7d %7d %-16s %-11s %7d %s\n", uid, pid, execname, self->sig ? signame(self->sig) : "0", self->to,
	    errnoname(errno));
}

syscall::kill:return, syscall::tkill:return, syscall::tgkill:return, syscall::rt_sigqueueinfo:return,
syscall::rt_tgsigqueueinfo:return, syscall::pidfd_send_signal:return
{
	self->on = 0;
	self->to = 0;
	self->sig = 0;
}

tick-1s /d && ++ticks >= d/ { exit(0); }
