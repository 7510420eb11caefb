/* SPDX-License-Identifier: Apache-2.0 */
/*
 * complete: measures dtrace_complete().
 *
 *	complete DLIB PROGRAM [PID]	complete the end of PROGRAM with the D libraries of folder
 *					DLIB and $target PID; print the microseconds that the first
 *					call and a second one take, and the number of completions
 */
#include <dtrace/dtrace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int count(void *arg, const struct dtrace_completion *c)
{
	++*(unsigned *)arg;
	return 0;
}

/* Completes PROGRAM and adds the completions to *N.  Returns the microseconds it took, or -1. */
static double measure(struct dtrace *d, const char *program, unsigned *n)
{
	long long start = now();
	int err = dtrace_complete(d, program, (unsigned)strlen(program), count, n);

	return err ? -1 : (double)(now() - start) / 1e3;
}

int main(int argc, char **argv)
{
	struct dtrace *d = dtrace_session_open();
	double first, second;
	unsigned n = 0;

	if (argc < 3 || !d)
		return 2;
	dtrace_option_environment(d);
	dtrace_option_set(d, "syslibdir", argv[1]);
	if (argc > 3 && dtrace_target_grab(d, (pid_t)strtol(argv[3], NULL, 10))) {
		fprintf(stderr, "complete: no process %s\n", argv[3]);
		return 1;
	}
	first = measure(d, argv[2], &n);
	n = 0;
	second = measure(d, argv[2], &n);
	if (first < 0 || second < 0) {
		fprintf(stderr, "complete: %s\n", dtrace_session_error(d));
		return 1;
	}
	printf("%.1f %.1f %u\n", first, second, n);
	dtrace_session_close(d);
	return 0;
}
