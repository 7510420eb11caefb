#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "dtruss: system calls with their arguments and results"
#pragma tool param p pid "only this process; ends when the process ends, unless -f follows its children"
inline pid_t p = 0;
#pragma tool param n string "only processes of this name"
inline string n = "";
#pragma tool param f flag "also processes that these create from now on"
inline int f = 0;
#pragma tool param e string "only this system call, as strace names it"
inline string e = "";
#pragma tool param c flag "count calls, errors and time per system call, and print them at the end"
inline int c = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet
#pragma D option bufsize=16m

int followed[pid_t];

/* dtrace -c COMMAND -s dtruss.d: the command */
inline pid_t one = p ? p : $target;
/* DTrace itself would cause calls by printing calls */
inline int mine = ((one ? pid == one : pid != $pid) && (n == "" || execname == n)) || (f && followed[pid]);
/* the kernel has other names for some of them */
inline int wanted = e == "" || probefunc == e || probefunc == strjoin("new", e) || probefunc == strjoin(e, "64") ||
    (e == "umount2" && probefunc == "umount");

BEGIN /!c && one && !f/ { printf("SYSCALL(args) = return\n"); }
BEGIN /!c && (!one || f)/ { printf("%15s  SYSCALL(args) = return\n", "PID/THREAD"); }
BEGIN /c/ { printf("Counting system calls. Ends with ^C.\n"); }

proc:::create /f && mine/ { followed[args[0]->pr_pid] = 1; }
syscall:::entry /c && mine && wanted/ { self->began = timestamp; }

syscall:::return
/c && self->began/
{
	@calls[probefunc] = count();
	@errors[probefunc] = sum(errno != 0);
	@time[probefunc] = sum(timestamp - self->began);
	@most[probefunc] = max(timestamp - self->began);
	self->began = 0;
}

/* memory that these calls read and then overwrite */
syscall::accept*:entry, syscall::bpf:entry, syscall::copy_file_range:entry, syscall::execve*:entry, syscall::getpeername:entry,
syscall::getsockname:entry, syscall::getsockopt:entry, syscall::ppoll:entry, syscall::prlimit64:entry,
syscall::pselect6:entry, syscall::recvfrom:entry, syscall::recvmmsg:entry, syscall::recvmsg:entry, syscall::rt_sigaction:entry,
syscall::rt_sigprocmask:entry, syscall::select:entry, syscall::sendfile*:entry, syscall::setitimer:entry,
syscall::sigaltstack:entry, syscall::splice:entry, syscall::timer*_settime:entry
/!c && mine && wanted/
{
	keepsys();
}

syscall:::return /!c && one && !f && mine && wanted/ { tracesys(); printf("\n"); }
syscall::exit:entry, syscall::exit_group:entry, syscall::rt_sigreturn:entry /!c && one && !f && mine && wanted/ { tracesys(); printf("\n"); }

syscall:::return
/!c && (!one || f) && mine && wanted/
{
	printf("%7d/%-7d  ", pid, tid);
	tracesys();
	printf("\n");
}
syscall::exit:entry, syscall::exit_group:entry, syscall::rt_sigreturn:entry
/!c && (!one || f) && mine && wanted/
{
	printf("%7d/%-7d  ", pid, tid);
	tracesys();
	printf("\n");
}

/* signals, and the end; siginfo(7) */
inline int whole = !c && e == "";
proc:::signal-handle
/whole && mine && args[1] != NULL/
{
	this->sig = args[0];
	this->code = args[1]->si_code;
}
inline string signal_name = this->sig < 32 ? strflags(this->sig, "signal") :
    this->sig == 32 ? "SIGRTMIN" : strjoin("SIGRT_", lltostr(this->sig - 32));
inline string child_code = this->code == CLD_EXITED ? "CLD_EXITED" : this->code == CLD_KILLED ? "CLD_KILLED" :
    this->code == CLD_DUMPED ? "CLD_DUMPED" : this->code == CLD_TRAPPED ? "CLD_TRAPPED" :
    this->code == CLD_STOPPED ? "CLD_STOPPED" : "CLD_CONTINUED";
