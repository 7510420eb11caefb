/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * paced: system calls in bursts, with rests in which the tracer can read what they made.
 *
 *	paced BURSTS N		BURSTS times: getppid(i) for the next N numbers, then a rest of 5 ms
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct timespec rest = {.tv_nsec = 5000000};
	long bursts = argc > 1 ? atol(argv[1]) : 1, n = argc > 2 ? atol(argv[2]) : 1, i = 0;

	for (; bursts > 0; bursts--) {
		for (long end = i + n; i < end; i++)
			syscall(SYS_getppid, i);
		nanosleep(&rest, NULL);
	}
	return 0;
}
