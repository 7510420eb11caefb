/* SPDX-License-Identifier: Apache-2.0 */
/*
 * getppid N BATCHES FILE [CPU]: call getppid(2) N times in each of BATCHES batches.  Writes to FILE
 * the time of one call in the fastest batch, and the least time of a fixed piece of arithmetic
 * (ns); the second number makes runs at different clock rates comparable.  The process is pinned to
 * CPU, by default the last one, and linked statically so that it does nothing else.
 */
#define _GNU_SOURCE
#include "clock.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static double calls(long n)
{
	double start = now();

	for (long i = 0; i < n; i++)
		syscall(SYS_getppid);
	return (now() - start) / (double)n;
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
