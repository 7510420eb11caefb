/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * written: a process whose memory is written by others.  It calls getppid(address of 32 bytes, i)
 * for i from 0 to 7, the bytes being dots before each call, and prints what they are after it; the
 * last call has the address of read-only memory.
 */
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char memory[32];
static const char constant[32] = "constant";

int main(void)
{
	for (int i = 0; i < 8; i++) {
		memset(memory, '.', sizeof(memory));
		syscall(SYS_getppid, i == 7 ? constant : memory, i);
		for (size_t k = 0; k < sizeof(memory); k++)
			if (!memory[k])
				memory[k] = '0';
		printf("%d %.*s\n", i, (int)sizeof(memory), memory);
	}
	printf("%s\n", constant);
	return 0;
}
