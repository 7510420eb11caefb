#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "statsnoop: files that programs ask about, by stat(2) and its like"
#pragma tool param p pid "only this process"
inline pid_t p = 0;
#pragma tool param n string "only processes of this name"
inline string n = "";
#pragma tool param x flag "only calls that failed"
inline int x = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

self uintptr_t path;
self int on;

BEGIN { printf("%7s %-15s %-12s %-8s %s\n", "PID", "COMM", "CALL", "ERR", "PATH"); }

syscall::newstat:entry, syscall::newlstat:entry, syscall::statfs:entry, syscall::access:entry, syscall::readlink:entry
/(!p || pid == p) && (n == "" || execname == n)/
{
	self->path = arg0;
	self->on = 1;
}

syscall::newfstatat:entry, syscall::statx:entry, syscall::faccessat:entry, syscall::faccessat2:entry,
syscall::readlinkat:entry
/(!p || pid == p) && (n == "" || execname == n)/
{
	self->path = arg1;
	self->on = 1;
}

/* the path is read after the call, when its memory has been touched; an empty one is about a descriptor */
syscall::newstat:return, syscall::newlstat:return, syscall::statfs:return, syscall::access:return,
syscall::readlink:return, syscall::newfstatat:return, syscall::statx:return, syscall::faccessat:return,
syscall::faccessat2:return, syscall::readlinkat:return
/self->on && (!x || errno) && self->path && errno != EFAULT/
{
	this->path = copyinstr(self->path);
	this->shown = this->path != "";
}

syscall::newstat:return, syscall::newlstat:return, syscall::statfs:return, syscall::access:return,
syscall::readlink:return, syscall::newfstatat:return, syscall::statx:return, syscall::faccessat:return,
syscall::faccessat2:return, syscall::readlinkat:return
/self->on && (!x || errno) && self->path && errno != EFAULT && this->shown/
{
	printf("%7d %-15s %-12s %-8s %s\n", pid, execname, probefunc, errno ? errnoname(errno) : "-", this->path);
}

syscall::newstat:return, syscall::newlstat:return, syscall::statfs:return, syscall::access:return,
syscall::readlink:return, syscall::newfstatat:return, syscall::statx:return, syscall::faccessat:return,
syscall::faccessat2:return, syscall::readlinkat:return
{
	self->on = 0;
	self->path = 0;
}

tick-1s /d && ++ticks >= d/ { exit(0); }
