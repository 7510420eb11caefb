/* SPDX-License-Identifier: Apache-2.0 */
/*
 * burst THREADS N FILE: call getppid(2) N times in each of THREADS threads, as fast as possible.
 * Thread t runs on CPU t modulo the number of CPUs; the arguments of a call are t and the number of
 * the call.  Writes to FILE the CPU time of the process in us, and the time of its end (ns,
 * CLOCK_MONOTONIC).
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX_THREADS 64

struct job {
	pthread_t thread;
	long number, n;
};

static void *calls(void *arg)
{
	const struct job *job = arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(job->number % sysconf(_SC_NPROCESSORS_ONLN), &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (long i = 0; i < job->n; i++)
		syscall(SYS_getppid, job->number, i);
	return NULL;
}

static long cpu_us(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 + u.ru_utime.tv_usec +
		u.ru_stime.tv_usec;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
	struct job job[MAX_THREADS];
	long threads = argc == 4 ? atol(argv[1]) : 0;
	FILE *f;

	if (threads < 1 || threads > MAX_THREADS)
		return 2;
	for (long t = 0; t < threads; t++) {
		job[t] = (struct job){.number = t, .n = atol(argv[2])};
		if (pthread_create(&job[t].thread, NULL, calls, &job[t]))
			return 1;
	}
	for (long t = 0; t < threads; t++)
		pthread_join(job[t].thread, NULL);
	f = fopen(argv[3], "w");
	if (!f) {
		perror(argv[3]);
		return 1;
	}
	fprintf(f, "%ld %.0f\n", cpu_us(), now());
	return fclose(f) != 0;
}
