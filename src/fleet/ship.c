// SPDX-License-Identifier: Apache-2.0
/* Starts the process that sends rows, and hands them to it. */
#include "fleet/ship.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/report.h"
#include "confine/helper.h"
#include "fleet/send.h"
#include "fleet/wire.h"

#define START_MS     10000
#define TURN_MS	     50	  /* between looks at what may have happened meanwhile */
#define GRACE_MS     2000 /* for the process to end after its limit */
#define MOST_PENDING (8u << 20)
#define SOCKET_ROOM  (1 << 20)

struct ship {
	pid_t pid;
	int fd;
	struct buf pending; /* what the socket had no room for */
	size_t sent;	    /* of it */
	uint64_t lost, told;
	uint64_t handed, safe; /* rows for the process; of those, that do not depend on it */
	uint64_t limit;
	bool ended, dead; /* the process should end; it has ended before */
	bool closed;	  /* it says no more */
	bool settled;	  /* what went with it is in lost */
	struct buf lines; /* from the process */
	size_t shown;
};

static const char *problem_at(const struct ship_hello *hello)
{
	switch (hello->stage) {
	case SHIP_LIBRARY:
		return "libcurl.so.4 cannot be loaded (Debian: libcurl4; a static dtrace cannot send over HTTP)";
	case SHIP_RIGHTS:
		return "the sender's rights cannot be dropped";
	default:
		return "the sender has not enough memory";
	}
}

static int receive_hello(struct ship *s, const char **problem)
{
	struct pollfd fd = {s->fd, POLLIN, 0};
	struct ship_hello hello;

	*problem = "the sender's process died";
	if (poll(&fd, 1, START_MS) <= 0 ||
		recv(s->fd, &hello, sizeof(hello), MSG_WAITALL) != sizeof(hello))
		return -EPIPE;
	if (hello.error)
		*problem = problem_at(&hello);
	return hello.error;
}

static int start_process(struct ship *s, const struct ship_options *o)
{
	const int room = SOCKET_ROOM;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return -errno;
	fflush(NULL);
	s->pid = fork();
	if (s->pid == 0) {
		helper_detach(fds[1]);
		_exit(send_run(fds[1], o));
	}
	close(fds[1]);
	s->fd = fds[0];
	if (setsockopt(s->fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)))
		setsockopt(s->fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	return s->pid < 0 ? -errno : 0;
}

int ship_start(const struct ship_options *o, struct ship **out, const char **problem)
{
	struct ship *s = calloc(1, sizeof(*s));
	int err;

	*problem = "the sender cannot be started";
	if (!s)
		return -ENOMEM;
	s->fd = -1;
	s->limit = o->limit;
	err = start_process(s, o);
	if (!err)
		err = receive_hello(s, problem);
	if (err) {
		ship_free(s);
		return err;
	}
	*out = s;
	return 0;
}

void ship_work(struct ship *s)
{
	while (s->sent < s->pending.len) {
		ssize_t n = send(s->fd, s->pending.data + s->sent, s->pending.len - s->sent,
			MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n <= 0)
			break;
		s->sent += (size_t)n;
	}
	if (s->sent == s->pending.len)
		s->sent = s->pending.len = 0;
	if (s->sent > MOST_PENDING / 2) {
		memmove(s->pending.data, s->pending.data + s->sent, s->pending.len - s->sent);
		s->pending.len -= s->sent;
		s->sent = 0;
	}
}

static void put_head(struct ship *s, uint32_t table, uint64_t rows, const char *text, size_t len)
{
	const struct ship_head head = {table, (uint32_t)len, rows};

	buf_put(&s->pending, &head, sizeof(head));
	buf_put(&s->pending, text, len);
}

void ship_put(struct ship *s, enum fleet_table t, uint64_t rows, const char *text, size_t len)
{
	ship_work(s);
	if (s->dead || s->pending.failed || len > MOST_PENDING ||
		s->pending.len - s->sent + len > MOST_PENDING) {
		s->lost += rows;
		return;
	}
	if (s->lost > s->told)
		put_head(s, SHIP_LOST, s->lost - s->told, NULL, 0);
	s->told = s->lost;
	s->handed += rows;
	put_head(s, t, rows, text, len);
	ship_work(s);
}

static void receive_lines(struct ship *s)
{
	char chunk[1024];
	ssize_t n;

	if (s->shown == s->lines.len)
		s->shown = s->lines.len = 0;
	while ((n = recv(s->fd, chunk, sizeof(chunk), MSG_DONTWAIT)) > 0)
		buf_put(&s->lines, chunk, (size_t)n);
	s->closed |= !n;
}

/* Returns the next complete line, NULL: there is none. */
static char *next_line(struct ship *s)
{
	char *line, *end;

	if (s->lines.failed || s->shown == s->lines.len)
		return NULL;
	line = s->lines.data + s->shown;
	end = memchr(line, '\n', s->lines.len - s->shown);
	if (!end)
		return NULL;
	*end = '\0';
	s->shown += (size_t)(end + 1 - line);
	return line;
}

const char *ship_message(struct ship *s)
{
	const char *line;

	receive_lines(s);
	while ((line = next_line(s))) {
		if (*line != SHIP_SAFE)
			return line;
		s->safe = strtoull(line + 1, NULL, 10);
	}
	if (!s->closed || s->settled)
		return NULL;
	s->settled = true;
	s->lost += s->handed - s->safe;
	if (s->ended)
		return NULL;
	s->dead = true;
	return "the process that sends has died; rows are lost";
}

bool ship_is_dead(const struct ship *s)
{
	return s->dead;
}

uint64_t ship_lost(const struct ship *s)
{
	return s->lost;
}

/* Passes on what waits while the process takes it. */
static void send_rest(struct ship *s, unsigned ms)
{
	uint64_t start = report_now();
	struct pollfd fd = {s->fd, POLLOUT, 0};

	while (s->pending.len && report_ms(start) < ms && !helper_is_stopped(s->pid) &&
		poll(&fd, 1, TURN_MS) >= 0 && !(fd.revents & (POLLERR | POLLHUP)))
		if (fd.revents)
			ship_work(s);
}

static void reap(struct ship *s, unsigned ms)
{
	if (s->pid > 0)
		helper_reap(s->pid, ms);
	s->pid = 0;
}

void ship_end(struct ship *s)
{
	s->ended = true;
	send_rest(s, GRACE_MS);
	put_head(s, SHIP_END, 0, NULL, 0);
	send_rest(s, GRACE_MS);
	shutdown(s->fd, SHUT_WR);
	reap(s, (unsigned)(s->limit / 1000000) + GRACE_MS);
}

void ship_free(struct ship *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	if (s->pid > 0)
		reap(s, GRACE_MS);
	buf_free(&s->pending);
	buf_free(&s->lines);
	free(s);
}
