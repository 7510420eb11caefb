// SPDX-License-Identifier: Apache-2.0
/*
 * eater PID: takes memory until process PID has ended.  At 1 GB it gives up, with status 1.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STEP (256u << 10)
#define MOST (1ul << 30)

int main(int argc, char **argv)
{
	struct pollfd p = {.events = POLLIN};

	if (argc != 2)
		return 2;
	p.fd = (int)syscall(SYS_pidfd_open, atoi(argv[1]), 0);
	for (unsigned long eaten = 0; p.fd >= 0 && eaten < MOST; eaten += STEP) {
		char *piece = mmap(
			NULL, STEP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (poll(&p, 1, 0) == 1)
			return 0;
		if (piece != MAP_FAILED)
			memset(piece, 1, STEP);
	}
	return p.fd < 0 ? 0 : 1;
}
