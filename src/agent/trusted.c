// SPDX-License-Identifier: Apache-2.0
/* Reads files of root's, and checks that they are. */
#include "agent/trusted.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

/* Returns what is wrong with a file that others than root can change; NULL: nothing. */
static const char *distrusted(const struct stat *st)
{
	if (!S_ISREG(st->st_mode))
		return "it is not a regular file";
	if (st->st_uid)
		return "it does not belong to root";
	return st->st_mode & (S_IWGRP | S_IWOTH) ? "others than root may write to it" : NULL;
}

static int read_all(int fd, size_t most, struct buf *out, const char **problem)
{
	char chunk[16384];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) > 0) {
		if (out->len + (size_t)n > most) {
			*problem = "it is too long";
			return -EFBIG;
		}
		buf_put(out, chunk, (size_t)n);
	}
	*problem = strerror(n ? errno : ENOMEM);
	return n ? -errno : out->failed ? -ENOMEM : 0;
}

int trusted_read(const char *path, size_t most, struct buf *out, const char **problem)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), err = 0;
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		err = -errno;
		*problem = strerror(errno);
	} else if ((*problem = distrusted(&st)) != NULL) {
		err = -EPERM;
	} else {
		err = read_all(fd, most, out, problem);
	}
	if (fd >= 0)
		close(fd);
	return err;
}
