/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of the programs of bench/, and a fixed piece of arithmetic: its time is that of the
 * clock rate if nothing disturbs it.
 */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <time.h>

static inline double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Returns the nanoseconds it took.  It takes about 10 us and uses no memory. */
static inline double arithmetic(void)
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

static inline void keep_least(double *least, double t)
{
	if (t < *least)
		*least = t;
}

#endif
