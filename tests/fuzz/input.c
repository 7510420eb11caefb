// SPDX-License-Identifier: Apache-2.0
/* Makes files in memory. */
#define _GNU_SOURCE
#include "input.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static char named[4096];

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

static void remove_named(void)
{
	unlink(named);
}

const char *fuzz_named_file(const void *data, size_t size)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	if (!*named) {
		snprintf(named, sizeof(named), "%s/fuzz-XXXXXX", dir ? dir : "/tmp");
		fd = mkstemp(named);
		atexit(remove_named);
	} else {
		fd = open(named, O_WRONLY | O_TRUNC | O_CLOEXEC);
	}
	if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
		perror(named);
		abort();
	}
	close(fd);
	return named;
}
