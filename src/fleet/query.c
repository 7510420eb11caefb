// SPDX-License-Identifier: Apache-2.0
/* Starts the process that asks ClickHouse, and passes on questions and answers. */
#include "fleet/query.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "base/transfer.h"
#include "confine/helper.h"
#include "fleet/inquire.h"
#include "fleet/wire.h"

#define START_MS 10000
#define GRACE_MS 2000

/* A question without an answer. */
struct asked {
	uint64_t id;
	size_t most;
};

struct query {
	pid_t pid;
	int fd, epoll;
	bool waits; /* for room in the socket */
	struct buf pending;
	size_t sent; /* of it */
	HEAPVEC(struct asked) asked;
	uint32_t answered; /* of them */
	struct answer_head head;
	size_t got; /* bytes of the head and the text */
	char *text;
	bool dead;
};

static const char *problem_at(const struct ship_hello *hello)
{
	switch (hello->stage) {
	case QUERY_LIBRARY:
		return "libcurl.so.4 cannot be loaded (Debian: libcurl4; a static dtrace cannot ask over HTTP)";
	case QUERY_RIGHTS:
		return "the rights of the process that asks cannot be dropped";
	case QUERY_AUTHORITY:
		return "the file of certificates cannot be read";
	default:
		return "the process that asks has not enough memory";
	}
}

static int receive_hello(struct query *q, const char **problem)
{
	struct pollfd fd = {q->fd, POLLIN, 0};
	struct ship_hello hello;
	int n;

	*problem = "the process that asks died";
	do
		n = poll(&fd, 1, START_MS);
	while (n < 0 && errno == EINTR);
	if (n <= 0 || transfer_read(q->fd, &hello, sizeof(hello)) != sizeof(hello))
		return -EPIPE;
	if (hello.error)
		*problem = problem_at(&hello);
	return hello.error;
}

static int start_process(struct query *q, const struct query_options *o)
{
	struct epoll_event event = {.events = EPOLLIN};
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return -errno;
	fflush(NULL);
	q->pid = fork();
	if (q->pid == 0) {
		helper_detach(fds[1]);
		_exit(inquire_run(fds[1], o));
	}
	close(fds[1]);
	q->fd = fds[0];
	if (q->pid < 0)
		return -errno;
	q->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (q->epoll < 0 || epoll_ctl(q->epoll, EPOLL_CTL_ADD, q->fd, &event))
		return -errno;
	return 0;
}

int query_start(const struct query_options *o, struct query **out, const char **problem)
{
	struct query *q = calloc(1, sizeof(*q));
	int err;

	*problem = "the process that asks cannot be started";
	if (!q)
		return -ENOMEM;
	q->fd = q->epoll = -1;
	err = start_process(q, o);
	if (!err)
		err = receive_hello(q, problem);
	if (err) {
		query_free(q);
		return err;
	}
	*out = q;
	return 0;
}

int query_fd(const struct query *q)
{
	return q->epoll;
}

/* ---- questions ---- */

/* Passes on what waits, and has query_fd() say when there is room for the rest. */
static void send_some(struct query *q)
{
	struct epoll_event event = {.events = EPOLLIN};
	bool waits;

	while (q->sent < q->pending.len) {
		ssize_t n = send(q->fd, q->pending.data + q->sent, q->pending.len - q->sent,
			MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n <= 0)
			break;
		q->sent += (size_t)n;
	}
	waits = q->sent < q->pending.len;
	if (!waits)
		q->sent = q->pending.len = 0;
	if (waits)
		event.events |= EPOLLOUT;
	if (waits != q->waits)
		epoll_ctl(q->epoll, EPOLL_CTL_MOD, q->fd, &event);
	q->waits = waits;
}

static void put_part(struct buf *b, const char *text, size_t len)
{
	const query_part n = len + 1;

	buf_put(b, &n, sizeof(n));
	buf_put(b, text, len);
	buf_putc(b, '\0');
}

