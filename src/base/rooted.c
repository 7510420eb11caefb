// SPDX-License-Identifier: Apache-2.0
/*
 * Opens files whose paths another process chooses.  System calls are made by syscall(): the deputy
 * uses this too, where probes of the C library's functions would fire.
 */
#define _GNU_SOURCE /* O_PATH */
#include "base/rooted.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LINKS_MOST 40 /* the kernel's limit (path_resolution(7)) */
#define DEPTH_MOST 64 /* folders; a deeper one is not searched */

static int open_below(int base, const char *path, int flags, mode_t mode)
{
	long fd = syscall(SYS_openat, base, path, flags | O_CLOEXEC, mode);

	return fd < 0 ? -errno : (int)fd;
}

static void close_file(int fd)
{
	if (fd >= 0)
		syscall(SYS_close, fd);
}

static int look_at(int fd, struct stat *st)
{
	return syscall(SYS_newfstatat, fd, "", st, AT_EMPTY_PATH) ? -errno : 0;
}

/* ---- by hand ---- */

/*
 * A path that is resolved folder by folder.  The folders above stay open, so that ".." leads to the
 * one that was passed, wherever it has been moved to meanwhile.
 */
struct walk {
	int folders[DEPTH_MOST]; /* N of them; the first is the root */
	unsigned n;
	char rest[2 * PATH_MAX]; /* of the path */
	unsigned links;		 /* that were followed */
	enum rooted_links may;
};

static void leave(struct walk *w, unsigned n)
{
	while (w->n > n)
		close_file(w->folders[--w->n]);
}

/* Takes the first name off the rest, "." if there is none; false: it is too long. */
static bool next_name(struct walk *w, char name[NAME_MAX + 1], bool *last)
{
	const char *at = w->rest + strspn(w->rest, "/");
	size_t len = strcspn(at, "/");

	if (len > NAME_MAX)
		return false;
	memcpy(name, len ? at : ".", len ? len : 1);
	name[len ? len : 1] = '\0';
	at += len;
	*last = !at[strspn(at, "/")];
	memmove(w->rest, at, strlen(at) + 1);
	return true;
}

/* Puts what the link FD says before the rest of the path. */
static int follow(struct walk *w, int fd)
{
	char text[PATH_MAX];
	size_t have = strlen(w->rest);
	long n;

	if (w->may == ROOTED_NO_LINKS || ++w->links > LINKS_MOST)
		return -ELOOP;
	n = syscall(SYS_readlinkat, fd, "", text, sizeof(text));
	if (n < 0)
		return -errno;
	if (!n || (size_t)n >= sizeof(text) || (size_t)n + have >= sizeof(w->rest))
		return n ? -ENAMETOOLONG : -ENOENT;
	memmove(w->rest + n, w->rest, have + 1);
	memcpy(w->rest, text, (size_t)n);
	if (*text == '/')
		leave(w, 1);
	return 0;
}

/* Opens the last NAME as FLAGS say; -EAGAIN: it is a link, which was followed. */
static int open_last(struct walk *w, const char *name, int flags, mode_t mode)
{
	int base = w->folders[w->n - 1], fd = open_below(base, name, O_PATH | O_NOFOLLOW, 0), r;
	struct stat st;

	if (fd == -ENOENT && flags & O_CREAT)
		return open_below(base, name, flags | O_NOFOLLOW, mode);
	if (fd < 0)
		return fd;
	r = look_at(fd, &st);
	if (!r && S_ISLNK(st.st_mode) && !(flags & O_NOFOLLOW)) {
		r = follow(w, fd);
		close_file(fd);
		return r ? r : -EAGAIN;
	}
	if (!r && flags & O_PATH && !(flags & O_DIRECTORY && !S_ISDIR(st.st_mode)))
		return fd;
	close_file(fd);
	return r ? r : open_below(base, name, flags | O_NOFOLLOW, mode);
}

