// SPDX-License-Identifier: Apache-2.0
/* daemon: becomes a daemon, says its number, and works N times, 20 ms apart. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) void work(int i);

void work(int i)
{
	__asm__ volatile("" ::"r"(i));
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;

	if (fork())
		_exit(0);
	setsid();
	if (fork())
		_exit(0);
	printf("%d\n", (int)getpid());
	fflush(stdout);
	for (int i = 0; i < n; i++) {
		usleep(20000);
		work(i);
	}
	return 0;
}
