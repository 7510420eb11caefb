/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rooted: opens files whose paths another process chooses.
 *
 * The kernel resolves "/proc/PID/root/PATH" in the process's root only up to the first absolute
 * symbolic link, which leads into ours.  These functions use openat2(2) with RESOLVE_IN_ROOT, so
 * that no link and no ".." leaves the root.  Nothing but a regular file is ever opened for reading:
 * opening a device may have effects, opening a FIFO waits.
 */
#ifndef BASE_ROOTED_H
#define BASE_ROOTED_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum rooted_links {
	ROOTED_LINKS,	 /* symbolic links are followed, inside of the root */
	ROOTED_NO_LINKS, /* they are refused with -ELOOP */
};

/*
 * Opens PATH below ROOT, "/proc/PID/root"; NULL or "" is our own root, where links lead wherever
 * they do for us.  FLAGS and MODE are those of open(2); O_CLOEXEC is added.  Returns a descriptor
 * for the caller to close, or -errno; -EXDEV and -ELOOP: PATH leads through a link of /proc, or a
 * link that LINKS forbids.
 */
int rooted_open(
	const char *root, const char *path, int flags, mode_t mode, enum rooted_links links);

/*
 * Opens the regular file PATH below ROOT for reading, links followed inside of the root.  The file
 * is looked at before it is opened.  Returns a descriptor for the caller to close, or -errno;
 * -ENODEV: it is no regular file; -EFBIG: it has more than MOST bytes, 0: any size.
 */
int rooted_open_regular(const char *root, const char *path, uint64_t most);

/* Does the same for the file that FD, open with O_PATH, refers to.  FD stays open. */
int rooted_reopen_regular(int fd, uint64_t most);

#endif
