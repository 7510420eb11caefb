/* SPDX-License-Identifier: Apache-2.0 */
/*
 * getppid N BATCHES FILE [CPU]: call getppid(2) N times in each of BATCHES batches.  Writes to FILE
 * the time of one call in the fastest batch, and the least time of a fixed piece of arithmetic
 * (ns); the second number makes runs at different clock rates comparable.  The process is pinned to
 * CPU, by default the last one, and linked statically so that it does nothing else.
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

static double calls(long n)
{
	double start = now();

	for (long i = 0; i < n; i++)
		syscall(SYS_getppid);
	return (now() - start) / (double)n;
}

/* Takes about 10 us and uses no memory. */
static double arithmetic(void)
{
	double start = now();
	unsigned long a = 1, b = 2;

	for (long i = 0; i < 10000; i++) {
		a += b ^ i;
		b += a ^ i;
		__asm__ volatile("" : : "r"(a), "r"(b)); /* keep it */
	}
	return now() - start;
}

static void keep_least(double *least, double t)
{
	if (t < *least)
		*least = t;
}

int main(int argc, char **argv)
{
	double call = 1e18, clock = 1e18;
	cpu_set_t set;
	FILE *f;

	if (argc < 4)
		return 2;
	CPU_ZERO(&set);
	CPU_SET(argc > 4 ? atoi(argv[4]) : (int)sysconf(_SC_NPROCESSORS_ONLN) - 1, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		perror("sched_setaffinity");
		return 1;
	}

	for (long b = atol(argv[2]); b > 0; b--) {
		keep_least(&call, calls(atol(argv[1])));
		keep_least(&clock, arithmetic());
	}

	f = fopen(argv[3], "w");
	if (!f) {
		perror(argv[3]);
		return 1;
	}
	fprintf(f, "%.2f %.0f\n", call, clock);
	return fclose(f) != 0;
}
