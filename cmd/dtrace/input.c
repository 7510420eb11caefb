// SPDX-License-Identifier: Apache-2.0
/*
 * Opens files that the user names: which are looked at before or after they are read for good, and
 * FIFOs whose other end nobody has.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "session.h"

#define PATIENCE_MS 2000 /* after which a message says what is waited for */
#define STEP_MS	    50

FILE *input_look(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return NULL;
	if (S_ISREG(st.st_mode))
		return fopen(path, "re");
	errno = EINVAL;
	return NULL;
}

/* Waits until the FIFO or pipe FD has something to read, or its last writer has gone. */
static void wait_for_writer(int fd, const char *path)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	if (poll(&p, 1, PATIENCE_MS))
		return;
	message_line("waiting for %s: nothing has been written to this FIFO or pipe yet", path);
	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
}

FILE *input_open(const char *path)
{
	/* without O_NONBLOCK the wait for a writer would be in open(), and silent */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), flags;
	FILE *in = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISFIFO(st.st_mode))
		wait_for_writer(fd, path);
	flags = fcntl(fd, F_GETFL);
	if (flags >= 0 && !fcntl(fd, F_SETFL, flags & ~O_NONBLOCK))
		in = fdopen(fd, "r");
	if (!in) {
		int err = errno;

		close(fd);
		errno = err;
	}
	return in;
}

int output_await(const char *path)
{
	struct stat st;
	int fd;

	if (stat(path, &st) || !S_ISFIFO(st.st_mode))
		return -1;
	/* there is no event for it; ENXIO: nobody reads */
	for (int waited = 0;
		(fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0 && errno == ENXIO;
		waited += STEP_MS) {
		if (waited == PATIENCE_MS)
			message_line("waiting for %s: nobody reads this FIFO yet", path);
		poll(NULL, 0, STEP_MS);
	}
	return fd;
}

void output_awaited(int fd)
{
	if (fd >= 0)
		close(fd);
}
