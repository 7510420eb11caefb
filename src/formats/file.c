// SPDX-License-Identifier: Apache-2.0
/* Writes files as a whole. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "formats/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct out_file {
	FILE *stream;
	char *path;	 /* that it will have, without symbolic links at its end */
	char *temporary; /* that it has now; NULL: none */
	bool direct;	 /* it is no regular file */
	mode_t mode;
};

static int fail(struct out_file *f)
{
	int err = errno ? -errno : -EIO;

	out_file_discard(f);
	return err;
}

/* Returns the folder of PATH with NAME behind it, on the heap. */
static char *in_folder(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) + 1 : 0;
	char *out = malloc(len + strlen(name) + 1);

	if (out) {
		memcpy(out, path, len);
		strcpy(out + len, name);
	}
	return out;
}

static mode_t new_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* Opens the file that will be given its name later; -1 with errno. */
static int open_unnamed(struct out_file *f)
{
	char *folder = in_folder(f->path, ".");
	int fd;

	if (!folder)
		return -1;
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	free(folder);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT))
		return fd;
	f->temporary = in_folder(f->path, ".dtrace-XXXXXX");
	fd = f->temporary ? mkostemp(f->temporary, O_CLOEXEC) : -1;
	if (fd < 0) {
		free(f->temporary);
		f->temporary = NULL;
	}
	return fd;
}

int out_file_open(const char *path, struct out_file **out)
{
	struct out_file *f = calloc(1, sizeof(*f));
	struct stat st;
	int fd;

	if (!f)
		return -ENOMEM;
	f->path = realpath(path, NULL);
	if (!f->path && errno == ENOENT)
		f->path = strdup(path);
	if (!f->path)
		return fail(f);
	f->mode = new_mode();
	if (!stat(f->path, &st)) {
		f->mode = st.st_mode & 07777;
		f->direct = !S_ISREG(st.st_mode);
	}
	fd = f->direct ? open(f->path, O_WRONLY | O_CLOEXEC) : open_unnamed(f);
	if (fd < 0)
		return fail(f);
	f->stream = fdopen(fd, "w");
	if (!f->stream) {
		int saved = errno;

		close(fd);
		errno = saved;
		return fail(f);
	}
	*out = f;
	return 0;
}

FILE *out_file_stream(struct out_file *f)
{
	return f->stream;
}

/* Gives an unnamed file a temporary name: link(2) does not replace a file. */
static int name_it(struct out_file *f)
{
	char from[32];

	snprintf(from, sizeof(from), "/proc/self/fd/%d", fileno(f->stream));
	for (unsigned i = 0; i < 100; i++) {
		char name[32];

		snprintf(name, sizeof(name), ".dtrace-%d-%u", (int)getpid(), i);
		free(f->temporary);
		f->temporary = in_folder(f->path, name);
		if (!f->temporary)
			return -1;
		if (!linkat(AT_FDCWD, from, AT_FDCWD, f->temporary, AT_SYMLINK_FOLLOW))
			return 0;
		if (errno != EEXIST)
			break;
	}
	free(f->temporary);
	f->temporary = NULL;
	return -1;
}

const char *out_file_path(const struct out_file *f)
{
	return f->direct ? NULL : f->path;
}

static int commit(struct out_file *f, bool wait)
{
	errno = 0;
	if (fflush(f->stream) || ferror(f->stream))
		return fail(f);
	if (f->direct) {
		out_file_discard(f);
		return 0;
	}
	/* a disk that is full says so here on some file systems */
	if ((wait && fsync(fileno(f->stream))) || fchmod(fileno(f->stream), f->mode))
		return fail(f);
	if (!f->temporary && name_it(f))
		return fail(f);
	if (rename(f->temporary, f->path))
		return fail(f);
	free(f->temporary);
	f->temporary = NULL;
	out_file_discard(f);
	return 0;
}

int out_file_commit(struct out_file *f)
{
	return commit(f, true);
}

int out_file_replace(struct out_file *f)
{
	return commit(f, false);
}

void out_file_discard(struct out_file *f)
{
	if (!f)
		return;
	if (f->stream)
		fclose(f->stream);
	if (f->temporary)
		unlink(f->temporary);
	free(f->temporary);
	free(f->path);
	free(f);
}
