#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "gethostlatency: how long names of hosts take to resolve, by the C library"
#pragma tool param p pid "only in this process"
inline pid_t p = 0;
#pragma tool param m time "only what takes longer"
inline uint64_t m = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C"
inline int d = 0;
#pragma D option quiet

self string host;
self uint64_t since;

BEGIN { printf("%-20s %7s %-16s %10s %6s %s\n", "TIME", "PID", "COMM", "MS", "RESULT", "HOST"); }

pid*:libc.so.6:getaddrinfo:entry, pid*:libc.so.6:gethostbyname:entry, pid*:libc.so.6:gethostbyname2:entry
/(!p || pid == p) && arg0/
{
	self->host = copyinstr(arg0);
	self->since = timestamp;
}

pid*:libc.so.6:getaddrinfo:return, pid*:libc.so.6:gethostbyname:return, pid*:libc.so.6:gethostbyname2:return
/self->since && timestamp - self->since >= m/
{
	this->us = (timestamp - self->since) / 1000;
	printf("%-20Y %7d %-16s %6d.%03d %6s %s\n", walltimestamp, pid, execname, this->us / 1000, this->us % 1000,
	    (probefunc == "getaddrinfo" ? (int)arg1 == 0 : arg1 != 0) ? "ok" : "failed", self->host);
}

pid*:libc.so.6:getaddrinfo:return, pid*:libc.so.6:gethostbyname:return, pid*:libc.so.6:gethostbyname2:return
{
	self->since = 0;
	self->host = 0;
}

tick-1s /d && ++ticks >= d/ { exit(0); }
