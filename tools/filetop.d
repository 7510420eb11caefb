#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "filetop: files by the bytes that processes read and write"
#pragma tool param p pid "only this process"
inline pid_t p = 0;
#pragma tool param a flag "pipes, sockets and the like, too"
inline int a = 0;
#pragma tool param i int "print every so many seconds"
inline int i = 5;
#pragma tool param n int "so many rows"
inline int n = 20;
#pragma tool param d int "end after so many prints; 0: at ^C"
inline int d = 0;
#pragma D option quiet
#pragma D option aggsortrev

self int fd, on;

BEGIN
{
	printf("Files by bytes, every %d seconds. Ends with ^C.\n\n", i);
	setopt("aggrows", lltostr(n));
}

inline int is_file[string s] = s != "pipefs" && s != "sockfs" && s != "anon_inodefs" && s != "devpts" && s != "devtmpfs" &&
    s != "proc" && s != "<unknown>";

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry, syscall::write:entry,
syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry
/!p || pid == p/
{
	self->fd = arg0;
	self->on = 1;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::write:return,
syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return
/self->on && !errno && (a || is_file[fds[self->fd].fi_fs])/
{
	this->path = fds[self->fd].fi_pathname;
	this->writes = probefunc == "write" || probefunc == "pwrite64" || probefunc == "writev" || probefunc == "pwritev";
	@all[pid, execname, this->path] = sum(arg0);
	@read[pid, execname, this->path] = sum(this->writes ? 0 : arg0);
	@written[pid, execname, this->path] = sum(this->writes ? arg0 : 0);
	@calls[pid, execname, this->path] = count();
	some = 1;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::write:return,
syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return
{
	self->on = 0;
	self->fd = 0;
}

/* at the end: what came after the last table, if anything did */
tick-1s, END
/probename == "END" ? some : ++seconds % (i ? i : 1) == 0/
{
	normalize(@read, 1024);
	normalize(@written, 1024);
	printf("%Y\n%7s %-15s %8s %9s %9s %s\n", walltimestamp, "PID", "COMM", "CALLS", "READ KB", "WRITE KB", "PATH");
	/* the sum says the order; it is not printed */
	setopt("aggsortpos", "3");
	printa("%7d %-15s %@8d %@9d %@9d %s\n", @calls, @read, @written, @all);
	printf("\n");
	trunc(@calls);
	trunc(@read);
	trunc(@written);
	trunc(@all);
	some = 0;
	prints++;
}

tick-1s /d && prints >= d/ { exit(0); }
