#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "opensnoop: files as they are opened"
#pragma tool param p pid "only this process"
inline pid_t p = 0;
#pragma tool param n string "only processes of this name"
inline string n = "";
#pragma tool param x flag "only opens that failed"
inline int x = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

BEGIN { printf("%7s %-15s %4s %-8s %-20s %s\n", "PID", "COMM", "FD", "ERR", "FLAGS", "PATH"); }

syscall::open:entry
/(!p || pid == p) && (n == "" || execname == n)/
{
	self->path = arg0;
	self->flags = arg1;
	self->on = 1;
}

syscall::creat:entry
/(!p || pid == p) && (n == "" || execname == n)/
{
	self->path = arg0;
	self->flags = O_WRONLY | O_CREAT | O_TRUNC;
	self->on = 1;
}

syscall::openat:entry
/(!p || pid == p) && (n == "" || execname == n)/
{
	self->path = arg1;
	self->flags = arg2;
	self->on = 1;
}

/* the flags are in memory, which may be unreadable before the call */
syscall::openat2:entry
/(!p || pid == p) && (n == "" || execname == n)/
{
	self->path = arg1;
	self->how = arg2;
	self->on = 1;
}

syscall::openat2:return
/self->on && errno != EFAULT/
{
	self->flags = *(uint64_t *)copyin(self->how, sizeof(uint64_t));
}

/* the path is read after the call, when its memory has been touched */
syscall::open:return, syscall::creat:return, syscall::openat:return, syscall::openat2:return
/self->on && (!x || errno)/
{
	printf("%7d %-15s %4d %-8s %-20s %s\n", pid, execname, errno ? -1 : (int)arg1, errno ? errnoname(errno) : "-",
	    strflags(self->flags, "open"), errno == EFAULT ? "" : copyinstr(self->path));
}

syscall::open:return, syscall::creat:return, syscall::openat:return, syscall::openat2:return
{
	self->on = 0;
	self->path = 0;
	self->flags = 0;
	self->how = 0;
}

tick-1s /d && ++ticks >= d/ { exit(0); }
