#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "cachestat: how much of what programs read from files was in memory"
#pragma tool param p pid "only what this process reads"
inline pid_t p = 0;
#pragma tool param i int "print every so many seconds"
inline int i = 1;
#pragma tool param d int "end after so many prints; 0: at ^C"
inline int d = 0;
#pragma D option quiet

self int reads, direct;
int64_t pages, misses, calls;

BEGIN { printf("%-20s %10s %10s %10s %7s\n", "TIME", "CALLS", "PAGES", "MISSES", "HIT %"); }

inline int is_cached[string s] = s != "pipefs" && s != "sockfs" && s != "anon_inodefs" && s != "devpts" && s != "devtmpfs" &&
    s != "proc" && s != "sysfs" && s != "<unknown>";

syscall::read:entry, syscall::pread64:entry, syscall::readv:entry, syscall::preadv:entry, syscall::preadv2:entry
/(!p || pid == p) && !(fds[arg0].fi_oflags & O_DIRECT) && is_cached[fds[arg0].fi_fs]/
{
	self->reads = 1;
}

/* a page, or 1 << order of them, comes into the cache: what the call needs, or what the kernel reads ahead */
sdt:filemap::mm_filemap_add_to_page_cache
/self->reads/
{
	@misses = sum(1 << arg4);
	misses += 1 << arg4;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::preadv2:return
/self->reads && !errno/
{
	this->n = (arg0 + 4095) / 4096;
	@pages = sum(this->n);
	@calls = count();
	pages += this->n;
}

syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::preadv2:return
{
	self->reads = 0;
}

/* at the end only if no interval was whole: a part of one is no number to compare */
tick-1s, END
/probename == "END" ? !prints : ++seconds % (i ? i : 1) == 0/
{
	this->hits = pages > misses ? pages - misses : 0;
	printf("%-20Y ", walltimestamp);
	printa("%@10d %@10d %@10d", @calls, @pages, @misses);
	printf(" %7d\n", pages ? 100 * this->hits / pages : 100);
	clear(@calls);
	clear(@pages);
	clear(@misses);
	pages = 0;
	misses = 0;
	prints++;
}

tick-1s /d && prints >= d/ { exit(0); }
