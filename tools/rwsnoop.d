#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "rwsnoop: what processes read and write, a line for each call"
#pragma tool param p pid "only this process"
inline pid_t p = 0;
#pragma tool param n string "only processes of this name"
inline string n = "";
#pragma tool param f string "only this file, by its path"
inline string f = "";
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

self int fd, on;

BEGIN { printf("%7s %-15s %1s %8s %9s %s\n", "PID", "COMM", "D", "BYTES", "US", "FILE"); }

/* not dtrace itself, whose own lines it would print */
syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry, syscall::preadv2:entry,
syscall::write:entry, syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry, syscall::pwritev2:entry
/pid != $pid && (!p || pid == p) && (n == "" || execname == n)/
{
	self->fd = arg0;
	self->on = 1;
	self->since = timestamp;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return,
syscall::pwritev2:return
/self->on && (f == "" || fds[self->fd].fi_pathname == f)/
{
	printf("%7d %-15s %s %8d %9d %s\n", pid, execname, strstr(probefunc, "write") != NULL ? "W" : "R",
	    errno ? -errno : arg0, (timestamp - self->since) / 1000, fds[self->fd].fi_pathname);
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::preadv2:return,
syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return,
syscall::pwritev2:return
{
	self->on = 0;
	self->fd = 0;
	self->since = 0;
}

tick-1s /d && ++ticks >= d/ { exit(0); }
