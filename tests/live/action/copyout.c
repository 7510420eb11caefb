/* SPDX-License-Identifier: Apache-2.0 */
/* copyout: getppid(2) with the addresses of three buffers; then what is in them. */
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static char one[16] = "one: untouched", two[16] = "two: untouched", three[16] = "three: as it was";

static void show(const char *buf)
{
	putchar('[');
	for (int i = 0; i < 16; i++)
		putchar(buf[i] ? buf[i] : '.');
	putchar(']');
}

int main(void)
{
	syscall(SYS_getppid, one, two, three);
	show(one);
	show(two);
	show(three);
	putchar('\n');
	return 0;
}
