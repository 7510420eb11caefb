// SPDX-License-Identifier: Apache-2.0
/* Starts the listener and its guard, and talks to them. */
#define _GNU_SOURCE
#include "target/holder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/holder_int.h"

struct holder {
	int socket;
	int arguments; /* another socket, for these alone */
	pid_t guard;   /* the listener is its child */
	struct holder_arguments told;
};

/* Opens /proc/PID/stat, which says what a process does. */
static int open_stat(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* ---- the guard ---- */

/* After it the listener is taken to be stopped, unless it is at work. */
#define SILENCE_MS 1000

/* The guard's descriptors. */
enum { GUARD_PULSE = 3, GUARD_LISTENER };

/* Waits for the end of the listener, or for it to fall silent; it writes to the pulse. */
static void guard(pid_t listener)
{
	struct pollfd fd = {.fd = GUARD_PULSE, .events = POLLIN};
	int silent = 0;
	char beats[64];

	for (;;) {
		int n = poll(&fd, 1, SILENCE_MS);

		if (n < 0 && errno == EINTR)
			continue;
		if (n > 0 && read(GUARD_PULSE, beats, sizeof(beats)) <= 0)
			break;
		silent = n ? 0 : silent + SILENCE_MS;
		/* on a busy machine it may not get a CPU for as long */
		if (silent && (silent >= HOLDER_LONGEST_MS || !holder_is_at_work(GUARD_LISTENER)))
			break;
	}
	kill(listener, SIGKILL);
	waitpid(listener, NULL, 0);
	_exit(0);
}

#define KEPT_MOST 7

/* Keep of all descriptors only KEEP, N of them (at most KEPT_MOST), as 3 and up; the first three
 * are /dev/null's. */
static void keep_only(const int *keep, int n, int null)
{
	int high[KEPT_MOST]; /* above what any of them becomes */

	for (int i = 0; i < n; i++)
		high[i] = fcntl(keep[i], F_DUPFD, 16);
	for (int i = 0; i < 3; i++)
		dup2(null, i);
	for (int i = 0; i < n; i++)
		if (dup2(high[i], 3 + i) < 0)
			_exit(1);
	closefrom(3 + n);
}

/* The two processes: of a session of their own, so that no terminal stops them. */
static void start(struct holder_start *s)
{
	int pulse[2], guarded[2];
	pid_t listener, tracer = getppid();

	setsid();
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	if (pipe2(pulse, O_CLOEXEC | O_NONBLOCK))
		_exit(1);
	listener = fork();
	if (listener < 0)
		_exit(1);
	if (!listener) {
		const int keep[] = {s->fanotify, s->socket, s->mounts, s->tracer, s->arguments,
			pulse[1], s->family};
		bool family = s->family >= 0;

		keep_only(keep, family ? 7 : 6, s->null);
		holder_listen(tracer, s->opens, family);
		_exit(0);
	}
	guarded[0] = pulse[0];
	guarded[1] = open_stat(listener);
	if (guarded[1] < 0) {
		kill(listener, SIGKILL);
		_exit(1);
	}
	keep_only(guarded, 2, s->null);
	fcntl(GUARD_PULSE, F_SETFL, 0);
	guard(listener);
}

/* ---- the tracer's side ---- */

static int open_start(struct holder_start *s, struct holder *h, const char **why)
{
	int pair[2];

	*s = (struct holder_start){.fanotify = -1,
		.null = -1,
		.mounts = -1,
		.tracer = -1,
		.socket = -1,
		.arguments = -1};
	s->fanotify = fanotify_init(FAN_CLASS_CONTENT | FAN_CLOEXEC | FAN_NONBLOCK |
			FAN_UNLIMITED_QUEUE | FAN_UNLIMITED_MARKS,
		O_RDONLY | O_LARGEFILE | O_CLOEXEC);
	if (s->fanotify < 0) {
		*why = errno == EPERM
			? NULL
			: "the kernel has no permission events (CONFIG_FANOTIFY_ACCESS_PERMISSIONS)";
		return -errno;
	}
	s->null = open("/dev/null", O_RDWR | O_CLOEXEC);
	s->mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	s->tracer = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	if (s->null < 0 || s->mounts < 0 || s->tracer < 0 ||
		socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair)) {
		*why = strerror(errno);
		return -errno;
	}
	h->socket = pair[0];
	s->socket = pair[1];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair)) {
		*why = strerror(errno);
		return -errno;
	}
	h->arguments = pair[0];
	s->arguments = pair[1];
	return 0;
}