static void put_question(struct buf *b, const struct query_question *question)
{
	struct query_head head = {.id = question->id,
		.most = question->most,
		.ms = question->ms,
		.tables = question->ntables,
		.partial = question->partial};
	size_t start = b->len;

	buf_put(b, &head, sizeof(head));
	put_part(b, question->sql, strlen(question->sql));
	for (unsigned i = 0; i < question->ntables; i++) {
		const struct query_table *t = &question->tables[i];

		put_part(b, t->name, strlen(t->name));
		put_part(b, t->structure, strlen(t->structure));
		put_part(b, t->rows, t->len);
	}
	if (b->failed)
		return;
	head.len = b->len - start - sizeof(head);
	memcpy(b->data + start, &head, sizeof(head));
}

int query_ask(struct query *q, const struct query_question *question)
{
	const struct asked asked = {question->id, question->most};
	struct buf text = {0};

	if (q->dead)
		return -EPIPE;
	put_question(&text, question);
	if (!text.failed)
		buf_put(&q->pending, text.data, text.len);
	if (q->pending.failed)
		q->dead = true; /* a part of the question may be there */
	if (text.failed || q->pending.failed || heapvec_push(&q->asked, asked)) {
		q->dead |= !text.failed;
		buf_free(&text);
		return -ENOMEM;
	}
	buf_free(&text);
	send_some(q);
	return 0;
}

/* ---- answers ---- */

/* The process is trusted with no more than the text that was asked for. */
static bool accept_head(struct query *q)
{
	const struct asked *a = &q->asked.data[q->answered];
	size_t most;

	if (q->answered == q->asked.len || q->head.id != a->id)
		return false;
	most = q->head.ok ? a->most : INQUIRE_FAILURE;
	if (q->head.len > most)
		return false;
	q->text = malloc(q->head.len + 1);
	return q->text;
}

/* 1: it is complete, 0: not yet, -1: the process is gone, or says what it does not say. */
static int receive_some(struct query *q)
{
	for (;;) {
		bool head = q->got < sizeof(q->head);
		size_t at = head ? q->got : q->got - sizeof(q->head);
		size_t want = (head ? sizeof(q->head) : q->head.len) - at;
		ssize_t n =
			recv(q->fd, (head ? (char *)&q->head : q->text) + at, want, MSG_DONTWAIT);

		if (n <= 0 && want)
			return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
		if (want)
			q->got += (size_t)n;
		if (q->got == sizeof(q->head) && head && !accept_head(q))
			return -1;
		if (q->got >= sizeof(q->head) && q->got == sizeof(q->head) + q->head.len)
			return 1;
	}
}

/* One line of printable characters, whatever the process says. */
static void clean(char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] < ' ' || text[i] > '~')
			text[i] = '?';
}

int query_take(struct query *q, struct query_answer *a)
{
	int got;

	if (q->got >= sizeof(q->head) && q->text && q->got == sizeof(q->head) + q->head.len) {
		free(q->text); /* the one before */
		q->text = NULL;
		q->got = 0;
	}
	if (q->dead)
		return -EPIPE;
	send_some(q);
	got = receive_some(q);
	if (got < 0)
		q->dead = true;
	if (got <= 0)
		return got ? -EPIPE : 0;
	q->answered++;
	if (q->answered == q->asked.len)
		q->answered = q->asked.len = 0;
	q->text[q->head.len] = '\0';
	if (!q->head.ok)
		clean(q->text, q->head.len);
	*a = (struct query_answer){q->head.id, q->head.ok, q->text, q->head.len};
	return 1;
}

/* ---- the end ---- */

void query_free(struct query *q)
{
	if (!q)
		return;
	if (q->fd >= 0)
		close(q->fd);
	if (q->epoll >= 0)
		close(q->epoll);
	if (q->pid > 0)
		helper_reap(q->pid, GRACE_MS);
	buf_free(&q->pending);
	heapvec_free(&q->asked);
	free(q->text);
	free(q);
}
