/* SPDX-License-Identifier: Apache-2.0 */
/*
 * getppid N BATCHES FILE [CPU]: write to FILE the nanoseconds one getppid(2) takes, the least of
 * BATCHES batches of N calls.  Pinned to one CPU (default: the last); static, so that
 * nothing else happens in the process.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double batch(long n)
{
	double start = now();

	for (long i = 0; i < n; i++)
		syscall(SYS_getppid);
	return (now() - start) / (double)n;
}

int main(int argc, char **argv)
{
	cpu_set_t set;
	double least;
	FILE *f;

	if (argc < 4)
		return 2;
	CPU_ZERO(&set);
	CPU_SET(argc > 4 ? atoi(argv[4]) : (int)sysconf(_SC_NPROCESSORS_ONLN) - 1, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("sched_setaffinity");
		return 1;
	}

	least = batch(atol(argv[1]));
	for (long b = atol(argv[2]); b > 1; b--) {
		double t = batch(atol(argv[1]));

		if (t < least)
			least = t;
	}

	f = fopen(argv[3], "w");
	if (!f) {
		perror(argv[3]);
		return 1;
	}
	fprintf(f, "%.2f\n", least);
	return fclose(f) != 0;
}
