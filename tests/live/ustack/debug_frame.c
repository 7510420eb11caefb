// SPDX-License-Identifier: Apache-2.0
/* @cc -O2 -g -gz=zlib -fomit-frame-pointer -fno-optimize-sibling-calls
 * @cc -fno-asynchronous-unwind-tables -fno-unwind-tables
 *
 * debug_frame: its functions are in .debug_frame only, compressed; .eh_frame has what the C library
 * adds.
 */
#include <unistd.h>

static volatile int sink;

__attribute__((noinline, noclone)) void inner(int n)
{
	volatile char room[72];

	room[n] = 1;
	getppid();
	sink += room[n];
}

__attribute__((noinline, noclone)) void outer(int n)
{
	volatile char room[300];

	room[n] = 1;
	inner(n);
	sink += room[n];
}

int main(void)
{
	outer(3);
	return 0;
}
