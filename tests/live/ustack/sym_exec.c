// SPDX-License-Identifier: Apache-2.0
/*
 * Calls getppid() N times from two functions deep, each time in a new image: it execs itself, and
 * ends with the last call.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile long keep;

__attribute__((noinline)) static void inner_fn(void)
{
	long r;

	__asm__ volatile("syscall" : "=a"(r) : "0"(SYS_getppid) : "rcx", "r11", "memory");
	keep = r + (long)__builtin_frame_address(0); /* asking for it makes it have one */
}

__attribute__((noinline)) static void outer_fn(void)
{
	inner_fn();
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	char left[2] = {(char)(argc > 1 ? argv[1][0] - 1 : '0'), '\0'};

	outer_fn();
	if (left[0] > '0')
		execl("/proc/self/exe", argv[0], left, NULL);
	_exit(0);
}
