// SPDX-License-Identifier: Apache-2.0
/* Reads files that the user names. */
#define _GNU_SOURCE
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/buf.h"

#define NULL_MAJOR 1 /* of /dev/null, which is as good as an empty file */
#define NULL_MINOR 3

const char *input_refusal(FILE *in)
{
	int fd = fileno(in); /* -1: it is memory */
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return NULL;
	if (S_ISBLK(st.st_mode))
		return "is a block device";
	if (S_ISCHR(st.st_mode) && !isatty(fd) && st.st_rdev != makedev(NULL_MAJOR, NULL_MINOR))
		return "is a character device";
	return NULL;
}

int input_read(FILE *in, size_t most, struct buf *out)
{
	char chunk[4096];
	size_t n;

	while (out->len <= most && (n = fread(chunk, 1, sizeof(chunk), in)) > 0)
		buf_put(out, chunk, n);
	if (out->len > most)
		return -EFBIG;
	if (ferror(in))
		return -EIO;
	return out->failed ? -ENOMEM : 0;
}

FILE *input_open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	FILE *in = NULL;
	int err = fd < 0 ? errno : 0;

	if (!err && fstat(fd, &st))
		err = errno;
	else if (!err && !S_ISREG(st.st_mode))
		err = EINVAL;
	if (!err) {
		in = fdopen(fd, "r");
		err = in ? 0 : errno;
	}
	if (!in && fd >= 0)
		close(fd);
	errno = err;
	return in;
}
