#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "vfsstat: calls for files, by kind, each second"
#pragma tool param p pid "only those of this process"
inline pid_t p = 0;
#pragma tool param i int "print every so many seconds"
inline int i = 1;
#pragma tool param d int "end after so many prints; 0: at ^C"
inline int d = 0;
#pragma D option quiet

BEGIN { printf("%-20s %9s %9s %9s %9s %9s %9s\n", "TIME", "READ", "WRITE", "FSYNC", "OPEN", "CREATE", "UNLINK"); }

/* calls that the kernel took, in a number a second or, with -i, in so many */
syscall::read:return, syscall::pread64:return, syscall::readv:return, syscall::preadv:return, syscall::preadv2:return
/!errno && (!p || pid == p)/
{
	@read = count();
}

syscall::write:return, syscall::pwrite64:return, syscall::writev:return, syscall::pwritev:return,
syscall::pwritev2:return
/!errno && (!p || pid == p)/
{
	@write = count();
}

syscall::fsync:return, syscall::fdatasync:return, syscall::sync_file_range:return
/!errno && (!p || pid == p)/
{
	@fsync = count();
}

syscall::open:return, syscall::openat:return, syscall::openat2:return
/!errno && (!p || pid == p)/
{
	@open = count();
}

/* asked for by the flags, so the file may have been there */
syscall::open:entry /(!p || pid == p) && (arg1 & O_CREAT)/ { self->creates = 1; }
syscall::openat:entry /(!p || pid == p) && (arg2 & O_CREAT)/ { self->creates = 1; }
syscall::creat:entry /!p || pid == p/ { self->creates = 1; }
syscall::open:return, syscall::openat:return, syscall::creat:return /self->creates && !errno/ { @create = count(); }
syscall::open:return, syscall::openat:return, syscall::creat:return { self->creates = 0; }

syscall::unlink:return, syscall::unlinkat:return, syscall::rmdir:return
/!errno && (!p || pid == p)/
{
	@unlink = count();
}

/* at the end only if no interval was whole: a part of one is no number to compare */
tick-1s, END
/probename == "END" ? !prints : ++seconds % (i ? i : 1) == 0/
{
	printf("%-20Y ", walltimestamp);
	printa("%@9d %@9d %@9d %@9d %@9d %@9d\n", @read, @write, @fsync, @open, @create, @unlink);
	clear(@read);
	clear(@write);
	clear(@fsync);
	clear(@open);
	clear(@create);
	clear(@unlink);
	prints++;
}

tick-1s /d && prints >= d/ { exit(0); }
