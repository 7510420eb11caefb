#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Interpreters of another user, CPython, V8, Ruby and PHP, whose memory becomes hostile for a moment at each getppid():
# words point at themselves and at each other, are huge, or lead nowhere.  jstack() of root's dtrace there neither hangs
# nor crashes, dtrace stays small, and the interpreter goes on.
# @timeout 180
# @needs gcc setpriv
. "$(dirname "$0")/lib.sh"

hostile_folder
cat >scramble.c <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define REGIONS	 512
#define ROOM	 (128ul << 20)
#define MOST	 (8ul << 20) /* bytes of a region, at its end */
#define CALLS	 20
#define PAGE	 4096ul
#define PAGES	 512 /* that are tried at once */

/* Of libraries, what is here is not libc's: it is not changed while libc's memory is. */
static struct {
	uint64_t *start, words, *saved;
} regions[REGIONS];
static unsigned n, turn;
static uint64_t *room, state = 88172645463325252ull;

static inline uint64_t chance(void)
{
	state ^= state << 13, state ^= state >> 7, state ^= state << 17;
	return state;
}

static inline long call(long nr)
{
	long r;

	__asm__ volatile("syscall" : "=a"(r) : "a"(nr) : "rcx", "r11", "memory");
	return r;
}

static int has(char *from, char *to, void *what)
{
	return from <= (char *)what && (char *)what < to;
}

/* Returns the number of pages from FROM to TO that can be read, up to the first that cannot. */
static unsigned long readable(char *from, char *to)
{
	static char bytes[PAGES];
	struct iovec pages[PAGES], into = {bytes, PAGES};
	unsigned long all = 0;

	while (from < to) {
		ssize_t got;
		int many = 0;

		for (; from < to && many < PAGES; from += PAGE)
			pages[many++] = (struct iovec){from, 1};
		got = process_vm_readv((pid_t)call(SYS_getpid), &into, 1, pages, many, 0);
		all += got > 0 ? got : 0;
		if (got < many)
			break;
	}
	return all;
}

/*
 * Adds the memory from FROM to TO.  Guards of stacks are in the middle of a mapping that can be written elsewhere
 * (MADV_GUARD_INSTALL, madvise(2)).
 */
static void add(char *from, char *to, unsigned long *left)
{
	char *end = (char *)(((uintptr_t)to + PAGE - 1) & ~(PAGE - 1)), *page = (char *)((uintptr_t)from & ~(PAGE - 1));

	while (page < end && n < REGIONS) {
		char *stop = page + PAGE * readable(page, end), *start = page < from ? from : page;

		if (stop > to)
			stop = to;
		if (stop > start && (unsigned long)(stop - start) / 8 <= *left) {
			regions[n].start = (uint64_t *)start;
			regions[n].words = (unsigned long)(stop - start) / 8;
			*left -= regions[n++].words;
		}
		page = stop == to ? end : stop < page + PAGE ? page + PAGE : stop + PAGE;
	}
}

/* Finds memory that can be changed, but for ours and the stack below HERE. */
static void find(char *here)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long start, end, left = ROOM / 8;
	char line[512], may[5];

	for (n = 0; f && n < REGIONS && fgets(line, sizeof(line), f);) {
		char *from, *to;

		if (sscanf(line, "%lx-%lx %4s", &start, &end, may) != 3 || strcmp(may, "rw-p") ||
			strstr(line, "scramble.so"))
			continue;
		from = (char *)start, to = (char *)end;
		if (to - from > (long)MOST)
			from = strstr(line, "[stack]") ? to - MOST : from, to = from + MOST;
		if (from <= here && here < to)
			from = here;
		if (!has(from, to, room) && !has(from, to, regions) && from < to)
			add(from, to, &left);
	}
	if (f)
		fclose(f);
}

