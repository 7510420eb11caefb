/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recursion: getppid(2) from a function that has called itself, each time with a frame pointer.
 *
 *	recursion DEPTH
 */
#include <stdlib.h>
#include <sys/syscall.h>

static volatile long keep;

__attribute__((noinline)) void down(long depth)
{
	long ret = 0;

	if (depth > 1)
		down(depth - 1);
	else
		__asm__ volatile("syscall" : "=a"(ret) : "0"(SYS_getppid) : "rcx", "r11", "memory");
	/* asking for the frame's address makes it have one */
	keep = ret + (long)__builtin_frame_address(0);
}

int main(int argc, char **argv)
{
	down(argc > 1 ? atol(argv[1]) : 1);
	return 0;
}
