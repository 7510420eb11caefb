/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frames: getppid(2) at the end of a known chain of functions, each with a frame pointer.
 *
 *	frames N	N calls by way of outer() > middle() > inner(), then one by way of
 *			other() > inner(); the calls are inline, so inner() is the top frame
 */
#include <stdlib.h>
#include <sys/syscall.h>

static volatile long keep;

__attribute__((noinline)) void inner(long arg)
{
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "0"(SYS_getppid), "D"(arg)
			 : "rcx", "r11", "memory");
	/* asking for the frame's address makes it have one */
	keep = ret + (long)__builtin_frame_address(0);
}

/* What follows each call keeps it from becoming a jump. */
__attribute__((noinline)) void middle(long arg)
{
	inner(arg);
	keep++;
}

__attribute__((noinline)) void outer(long arg)
{
	middle(arg);
	keep++;
}

__attribute__((noinline)) void other(long arg)
{
	inner(arg);
	keep++;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1;

	for (long i = 0; i < n; i++)
		outer((long)inner);
	other((long)inner);
	return 0;
}
