// SPDX-License-Identifier: Apache-2.0
/* Sends lines to the agent in a Java VM and reads its lines, with limits to time and memory. */
#include "managed/java_wire.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "managed/java_agent/agent.h"

#define IN_SIZE	 (8 * AGENT_LINE_MOST)
#define SLICE_MS 50 /* after which who waits looks whether it is over */

uint64_t java_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000ULL + (uint64_t)t.tv_nsec;
}

/* ---- waiting ---- */

int java_wait(int fd, short events, const struct java_patience *p)
{
	struct pollfd f = {.fd = fd, .events = events};

	for (;;) {
		uint64_t now = java_now(), ms;

		if (p->over && p->over(p->arg))
			return -EINTR;
		if (now >= p->end)
			return -ETIMEDOUT;
		ms = (p->end - now) / JAVA_NSEC_PER_MS + 1;
		if (poll(&f, 1, ms < SLICE_MS ? (int)ms : SLICE_MS) > 0)
			return 0;
	}
}

int java_pause(unsigned ms, const struct java_patience *p)
{
	struct java_patience part = *p;
	uint64_t end = java_now() + ms * JAVA_NSEC_PER_MS;
	int err;

	if (end < part.end)
		part.end = end;
	err = java_wait(-1, 0, &part);
	return err == -ETIMEDOUT && part.end < p->end ? 0 : err;
}

/* read(2) that waits; 0: the end. */
static ssize_t read_some(int fd, char *to, size_t size, const struct java_patience *p)
{
	for (;;) {
		int err = java_wait(fd, POLLIN, p);
		ssize_t n;

		if (err)
			return err;
		n = read(fd, to, size);
		if (n >= 0)
			return n;
		if (errno != EAGAIN && errno != EINTR)
			return errno == ECONNRESET ? 0 : -errno;
	}
}

int java_read_all(int fd, char *text, size_t size, const struct java_patience *p)
{
	char rest[512];
	size_t len = 0;
	ssize_t n;

	do {
		bool room = len + 1 < size;

		n = room ? read_some(fd, text + len, size - 1 - len, p)
			 : read_some(fd, rest, sizeof(rest), p);
		if (n > 0 && room)
			len += (size_t)n;
	} while (n > 0);
	text[len] = '\0';
	return (int)n;
}

int java_write_all(int fd, const char *data, size_t len, const struct java_patience *p)
{
	for (size_t done = 0; done < len;) {
		ssize_t n = send(fd, data + done, len - done, MSG_NOSIGNAL | MSG_DONTWAIT);
		int err = n < 0 && errno != EAGAIN && errno != EINTR ? -errno : 0;

		if (!err && n <= 0)
			err = java_wait(fd, POLLOUT, p);
		if (err)
			return err == -ECONNRESET ? -EPIPE : err;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* ---- lines ---- */

void java_wire_close(struct java_wire *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
	free(w->in);
	w->in = NULL;
	buf_free(&w->out);
}

void java_wire_add(struct java_wire *w, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	buf_vprintf(&w->out, format, ap);
	va_end(ap);
}

int java_wire_send(struct java_wire *w, const struct java_patience *p)
{
	int err = w->out.failed ? -ENOMEM : java_write_all(w->fd, w->out.data, w->out.len, p);

	w->out.len = 0;
	return err;
}

/* Reads more behind what is there. */
static int fill(struct java_wire *w, const struct java_patience *p)
{
	ssize_t n;

	if (!w->in)
		w->in = malloc(IN_SIZE);
	if (!w->in)
		return -ENOMEM;
	if (w->from)
		memmove(w->in, w->in + w->from, w->to - w->from);
	w->to -= w->from;
	w->from = 0;
	n = read_some(w->fd, w->in + w->to, IN_SIZE - w->to, p);
	if (n <= 0)
		return n ? (int)n : -EPIPE;
	w->to += (size_t)n;
	return 0;
}

int java_wire_line(struct java_wire *w, char **line, const struct java_patience *p)
{
	size_t seen = 0, len;
	char *end = NULL;

	for (;;) {
		if (w->to - w->from > seen)
			end = memchr(w->in + w->from + seen, '\n', w->to - w->from - seen);
		seen = w->to - w->from;
		len = end ? (size_t)(end - w->in) - w->from : seen;
		if (len > AGENT_LINE_MOST)
			return -EMSGSIZE;
		if (end)
			break;
		int err = fill(w, p);
		if (err)
			return err;
	}
	*end = '\0';
	*line = w->in + w->from;
	w->from += len + 1;
	return strlen(*line) == len ? 0 : -EBADMSG;
}
