// SPDX-License-Identifier: Apache-2.0
/*
 * @cc -fno-align-functions -fno-toplevel-reorder -fno-optimize-sibling-calls
 * Calls getppid() below a function whose last instruction is a call that never returns, so that
 * where it would return to is the next function.  If it were not, there would be no getppid().
 */
#include <sys/syscall.h>
#include <unistd.h>

int (*volatile next)(int);

__attribute__((noinline, noreturn)) static void die(void)
{
	long r;

	if (__builtin_return_address(0) == (void *)next)
		__asm__ volatile("syscall" : "=a"(r) : "0"(SYS_getppid) : "rcx", "r11", "memory");
	_exit(0);
}

__attribute__((noinline)) static int caller(int x)
{
	if (x)
		die();
	return 1;
}

/* The compiler puts the branch that never comes back last. */
__attribute__((noinline)) static int neighbour(int x)
{
	return x + 1;
}

int main(void)
{
	next = neighbour;
	return caller(1) + neighbour(2);
}
