#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "fsslower: calls for files that are slow"
#pragma tool param p pid "only those of this process"
inline pid_t p = 0;
#pragma tool param m time "only those that take at least so long"
inline uint64_t m = 10000000;
#pragma tool param t string "only files of this type of file system, ext4 for example"
inline string t = "";
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

self uint64_t since;
self int fd;
this string fs;
this int shown;

BEGIN
{
	printf("%-20s %-15s %7s %-9s %8s %9s %-8s %s\n", "TIME", "COMM", "PID", "CALL", "BYTES", "MS", "FS", "PATH");
}

/* not pipes, sockets, terminals and the like, where waiting is normal */
inline int is_file[string s] = s != "pipefs" && s != "sockfs" && s != "anon_inodefs" && s != "devpts" && s != "devtmpfs" &&
    s != "proc" && s != "<unknown>";

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry, syscall::write:entry,
syscall::pwrite64:entry, syscall::writev:entry, syscall::pwritev:entry, syscall::fsync:entry, syscall::fdatasync:entry
/!p || pid == p/
{
	self->since = timestamp;
	self->fd = arg0;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::write:return,
syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return, syscall::fsync:return,
syscall::fdatasync:return
/self->since && timestamp - self->since >= m/
{
	this->fs = fds[self->fd].fi_fs;
	this->shown = is_file[this->fs] && (t == "" || this->fs == t);
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::write:return,
syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return, syscall::fsync:return,
syscall::fdatasync:return
/self->since && timestamp - self->since >= m && this->shown/
{
	this->us = (timestamp - self->since) / 1000;
	printf("%-20Y %-15s %7d %-9s %8d %5d.%03d %-8s %s\n", walltimestamp, execname, pid, probefunc,
	    errno ? 0 : (int64_t)arg0, this->us / 1000, this->us % 1000, this->fs, fds[self->fd].fi_pathname);
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::write:return,
syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return, syscall::fsync:return,
syscall::fdatasync:return
{
	self->since = 0;
	self->fd = 0;
}

tick-1s /d && ++ticks >= d/ { exit(0); }
