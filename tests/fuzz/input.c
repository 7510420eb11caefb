// SPDX-License-Identifier: Apache-2.0
/* Makes files in memory. */
#define _GNU_SOURCE
#include "input.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int fuzz_file(const void *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
		perror("memfd");
		abort();
	}
	return fd;
}

const char *fuzz_path(int fd, char path[FUZZ_PATH_SIZE])
{
	snprintf(path, FUZZ_PATH_SIZE, "/proc/self/fd/%d", fd);
	return path;
}
