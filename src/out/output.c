// SPDX-License-Identifier: Apache-2.0
#include "out/output.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int output_write(struct output *o, const void *data, size_t len)
{
	if (!len)
		return 0;
	errno = 0;
	if (fwrite(data, 1, len, o->stream) != len)
		return errno ? -errno : -EIO;
	return 0;
}

int output_flush(struct output *o)
{
	return fflush(o->stream) ? -errno : 0;
}

void output_close(struct output *o)
{
	if (o->stream != o->original)
		fclose(o->stream);
	o->stream = o->original;
}

int output_reopen(struct output *o, const char *path)
{
	FILE *file = o->original;

	if (*path)
		file = fopen(path, "ae");
	if (!file)
		return -errno;
	output_close(o);
	o->stream = file;
	return 0;
}

/* The stream may have no descriptor (open_memstream(3)); a terminal or pipe has nothing to cut. */
int output_truncate(struct output *o)
{
	int fd = fileno(o->stream);
	struct stat st;
	int err;

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	err = output_flush(o);
	if (err)
		return err;
	if (ftruncate(fd, 0) || fseeko(o->stream, 0, SEEK_SET))
		return -errno;
	return 0;
}

/* Whether our standard output is what freopen() has replaced; with -o it is not. */
static bool stdout_replaced(const struct output *o)
{
	return o->stream != o->original && fileno(o->original) == STDOUT_FILENO;
}

/*
 * Not system(3): that would ignore ^C while it waits, and with it the user's wish to stop.  The
 * shell gets the signal from the terminal as we do, so the wait is short then, too.
 */
int output_system(struct output *o, const char *command)
{
	const char *argv[] = {"sh", "-c", "--", command, NULL};
	posix_spawn_file_actions_t acts;
	pid_t pid;
	int err = posix_spawn_file_actions_init(&acts);

	if (err)
		return -err;
	if (stdout_replaced(o))
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
