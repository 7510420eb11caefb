/* SPDX-License-Identifier: Apache-2.0 */
/*
 * many KEYS N BATCHES FILE [CPU]: for a probe on one of 5,000 functions, many_0 to many_4999. Calls
 * many_0 with each number below KEYS, then measures as bench/events does: N calls with the numbers
 * below 16, BATCHES times, and the fastest batch to FILE.
 */
#define _GNU_SOURCE
#include "clock.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

long many_0(long n);

/* Each begins with a push, which the kernel emulates. */
__asm__(".text\n"
	".altmacro\n"
	".macro function n\n"
	".globl many_\\n\n.type many_\\n, @function\n"
	"many_\\n:\n	push %rbx\n	pop %rbx\n	ret\n"
	".size many_\\n, . - many_\\n\n"
	".endm\n"
	".set count, 0\n"
	".rept 5000\n"
	"function %count\n"
	".set count, count + 1\n"
	".endr\n"
	".noaltmacro\n");

int main(int argc, char **argv)
{
	double least = 1e18, clock = 1e18;
	long keys, n;
	cpu_set_t set;
	FILE *f;

	if (argc < 5)
		return 2;
	keys = atol(argv[1]);
	n = atol(argv[2]);
	CPU_ZERO(&set);
	CPU_SET(argc > 5 ? atoi(argv[5]) : (int)sysconf(_SC_NPROCESSORS_ONLN) - 1, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return 1;
	for (long i = 0; i < keys; i++)
		many_0(i);
	for (long b = atol(argv[3]); b > 0; b--) {
		double start = now();

		for (long i = 0; i < n; i++)
			many_0(i & 15);
		keep_least(&least, (now() - start) / (double)n);
		keep_least(&clock, arithmetic());
	}
	f = fopen(argv[4], "w");
	if (!f)
		return 1;
	fprintf(f, "%.2f %.0f\n", least, clock);
	return fclose(f) != 0;
}
