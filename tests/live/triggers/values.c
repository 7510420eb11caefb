/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * values: system calls with known arguments.  The kernel ignores those of getppid(2), tracers
 * don't: they carry what the tests aggregate and print.
 *
 *	values ints V...	getppid(V, i) for each V; i counts from 0
 *	values strings S...	getppid(address of S, i) for each S
 *	values six		getppid(1, 2, 3, 4, 5, 6)
 *	values spread T N	in each of T threads, thread t on the CPU t modulo their number:
 *				getppid(t, i) for i from 0 to N - 1
 *	values turns T N	the same, and nobody makes call i + 1 before all have made call i
 *	values errors		close(-1) EBADF, openat(".", O_WRONLY) EISDIR, getppid success
 *	values exit		exit(2) in a thread, exit_group(2) in the process
 *	values memory		getppid(address of 32 bytes 0..31), getppid(1), getppid(0)
 *	values self		getppid(address of a pointer to itself)
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned char memory[32];
static void *self = &self;

struct job {
	pthread_t thread;
	long number, n;
	pthread_barrier_t *turn; /* or NULL */
};

static void *spread_loop(void *arg)
{
	struct job *job = arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(job->number % sysconf(_SC_NPROCESSORS_ONLN), &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (long i = 0; i < job->n; i++) {
		syscall(SYS_getppid, job->number, i);
		if (job->turn)
			pthread_barrier_wait(job->turn);
	}
	return NULL;
}

static int spread(long threads, long n, bool turns)
{
	struct job job[64];
	pthread_barrier_t turn;

	if (threads < 1 || threads > 64)
		return 2;
	pthread_barrier_init(&turn, NULL, (unsigned)threads);
	for (long t = 0; t < threads; t++) {
		job[t] = (struct job){.number = t, .n = n, .turn = turns ? &turn : NULL};
		if (pthread_create(&job[t].thread, NULL, spread_loop, &job[t]))
			return 1;
	}
	for (long t = 0; t < threads; t++)
		pthread_join(job[t].thread, NULL);
	return 0;
}

static void *exit_thread(void *arg)
{
	syscall(SYS_exit, 0);
	return NULL;
}

static int exit_both(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, exit_thread, NULL))
		return 1;
	pthread_join(thread, NULL);
	syscall(SYS_exit_group, 0);
	return 1;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "ints")) {
		for (int i = 2; i < argc; i++)
			syscall(SYS_getppid, strtoll(argv[i], NULL, 0), (long)i - 2);
	} else if (!strcmp(what, "strings")) {
		for (int i = 2; i < argc; i++)
			syscall(SYS_getppid, argv[i], (long)i - 2);
	} else if (!strcmp(what, "six")) {
		syscall(SYS_getppid, 1L, 2L, 3L, 4L, 5L, 6L);
	} else if (!strcmp(what, "spread") && argc == 4) {
		return spread(atol(argv[2]), atol(argv[3]), false);
	} else if (!strcmp(what, "turns") && argc == 4) {
		return spread(atol(argv[2]), atol(argv[3]), true);
	} else if (!strcmp(what, "errors")) {
		syscall(SYS_close, -1);
		syscall(SYS_openat, AT_FDCWD, ".", O_WRONLY);
		syscall(SYS_getppid);
	} else if (!strcmp(what, "exit")) {
		return exit_both();
	} else if (!strcmp(what, "memory")) {
		for (size_t i = 0; i < sizeof(memory); i++)
			memory[i] = i;
		syscall(SYS_getppid, memory);
		syscall(SYS_getppid, 1L);
		syscall(SYS_getppid, 0L);
	} else if (!strcmp(what, "self")) {
		syscall(SYS_getppid, &self);
	} else {
		fprintf(stderr, "values: see its source\n");
		return 2;
	}
	return 0;
}