/* Enters folder NAME, or follows the link of that name. */
static int enter(struct walk *w, const char *name)
{
	int fd, r;
	struct stat st;

	if (!strcmp(name, "..")) {
		leave(w, w->n > 1 ? w->n - 1 : 1);
		return 0;
	}
	if (w->n == DEPTH_MOST)
		return -ENAMETOOLONG;
	fd = open_below(w->folders[w->n - 1], name, O_PATH | O_NOFOLLOW, 0);
	if (fd < 0)
		return fd;
	r = look_at(fd, &st);
	if (!r && S_ISDIR(st.st_mode)) {
		w->folders[w->n++] = fd;
		return 0;
	}
	if (!r)
		r = S_ISLNK(st.st_mode) ? follow(w, fd) : -ENOTDIR;
	close_file(fd);
	return r;
}

/* Takes one step: a descriptor or a negative errno; -EAGAIN: there are more steps. */
static int step(struct walk *w, int flags, mode_t mode)
{
	char name[NAME_MAX + 1];
	bool last, plain;
	int r;

	if (!next_name(w, name, &last))
		return -ENAMETOOLONG;
	plain = strcmp(name, ".") != 0;
	if (plain && last && strcmp(name, "..") != 0)
		return open_last(w, name, flags, mode);
	r = plain ? enter(w, name) : 0;
	if (r)
		return r;
	return last && !*w->rest ? open_below(w->folders[w->n - 1], ".", flags, mode) : -EAGAIN;
}

/* Does what openat2(2) does with RESOLVE_IN_ROOT below BASE, which is closed. */
static int walk(int base, const char *path, int flags, mode_t mode, enum rooted_links links)
{
	struct walk w = {.folders = {base}, .n = 1, .may = links};
	int r = -ENAMETOOLONG;

	if (base < 0)
		return base;
	if (strlen(path) < PATH_MAX) {
		strcpy(w.rest, path);
		do
			r = step(&w, flags, mode);
		while (r == -EAGAIN);
	}
	leave(&w, 0);
	return r;
}

/* ---- by openat2(2) ---- */

int rooted_open(const char *root, const char *path, int flags, mode_t mode, enum rooted_links links)
{
	struct open_how how = {
		.flags = (uint64_t)(unsigned)flags | O_CLOEXEC,
		.mode = flags & O_CREAT ? mode : 0,
		.resolve = links == ROOTED_NO_LINKS ? RESOLVE_NO_SYMLINKS : 0,
	};
	int base = AT_FDCWD, fd;

	if (root && *root) {
		base = open_below(AT_FDCWD, root, O_PATH | O_DIRECTORY, 0);
		if (base < 0)
			return base;
		how.resolve |= RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
	}
	do {
		fd = (int)syscall(SYS_openat2, base, path, &how, sizeof(how));
		if (fd < 0)
			fd = -errno;
	} while (fd == -EAGAIN); /* somebody renamed a folder: openat2(2) */
	/* a seccomp filter cannot see the flags, so those that forbid writing refuse this call */
	if (fd == -EPERM || fd == -ENOSYS) {
		if (base >= 0)
			return walk(base, path, flags, mode, links);
		return links == ROOTED_NO_LINKS
			? walk(open_below(
				       AT_FDCWD, *path == '/' ? "/" : ".", O_PATH | O_DIRECTORY, 0),
				  path, flags, mode, links)
			: open_below(AT_FDCWD, path, flags, mode);
	}
	close_file(base);
	return fd;
}

int rooted_reopen_regular(int fd, uint64_t most)
{
	char path[40];
	struct stat st;
	int r = look_at(fd, &st);

	if (r)
		return r;
	if (!S_ISREG(st.st_mode))
		return -ENODEV;
	if (most && (uint64_t)st.st_size > most)
		return -EFBIG;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open_below(AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0);
}

int rooted_open_regular(const char *root, const char *path, uint64_t most)
{
	int at = rooted_open(root, path, O_PATH, 0, ROOTED_LINKS), fd;

	if (at < 0)
		return at;
	fd = rooted_reopen_regular(at, most);
	close_file(at);
	return fd;
}
