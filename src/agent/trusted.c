// SPDX-License-Identifier: Apache-2.0
/* Reads files of root's, and checks that they are. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_PATH */
#endif
#include "agent/trusted.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/rooted.h"

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
	int found = open(path, O_PATH | O_CLOEXEC), fd, err = 0;
	struct stat st;

	if (found < 0 || fstat(found, &st)) {
		err = -errno;
		*problem = strerror(errno);
	} else if ((*problem = distrusted(&st)) != NULL) {
		err = -EPERM; /* not opened: opening a device may have effects */
	} else if ((fd = rooted_reopen_regular(found, 0)) < 0) {
		err = fd;
		*problem = strerror(-fd);
	} else {
		err = read_all(fd, most, out, problem);
		close(fd);
	}
	if (found >= 0)
		close(found);
	return err;
}