/* Calls nothing of libc's. */
static __attribute__((noinline)) void change(unsigned how)
{
	char *rseq = (char *)__builtin_thread_pointer() + __rseq_offset;
	uint64_t *to = room;

	for (unsigned i = 0; i < n; i++) {
		regions[i].saved = to;
		for (uint64_t k = 0; k < regions[i].words; k++)
			*to++ = regions[i].start[k];
	}
	for (unsigned i = 0; i < n; i++)
		for (uint64_t k = 0; k < regions[i].words; k++) {
			uint64_t *w = &regions[i].start[k], r = chance();
			unsigned target = r % n;

			/* the kernel would kill us */
			if ((char *)w >= rseq && (char *)w < rseq + 64)
				continue;

			/* a part of the words only: a walker comes further */
			if (r >> 40 & (how & 1 ? 0 : how & 2 ? 7 : 255))
				continue;
			switch (how & 4 ? how >> 3 & 3 : r >> 32 & 3) {
			case 0:
				*w = (uint64_t)w | (how & 8);
				break;
			case 1:
				*w = (uint64_t)(regions[target].start +
					chance() % regions[target].words) | (how >> 4 & 1);
				break;
			case 2:
				*w = ~0ull >> (r >> 48 & 63);
				break;
			case 3:
				*w += 8 * (int64_t)(r >> 48 & 31) - 128;
				break;
			}
		}
	for (int i = 0; i < CALLS; i++)
		call(SYS_getppid);
	for (unsigned i = 0; i < n; i++)
		for (uint64_t k = 0; k < regions[i].words; k++)
			regions[i].start[k] = regions[i].saved[k];
}

static __attribute__((noinline)) void scramble(void)
{
	sigset_t all, old;

	if (!room)
		room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	/* what is above is whose stack jstack() walks */
	find((char *)__builtin_frame_address(0) + 16);
	change(turn++);
	sigprocmask(SIG_SETMASK, &old, NULL);
	fprintf(stderr, "%u\n", turn);
}

pid_t getppid(void)
{
	scramble();
	return (pid_t)call(SYS_getppid);
}

/* PHP's extensions, of which posix_getppid() is one, do not see ours. */
pid_t getpid(void)
{
	if (!strncmp(program_invocation_short_name, "php", 3))
		scramble();
	return (pid_t)call(SYS_getpid);
}
END
gcc -O2 -fno-stack-protector -fno-tree-loop-distribute-patterns -shared -fPIC -o scramble.so scramble.c || exit 1
cat >run.py <<'END'
import os, time
def outer():
    os.getppid()
while True:
    outer()
    time.sleep(0.01)
END
cat >run.js <<'END'
function outer() { return process.ppid; }
setInterval(outer, 10);
END
cat >run.rb <<'END'
def outer; Process.ppid; end
loop { outer; sleep 0.01 }
END
cat >run.php <<'END'
<?php
function outer() { return getmypid(); }
for (;;) { outer(); usleep(10000); }
END

# What jstack() says of a process with COMMAND.
check() { # PROGRAM COMMAND...
	local program=$1 victim status=0
	shift
	type -P "$1" >/dev/null || { echo "no $1"; return; }
	LD_PRELOAD=$PWD/scramble.so as_other "$@" 2>"$program.log" &
	victim=$!
	wait_for "$program.log" '^3$'
	(
		ulimit -v 4000000
		exec timeout -k 5 $((30 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -x aggsize=16m -p "$victim" -qn '
			syscall::getppid:entry /pid == $target/ { @[jstack(50)] = count(); n++; }
			profile-997 /pid == $target/ { @[jstack(50)] = count(); }
			syscall::getppid:entry /pid == $target && n > 1500/ { exit(0); }'
	) >out.txt 2>err.txt || status=$?
	[[ $status == 0 ]] || complain "$program: status $status, $(<err.txt)"
	# the version that dtrace finds may be hostile as well, and Debian 13's libnode has no symbols
	grep -q outer out.txt || grep -Eq 'jstack\(\) (does not know|needs the symbol)' err.txt ||
		complain "$program: no frame is known: $(head -30 out.txt) $(tail -c 300 err.txt)"
	kill -0 "$victim" 2>/dev/null || complain "$program has ended: $(tail -3 "$program.log")"
	# what a handler in another thread writes meanwhile, Ruby's for instance, is lost when memory is put back
	kill -KILL "$victim" 2>/dev/null
	wait "$victim" 2>/dev/null
}

check python /usr/bin/python3 run.py
check node node --single-threaded run.js
check ruby ruby run.rb
check php php run.php
hostile_done
