#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
#pragma tool usage "memleak: memory of the C library that a process has allocated and not freed, by stack"
#pragma tool param m size "only blocks of at least this size"
inline size_t m = 0;
#pragma tool param r int "print only so many stacks, those with the most bytes; 0: all"
inline int r = 10;
#pragma tool param i int "print every so many seconds, not only at the end"
inline int i = 0;
#pragma tool param d int "end after so many seconds; 0: at ^C, or when the process ends"
inline int d = 0;
#pragma D option quiet
#pragma D option jstackframes=100
#pragma D option aggsortrev
#pragma D option aggnonzero
#pragma D option dynvarsize=64m

/* of the blocks that are there, by address: how large they are; from[] is where they come from */
size_t size[uintptr_t];

self int depth;		/* these functions call one another: the outermost counts */
self size_t wanted;
self uintptr_t old, place;

BEGIN
{
	printf("Bytes that are allocated and not freed since now, by stack. Ends with ^C.\n");
	setopt("aggrows", lltostr(r));
	from[0] = jstack(); /* the type of a stack has no name: this declares it */
	from[0] = 0;
}

pid$target:libc.so.6:malloc:entry { self->depth++; }
pid$target:libc.so.6:malloc:entry /self->depth == 1/ { self->wanted = arg0; }

pid$target:libc.so.6:calloc:entry { self->depth++; }
pid$target:libc.so.6:calloc:entry /self->depth == 1/ { self->wanted = arg0 * arg1; }

pid$target:libc.so.6:realloc:entry { self->depth++; }
pid$target:libc.so.6:realloc:entry /self->depth == 1/ { self->wanted = arg1; self->old = arg0; }

pid$target:libc.so.6:memalign:entry, pid$target:libc.so.6:aligned_alloc:entry { self->depth++; }
pid$target:libc.so.6:memalign:entry, pid$target:libc.so.6:aligned_alloc:entry
/self->depth == 1/
{
	self->wanted = arg1;
}

pid$target:libc.so.6:posix_memalign:entry { self->depth++; }
pid$target:libc.so.6:posix_memalign:entry /self->depth == 1/ { self->wanted = arg2; self->place = arg0; }

/* the old block of realloc() is gone if there is a new one, or if none was asked for */
pid$target:libc.so.6:realloc:return
/self->depth == 1 && self->old && size[self->old] && (arg1 || !self->wanted)/
{
	@bytes[from[self->old]] = sum(-(int64_t)size[self->old]);
	@blocks[from[self->old]] = sum(-1);
	size[self->old] = 0;
	from[self->old] = 0;
}

pid$target:libc.so.6:malloc:return, pid$target:libc.so.6:calloc:return, pid$target:libc.so.6:realloc:return,
pid$target:libc.so.6:memalign:return, pid$target:libc.so.6:aligned_alloc:return
/self->depth == 1 && arg1 && self->wanted && self->wanted >= m/
{
	size[arg1] = self->wanted;
	from[arg1] = jstack();
	@bytes[from[arg1]] = sum((int64_t)self->wanted);
	@blocks[from[arg1]] = sum(1);
}

pid$target:libc.so.6:posix_memalign:return
/self->depth == 1 && !arg1 && self->wanted && self->wanted >= m/
{
	this->block = *(uintptr_t *)copyin(self->place, sizeof(uintptr_t));
	size[this->block] = self->wanted;
	from[this->block] = jstack();
	@bytes[from[this->block]] = sum((int64_t)self->wanted);
	@blocks[from[this->block]] = sum(1);
}

pid$target:libc.so.6:malloc:return, pid$target:libc.so.6:calloc:return, pid$target:libc.so.6:realloc:return,
pid$target:libc.so.6:memalign:return, pid$target:libc.so.6:aligned_alloc:return,
pid$target:libc.so.6:posix_memalign:return
/self->depth/
{
	self->depth--;
	self->old = 0;
}

pid$target:libc.so.6:free:entry
/arg0 && size[arg0]/
{
	@bytes[from[arg0]] = sum(-(int64_t)size[arg0]);
	@blocks[from[arg0]] = sum(-1);
	size[arg0] = 0;
	from[arg0] = 0;
}

tick-1s
/i && ++seconds % (i ? i : 1) == 0/
{
	printf("\n%Y\n", walltimestamp);
	printa("%k\t%@d bytes in %@d blocks\n", @bytes, @blocks);
}

tick-1s /d && ++ticks >= d/ { exit(0); }

END { printa("%k\t%@d bytes in %@d blocks\n", @bytes, @blocks); }
