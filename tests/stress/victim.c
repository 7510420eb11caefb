// SPDX-License-Identifier: Apache-2.0
/*
 * victim FILE [SECONDS]: a process to trace, in a loop of calls, firings and system calls.  FILE,
 * which it makes, shows that it goes on: its struct beat.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "victim.h"
#include "victim_beat.h"

__attribute__((noinline)) int work(int i)
{
	__asm__ volatile("" ::: "memory");
	if (VICTIM_HIT_ENABLED())
		VICTIM_HIT(i);
	return i + 1;
}

int main(int argc, char **argv)
{
	time_t end = argc > 2 ? time(NULL) + atoi(argv[2]) : 0;
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;
	struct beat *beat;

	if (fd < 0 || ftruncate(fd, sizeof(*beat)))
		return 1;
	beat = mmap(NULL, sizeof(*beat), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (beat == MAP_FAILED)
		return 1;
	beat->semaphore = (uintptr_t)&victim_hit_semaphore;
	beat->pid = getpid();
	for (int i = 0; !end || time(NULL) < end; i = work(i)) {
		syscall(SYS_getppid);
		__atomic_add_fetch(&beat->count, 1, __ATOMIC_RELAXED);
		if (i % 16 == 0)
			usleep(200);
	}
	return 0;
}