inline string code_name = this->sig == SIGCHLD && this->code > 0 ? child_code :
    this->sig == SIGSEGV && this->code == 1 ? "SEGV_MAPERR" : this->sig == SIGSEGV && this->code == 2 ? "SEGV_ACCERR" :
    this->code == 0 ? "SI_USER" : this->code == 0x80 ? "SI_KERNEL" : this->code == -1 ? "SI_QUEUE" :
    this->code == -2 ? "SI_TIMER" : this->code == -6 ? "SI_TKILL" : lltostr(this->code);
/* from a process */
inline int sent = this->code == 0 || this->code == -1 || this->code == -6 || (this->sig == SIGCHLD && this->code > 0);

/* a SIGKILL that ends the process is delivered without siginfo; strace shows its end only */
proc:::signal-handle, proc:::exit
/whole && mine && (!one || f) && (this->sig || probename == "exit")/
{
	printf("%7d/%-7d  ", pid, tid);
}
proc:::signal-handle
/whole && mine && this->sig/
{
	printf("--- %s {si_signo=%s, si_code=%s", signal_name, signal_name, code_name);
}
proc:::signal-handle
/whole && mine && this->sig && sent/
{
	printf(", si_pid=%d, si_uid=%d", args[1]->_sifields._kill._pid, args[1]->_sifields._kill._uid);
}
proc:::signal-handle
/whole && mine && this->sig == SIGCHLD && this->code == CLD_EXITED/
{
	printf(", si_status=%d", args[1]->_sifields._sigchld._status);
}
proc:::signal-handle
/whole && mine && this->sig == SIGCHLD && this->code > CLD_EXITED/
{
	printf(", si_status=%s", strflags(args[1]->_sifields._sigchld._status, "signal"));
}
proc:::signal-handle
/whole && mine && this->sig == SIGCHLD && this->code > 0/
{
	this->utime = args[1]->_sifields._sigchld._utime;
	this->stime = args[1]->_sifields._sigchld._stime;
	printf(", si_utime=%d", this->utime);
}
/* in ticks of 10 ms; a signal that a process sends to itself can have any number */
proc:::signal-handle
/whole && mine && this->sig == SIGCHLD && this->code > 0 && this->utime > 0/
{
	printf(" /* %d.%02d s */", this->utime / 100, this->utime % 100);
}
proc:::signal-handle
/whole && mine && this->sig == SIGCHLD && this->code > 0/
{
	printf(", si_stime=%d", this->stime);
}
proc:::signal-handle
/whole && mine && this->sig == SIGCHLD && this->code > 0 && this->stime > 0/
{
	printf(" /* %d.%02d s */", this->stime / 100, this->stime % 100);
}
proc:::signal-handle
/whole && mine && this->sig && this->code > 0 && this->code != 0x80 && (this->sig == SIGSEGV || this->sig == SIGBUS || this->sig == SIGFPE || this->sig == SIGILL)/
{
	printf(", si_addr=%s", args[1]->_sifields._sigfault._addr ?
	    strjoin("0x", lltostr((uint64_t)args[1]->_sifields._sigfault._addr, 16)) : "NULL");
}
proc:::signal-handle /whole && mine && this->sig/ { printf("} ---\n"); }

inline int ended_by = curthread->exit_code & 0x7f;
proc:::exit /whole && mine && !ended_by/ { printf("+++ exited with %d +++\n", curthread->exit_code >> 8 & 0xff); }
proc:::exit
/whole && mine && ended_by/
{
	printf("+++ killed by %s%s +++\n", ended_by < 32 ? strflags(ended_by, "signal") :
	    ended_by == 32 ? "SIGRTMIN" : strjoin("SIGRT_", lltostr(ended_by - 32)),
	    curthread->exit_code & 0x80 ? " (core dumped)" : "");
}
proc:::exit /f/ { followed[pid] = 0; }
proc:::exit /p && pid == p && !f/ { exit(0); }
tick-1s /d && ++ticks >= d/ { exit(0); }

END
/c/
{
	printf("%-24s %10s %8s %15s %12s\n", "SYSCALL", "CALLS", "ERRORS", "TIME ns", "LONGEST ns");
	printa("%-24s %@10d %@8d %@15d %@12d\n", @calls, @errors, @time, @most);
}