static void close_start(const struct holder_start *s)
{
	const int fds[] = {s->fanotify, s->null, s->mounts, s->tracer, s->socket, s->arguments};

	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

#define START_MS 10000

/* Waits until the listener says that it listens. */
static bool has_started(struct holder *h, const char **why)
{
	struct pollfd fd = {.fd = h->socket, .events = POLLIN};
	struct holder_question q;
	int n;

	do {
		n = poll(&fd, 1, START_MS);
	} while (n < 0 && errno == EINTR);
	if (n == 1 && recv(h->socket, &q, sizeof(q), 0) == sizeof(q) && q.id)
		return true;
	*why = n == 1 ? "no file system can be listened to" : "the listener does not start";
	return false;
}

struct holder *holder_new(bool opens, int family, const char **why)
{
	struct holder *h = calloc(1, sizeof(*h));
	struct holder_start s;
	int err;

	*why = "out of memory";
	if (!h)
		return NULL;
	h->socket = h->arguments = -1;
	err = open_start(&s, h, why);
	s.opens = opens;
	s.family = family;
	if (!err) {
		h->guard = fork();
		if (!h->guard)
			start(&s);
		if (h->guard < 0)
			*why = strerror(errno);
	}
	close_start(&s);
	if (!err && h->guard > 0) {
		if (has_started(h, why))
			return h;
		holder_free(h);
		return NULL;
	}
	if (h->socket >= 0)
		close(h->socket);
	if (h->arguments >= 0)
		close(h->arguments);
	free(h);
	return NULL;
}

void holder_free(struct holder *h)
{
	if (!h)
		return;
	close(h->socket); /* the listener ends, and then its guard */
	close(h->arguments);
	kill(h->guard, SIGCONT); /* which may be stopped */
	while (waitpid(h->guard, NULL, 0) < 0 && errno == EINTR)
		;
	free(h);
}

int holder_fd(const struct holder *h)
{
	return h->socket;
}

/* If it cannot be sent, the listener's patience ends. */
static void answer(struct holder *h, int what, uint64_t id)
{
	const struct holder_answer a = {.what = what, .id = id};

	(void)send(h->socket, &a, sizeof(a), MSG_NOSIGNAL);
}

int holder_next(struct holder *h, struct held_file *f)
{
	struct holder_question q;
	ssize_t n = holder_recv_with(h->socket, &q, sizeof(q), &f->fd);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n != sizeof(q) || f->fd < 0)
		return -EPIPE;
	f->pid = q.pid;
	f->exec = q.exec;
	f->id = q.id;
	answer(h, HOLDER_LOOKS, f->id);
	return 1;
}

void holder_release(struct holder *h, const struct held_file *f, bool forever)
{
	answer(h, forever ? HOLDER_FOREVER : HOLDER_RELEASE, f->id);
}

void holder_forget(struct holder *h)
{
	answer(h, HOLDER_FORGET, 0);
}

#define TELL_MS 500

bool holder_arguments(struct holder *h, const struct held_file *f, struct held_arguments *out)
{
	struct pollfd fd = {.fd = h->arguments, .events = POLLIN};
	struct holder_arguments *t = &h->told;
	const size_t head = offsetof(struct holder_arguments, text);
	ssize_t n;

	answer(h, HOLDER_TELL, f->id);
	do {
		if (poll(&fd, 1, TELL_MS) != 1)
			return false;
		n = recv(h->arguments, t, sizeof(*t), 0);
		if (n < (ssize_t)head)
			return false;
	} while (t->id != f->id); /* that of one before, which came late */
	if (!t->known || (uint64_t)t->nargs + t->nvars > (size_t)n - head)
		return false;
	*out = (struct held_arguments){t->text, t->text + t->nargs, t->nargs, t->nvars};
	return true;
}

void holder_exempt(struct holder *h, pid_t pid)
{
	const struct holder_answer a = {.what = HOLDER_EXEMPT, .ours = pid};
	int fd = open_stat(pid);

	(void)holder_send_with(h->socket, &a, sizeof(a), fd);
	if (fd >= 0)
		close(fd);
}
