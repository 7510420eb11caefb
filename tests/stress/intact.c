// SPDX-License-Identifier: Apache-2.0
/*
 * intact FILE UID: judges what a tracer that ran as user UID has left.  FILE is that of
 * victim.c, which must be alive, running, going on, with the code of its files and a semaphore of
 * 0; no BPF program that UID has loaded may be there.  Waits up to 5 s for what the kernel does
 * later. Prints a line for each fault; the status is 1 if there was one.
 *
 * intact -beat FILE: only whether the victim goes on.  intact -now FILE UID: without waiting.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "victim_beat.h"

static int faults, waits = 100; /* of 50 ms */

#define FAULT(...) (printf(__VA_ARGS__), faults++)

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* ---- programs ---- */

static unsigned count_programs(unsigned uid)
{
	union bpf_attr attr;
	unsigned n = 0;

	for (unsigned id = 0;; id = attr.next_id) {
		struct bpf_prog_info info = {0};
		int fd;

		memset(&attr, 0, sizeof(attr));
		attr.start_id = id;
		if (syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr)))
			break;
		id = attr.next_id;
		memset(&attr, 0, sizeof(attr));
		attr.prog_id = id;
		fd = (int)syscall(SYS_bpf, BPF_PROG_GET_FD_BY_ID, &attr, sizeof(attr));
		memset(&attr, 0, sizeof(attr));
		attr.info.bpf_fd = (unsigned)fd;
		attr.info.info_len = sizeof(info);
		attr.info.info = (uintptr_t)&info;
		if (fd >= 0 && !syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)))
			n += info.created_by_uid == uid;
		if (fd >= 0)
			close(fd);
		memset(&attr, 0, sizeof(attr));
		attr.next_id = id;
	}
	return n;
}

static void check_programs(unsigned uid)
{
	unsigned n = count_programs(uid);

	for (int i = 0; n && i < waits; i++) {
		pause_ms(50);
		n = count_programs(uid);
	}
	if (n)
		FAULT("%u BPF programs are left\n", n);
}

/* ---- the victim ---- */

static bool goes_on(const volatile struct beat *b)
{
	uint64_t from = b->count;

	for (int i = 0; i < 200 && b->count == from; i++)
		pause_ms(10);
	return b->count != from;
}

static void check_state(pid_t pid)
{
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	if (!f) {
		FAULT("the victim is dead\n");
		return;
	}
	while (fgets(line, sizeof(line), f)) {
		char state;
		int tracer;

		if (sscanf(line, "State: %c", &state) == 1 && strchr("TtZX", state))
			FAULT("the victim's state is %c\n", state);
		if (sscanf(line, "TracerPid: %d", &tracer) == 1 && tracer)
			FAULT("process %d traces the victim\n", tracer);
	}
	fclose(f);
}

static void compare(int mem, uint64_t start, uint64_t len, const char *path, uint64_t offset)
{
	char *got = malloc(len), *want = malloc(len);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, want, len, (off_t)offset);

	if (!got || !want || n <= 0 || pread(mem, got, (size_t)n, (off_t)start) != n)
		FAULT("the code of %s cannot be compared: %s\n", path, strerror(errno));
	else
		for (ssize_t i = 0; i < n; i++)
			if (got[i] != want[i]) {
				FAULT("%s at offset 0x%llx: byte 0x%02x, in the file 0x%02x\n",
					path, (unsigned long long)offset + (unsigned long long)i,
					got[i] & 0xff, want[i] & 0xff);
				break;
			}
	if (fd >= 0)
		close(fd);
	free(got);
	free(want);
}

static void check_code(pid_t pid, int mem)
{
	char path[64], line[512], perms[8], file[256];
	unsigned long long start, end, offset;
	unsigned compared = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %255s", &start, &end, perms, &offset,
			    file) == 5 &&
			perms[2] == 'x' && file[0] == '/') {
			compare(mem, start, end - start, file, offset);
			compared++;
		}
	}
	if (f)
		fclose(f);
	if (compared < 3) /* itself, the C library, the dynamic linker */
		FAULT("the code of only %u files was compared\n", compared);
}

static void check_semaphore(int mem, uint64_t addr)
{
	uint16_t n = 1;

	for (int i = 0; i <= waits; i++) {
		if (pread(mem, &n, sizeof(n), (off_t)addr) == sizeof(n) && !n)
			return;
		pause_ms(50);
	}
	FAULT("the semaphore is %u\n", n);
}

int main(int argc, char **argv)
{
	bool only_beat = argc > 2 && !strcmp(argv[1], "-beat");
	bool now = argc > 3 && !strcmp(argv[1], "-now");
	char **rest = argv + 1 + (only_beat || now), path[64];
	int fd = argc > 2 ? open(rest[0], O_RDONLY | O_CLOEXEC) : -1, mem;
	struct beat *b = mmap(NULL, sizeof(*b), PROT_READ, MAP_SHARED, fd, 0);

	if (fd < 0 || b == MAP_FAILED) {
		fprintf(stderr, "usage: intact [-beat | -now] FILE [UID]\n");
		return 2;
	}
	if (!goes_on(b))
		FAULT("the victim does not go on\n");
	if (only_beat)
		return faults != 0;
	if (now)
		waits = 0;
	check_programs((unsigned)atoi(rest[1]));
	check_state((pid_t)b->pid);
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)b->pid);
	mem = open(path, O_RDONLY | O_CLOEXEC);
	if (mem < 0) {
		FAULT("the victim cannot be looked at: %s\n", strerror(errno));
	} else {
		check_semaphore(mem, b->semaphore);
		check_code((pid_t)b->pid, mem);
	}
	return faults != 0;
}
