/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * self: a process that knows itself.  In a new thread it calls getppid(2) with what it has found
 *out by other means, and then a few times with addresses of user memory:
 *
 *	self ids		getppid(pid, tid, uid, gid, ppid, CPU or -1 when it may have moved)
 *	self memory		getppid(address of a string, address of bytes, an address that isn't
 *mapped)
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char text[] = "user text";
static const int numbers[] = {11, -22, 33};

static void *ids(void *unused)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
	syscall(SYS_getppid, getpid(), syscall(SYS_gettid), getuid(), getgid(), getppid(),
		sched_getcpu());
	return unused;
}

static void *memory(void *unused)
{
	/* a page that nobody has touched may not be there, and a probe does not wait for it */
	(void)*(const volatile char *)text;
	(void)*(const volatile int *)numbers;
	syscall(SYS_getppid, text, numbers, 16, 4, 0, 0);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc != 2 || pthread_create(&t, NULL, strcmp(argv[1], "ids") ? memory : ids, NULL))
		return 1;
	return pthread_join(t, NULL);
}
