/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/* cut: two system calls whose names begin alike: 3 getpid(2), 2 getppid(2). */
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 5; i++)
		syscall(i < 3 ? SYS_getpid : SYS_getppid);
	return 0;
}
