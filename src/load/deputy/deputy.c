// SPDX-License-Identifier: Apache-2.0
/* Starts the deputy, and asks it. */
#define _GNU_SOURCE /* F_DUPFD_CLOEXEC */
#include "load/deputy/deputy.h"

#include <errno.h>
#include <linux/sched/types.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/living.h"
#include "confine/helper.h"
#include "confine/looker.h"
#include "confine/passfd.h"
#include "load/deputy/deputy_int.h"
#include "load/uprobe.h"

#define PATIENCE_S 20  /* for an answer: a link at thousands of places takes as long */
#define TURN_MS	   50  /* between looks at what may have happened meanwhile */
#define STOPPED_MS 500 /* for one that was stopped, and may be continued */
#define END_MS	   300 /* after a request to end */
/* Its turns are short, and processes run without their probes until it has had one. */
#define PRIORITY (-10)

struct deputy {
	struct looker looker;
	int socket;
	pid_t pid;
	bool ended;
	struct deputy_message m; /* being made */
};

/* ---- the process ---- */

/* ^C and the end of a service are for the tracer: the deputy ends after it. */
static void ignore_signals(void)
{
	static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2};
	sigset_t none;

	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		signal(ignored[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Keeps the socket and the programs of T alone: FDS has room for them. */
static int keep_programs(int *socket, const struct deputy_table *t, int *fds)
{
	int n = 1, err;

	fds[0] = *socket;
	for (uint32_t i = 0; i < t->n; i++)
		if (t->rows[i].prog >= 0)
			fds[n++] = t->rows[i].prog;
	err = helper_detach_with(fds, n);
	*socket = fds[0];
	n = 1;
	for (uint32_t i = 0; i < t->n; i++)
		if (t->rows[i].prog >= 0)
			t->rows[i].prog = fds[n++];
	return err;
}

static void run(int socket, const struct deputy_table *t, int *fds, uint64_t caps, pid_t tracer)
{
	int err;

	ignore_signals();
	setpriority(PRIO_PROCESS, 0, PRIORITY); /* if we may */
	err = keep_programs(&socket, t, fds);
	if (!err)
		err = deputy_confine(caps, tracer);
	if (!err)
		err = deputy_serve(socket, t);
	if (err)
		deputy_refuse(socket, err);
	_exit(err != 0);
}

/* ---- asking ---- */

/* Does without the deputy from here on: what one that was stopped answers later would mislead. */
static int has_gone(struct deputy *d)
{
	d->ended = true;
	if (d->pid > 0)
		kill(d->pid, SIGKILL);
	return -EPIPE;
}

/*
 * Waits until EVENTS of poll(2) are there.  False: they did not come in time, the deputy was
 * stopped by somebody, or the user asked to end and did not get an answer soon.
 */
static bool await(const struct deputy *d, short events)
{
	const unsigned requests = interrupt_count();
	unsigned turns = PATIENCE_S * 1000 / TURN_MS, stopped = 0;
	int r;

	do {
		struct pollfd p = {.fd = d->socket, .events = events};

		r = poll(&p, 1, TURN_MS);
		if (r > 0 || (r < 0 && errno != EINTR))
			return r > 0;
		if (interrupt_count() != requests && turns > END_MS / TURN_MS)
			turns = END_MS / TURN_MS;
		stopped = helper_is_stopped(d->pid) ? stopped + 1 : 0;
	} while (--turns && stopped < STOPPED_MS / TURN_MS);
	return false;
}

/*
 * Waits for an answer: 0 or its error, -EPIPE if none comes.  The kernel leaves out files for which
 * this process has no descriptor (unix(7), MSG_CTRUNC).
 */
static int receive(struct deputy *d, int *fds)
{
	struct deputy_answer a;
	struct iovec iov = {&a, sizeof(a)};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
	union passfd_room room;
	ssize_t n;

	passfd_want(&m, &room, DEPUTY_FILES);
	if (!await(d, POLLIN))
		return has_gone(d);
	do
		n = recvmsg(d->socket, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n != sizeof(a))
		return has_gone(d);
	passfd_take(&m, fds, DEPUTY_FILES);
	return a.err;
}

/* Sends the message that D has, LEN bytes after the request, and FILE unless -1. */
static int send_request(struct deputy *d, size_t len, int file)
{
	struct iovec iov = {&d->m, sizeof(d->m.request) + len};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
	union passfd_room room;
	ssize_t n;

	if (d->ended)
		return -EPIPE;
	passfd_put(&m, &room, &file, file >= 0);
	if (!await(d, POLLOUT))
		return has_gone(d);
	do
		n = sendmsg(d->socket, &m, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? has_gone(d) : 0;
}

/* looker.open */
static int open_by(void *arg, const struct look *l)
{
	size_t len = l->what == LOOK_FILE ? strlen(l->path) + 1 : 0;
	struct deputy *d = arg;
	int fds[DEPUTY_FILES], err;

	if (len > sizeof(d->m.path))
		return -ENAMETOOLONG;
	d->m.request = (struct deputy_request){.kind = DEPUTY_LOOK,
		.what = l->what,
		.pid = l->pid && l->what != LOOK_STAT ? living_thread(l->pid) : l->pid,
		.start = l->start,
		.end = l->end};
	if (len)
		memcpy(d->m.path, l->path, len);
	err = send_request(d, len, -1);
	if (!err)
		err = receive(d, fds);
	return err ? err : fds[0] < 0 ? -EMFILE : fds[0];
}

int deputy_link(struct deputy *d, uint32_t prog, const struct uprobe_places *p, int *event)
{
	uint32_t kind = p->entries ? DEPUTY_LINK_ENTRIES : DEPUTY_LINK;
	uint32_t done = 0, n;
	int fds[DEPUTY_FILES], err;

	do {
		n = p->n - done < DEPUTY_AT_ONCE ? p->n - done : DEPUTY_AT_ONCE;
		for (uint32_t i = 0; i < n; i++)
			d->m.places[i] = (struct deputy_place){p->offsets[done + i],
				p->semaphores ? p->semaphores[done + i] : 0, p->cookies[done + i]};
		done += n;
		d->m.request = (struct deputy_request){.kind = done < p->n ? DEPUTY_PLACES : kind,
			.prog = prog,
			.pid = p->pid,
			.n = n};
		err = send_request(d, n * sizeof(d->m.places[0]), done < p->n ? -1 : p->file);
	} while (!err && done < p->n);
	if (!err)
		err = receive(d, fds);
	if (err)
		return err;
	*event = fds[1];
	return fds[0] < 0 ? -EMFILE : fds[0];
}

const struct looker *deputy_looker(struct deputy *d)
{
	return &d->looker;
}

pid_t deputy_pid(const struct deputy *d)
{
	return d->pid;
}

bool deputy_has_ended(struct deputy *d)
{
	char byte;
	ssize_t n;

	if (d->ended)
		return true;
	n = recv(d->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	d->ended = n >= 0 || (errno != EAGAIN && errno != EINTR);
	return d->ended;
}

/* ---- its life ---- */

#define TURN_NS 100000

/*
 * On a busy machine each request waits twice for a turn: short ones come sooner (Linux 6.12 and
 * newer; older kernels ignore it).  Without the tracer's, processes got their probes twice as late.
 */
static void take_short_turns(void)
{
	struct sched_attr a = {.size = sizeof(a)};

	if (syscall(SYS_sched_getattr, 0, &a, sizeof(a), 0) || a.sched_policy)
		return;
	a.sched_runtime = TURN_NS;
	syscall(SYS_sched_setattr, 0, &a, 0);
}

static int start(struct deputy *d, const struct deputy_table *t, uint64_t caps)
{
	pid_t tracer = getpid();
	int *fds = calloc(t->n + 1, sizeof(*fds));
	int pair[2], none[DEPUTY_FILES], err;

	if (!fds)
		return -ENOMEM;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		free(fds);
		return -errno;
	}
	d->socket = pair[0];
	take_short_turns(); /* so does the deputy then */
	d->pid = fork();
	if (!d->pid)
		run(pair[1], t, fds, caps, tracer);
	err = d->pid < 0 ? -errno : 0;
	close(pair[1]);
	free(fds);
	return err ? err : receive(d, none);
}

struct deputy *deputy_start(const struct deputy_table *t, uint64_t caps, int *err)
{
	struct deputy *d = calloc(1, sizeof(*d));

	*err = -ENOMEM;
	if (!d)
		return NULL;
	d->socket = -1;
	d->looker = (struct looker){open_by, d};
	*err = start(d, t, caps);
	if (!*err)
		return d;
	deputy_free(d);
	return NULL;
}

void deputy_free(struct deputy *d)
{
	if (!d)
		return;
	if (d->socket >= 0)
		close(d->socket);
	if (d->pid > 0) { /* it has nothing to finish, and may be stopped */
		kill(d->pid, SIGKILL);
		while (waitpid(d->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	free(d);
}
