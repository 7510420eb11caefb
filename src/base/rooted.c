// SPDX-License-Identifier: Apache-2.0
/* Opens files whose paths another process chooses. */
#define _GNU_SOURCE /* O_PATH */
#include "base/rooted.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int rooted_open(const char *root, const char *path, int flags, mode_t mode, enum rooted_links links)
{
	struct open_how how = {
		.flags = (uint64_t)(unsigned)flags | O_CLOEXEC,
		.mode = mode,
		.resolve = links == ROOTED_NO_LINKS ? RESOLVE_NO_SYMLINKS : 0,
	};
	int base = AT_FDCWD, fd, error;

	if (root && *root) {
		base = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (base < 0)
			return -errno;
		how.resolve |= RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
	}
	do
		fd = (int)syscall(SYS_openat2, base, path, &how, sizeof(how));
	while (fd < 0 && errno == EAGAIN); /* somebody renamed a folder: openat2(2) */
	error = errno;
	if (base >= 0)
		close(base);
	return fd >= 0 ? fd : -error;
}

int rooted_reopen_regular(int fd, uint64_t most)
{
	char path[40];
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENODEV;
	if (most && (uint64_t)st.st_size > most)
		return -EFBIG;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	return fd >= 0 ? fd : -errno;
}

int rooted_open_regular(const char *root, const char *path, uint64_t most)
{
	int at = rooted_open(root, path, O_PATH, 0, ROOTED_LINKS), fd;

	if (at < 0)
		return at;
	fd = rooted_reopen_regular(at, most);
	close(at);
	return fd;
}
