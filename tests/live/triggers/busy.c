/* SPDX-License-Identifier: Apache-2.0 */
/*
 * busy: uses a processor for as long as it lives.
 *
 *	busy user MS	in its own function spin()
 *	busy kernel MS	mostly in the kernel, reading /dev/zero
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char buffer[1 << 20];
static volatile unsigned long sum;

static long ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

__attribute__((noinline)) void spin(void)
{
	for (unsigned long i = 0; i < 1000000; i++)
		sum += i;
}

int main(int argc, char **argv)
{
	long end = ms() + (argc > 2 ? atol(argv[2]) : 1000);
	int fd = open("/dev/zero", O_RDONLY);

	while (ms() < end) {
		if (argc > 1 && !strcmp(argv[1], "kernel"))
			for (int i = 0; i < 20; i++)
				sum += (unsigned long)read(fd, buffer, sizeof(buffer));
		else
			spin();
	}
	return 0;
}
