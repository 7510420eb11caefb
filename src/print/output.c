// SPDX-License-Identifier: Apache-2.0
/* Writes to the output stream, and carries out freopen(), ftruncate() and system() on it. */
#include "base/buf.h"
#include "base/transfer.h"
#include "print/output.h"
#include "print/pcap.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int write_all(FILE *to, const void *data, size_t len)
{
	if (!len)
		return 0;
	errno = 0;
	if (fwrite(data, 1, len, to) != len)
		return errno ? -errno : -EIO;
	return 0;
}

int output_write(struct output *o, const void *data, size_t len)
{
	int err = write_all(o->capture ? o->original : o->stream, data, len);

	o->failed |= err && output_redirected(o) && !o->capture;
	return err;
}

int output_flush(struct output *o)
{
	int err = fflush(o->stream) ? -errno : 0;

	o->failed |= err && output_redirected(o);
	if (o->capture && fflush(o->original))
		return -errno;
	return err;
}

void output_close(struct output *o)
{
	if (output_redirected(o))
		fclose(o->stream);
	free(o->path);
	*o = (struct output){.original = o->original, .stream = o->original, .aside = o->aside};
}

static bool is_regular(FILE *f, off_t *size)
{
	int fd = fileno(f); /* there may be none: open_memstream(3) */
	struct stat st;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	*size = st.st_size;
	return true;
}

/* Opens PATH to append to it.  A FIFO that nobody reads is not waited for: ENXIO. */
static FILE *open_end(const char *path)
{
	int fd =
		open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
	int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
	FILE *file = NULL;

	if (flags >= 0 && !fcntl(fd, F_SETFL, flags & ~O_NONBLOCK))
		file = fdopen(fd, "a");
	if (!file && fd >= 0) {
		int err = errno;

		close(fd);
		errno = err;
	}
	return file;
}

int output_reopen(struct output *o, const char *path)
{
	FILE *file = o->original;
	off_t size;

	if (*path)
		file = open_end(path);
	if (!file)
		return -errno;
	output_close(o);
	o->stream = file;
	o->path = *path ? strdup(path) : NULL; /* for messages */
	o->was_empty = is_regular(file, &size) && !size;
	return 0;
}

/* A terminal or pipe has nothing to cut. */
int output_truncate(struct output *o)
{
	off_t size;
	int err;

	if (!is_regular(o->stream, &size))
		return 0;
	err = output_flush(o);
	if (err)
		return err;
	if (ftruncate(fileno(o->stream), 0) || fseeko(o->stream, 0, SEEK_SET))
		return -errno;
	o->capture = false; /* which begins with a header */
	return 0;
}

/* ---- packets ---- */

/* The stream's file, for reading; it is open for appending only. */
static int open_again(const struct output *o)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(o->stream));
	return open(path, O_RDONLY | O_CLOEXEC);
}

static int move_text(struct output *o, int from)
{
	char chunk[4096];
	off_t at = 0;
	ssize_t n;
	int err = 0;

	while (!err && (n = transfer_pread(from, chunk, sizeof(chunk), (uint64_t)at)) > 0) {
		err = write_all(o->original, chunk, (size_t)n);
		at += n;
	}
	return err ? err : output_truncate(o);
}

/* Examines the file: a capture to go on with, text that belongs elsewhere, or anything. */
static int look_at_file(struct output *o, bool *is_capture)
{
	char bytes[PCAP_HEADER_SIZE];
	ssize_t n;
	int fd, err = 0;

	fd = open_again(o);
	if (fd < 0)
		return 0;
	n = transfer_pread(fd, bytes, sizeof(bytes), 0);
	*is_capture = n > 0 && pcap_is_header(bytes, (size_t)n, &o->link);
	if (!*is_capture && o->was_empty)
		err = move_text(o, fd);
	close(fd);
	return err;
}

static int begin_capture(struct output *o, struct buf *b, uint32_t link)
{
	bool is_capture = false;
	off_t size;
	int err = output_flush(o);

	if (!err && is_regular(o->stream, &size))
		err = look_at_file(o, &is_capture);
	if (err)
		return err;
	o->capture = true;
	if (is_capture)
		return 0;
	o->link = link;
	pcap_put_header(b, link);
	return 0;
}

int output_capture(struct output *o, const struct packet *p)
{
	struct buf b = {0};
	int err = o->capture ? 0 : begin_capture(o, &b, p->link);

	if (!err && o->link != p->link)
		err = -EPROTOTYPE;
	pcap_put_packet(&b, p);
	if (!err)
		err = b.failed ? -ENOMEM : write_all(o->stream, b.data, b.len);
	buf_free(&b);
	return err;
}

/* ---- commands ---- */

/* True if our standard output is what freopen() has replaced; with -o it is not. */
static bool stdout_replaced(const struct output *o)
{
	return output_redirected(o) && !o->capture && fileno(o->original) == STDOUT_FILENO;
}

/*
 * Runs a command.  It does not use system(3), which would ignore ^C, and with it the user's wish to
 * stop, while it waits.  The shell gets the signal from the terminal as we do, so the wait is short
 * then, too.
 */
int output_system(struct output *o, const char *command)
{
	const char *argv[] = {"sh", "-c", "--", command, NULL};
	posix_spawn_file_actions_t acts;
	pid_t pid;
	int err = posix_spawn_file_actions_init(&acts);

	if (err)
		return -err;
	if (o->aside)
		err = posix_spawn_file_actions_adddup2(&acts, STDERR_FILENO, STDOUT_FILENO);
	else if (stdout_replaced(o))
		err = posix_spawn_file_actions_adddup2(&acts, fileno(o->stream), STDOUT_FILENO);
	if (!err)
		err = posix_spawn(&pid, "/bin/sh", &acts, NULL, (char **)argv, environ);
	posix_spawn_file_actions_destroy(&acts);
	if (err)
		return -err;
	/* another failure than EINTR: SIGCHLD is ignored, and the child has ended */
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return 0;
}
