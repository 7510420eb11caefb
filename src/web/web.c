// SPDX-License-Identifier: Apache-2.0
/* Starts the web server's process and sends it documents. */
#include "web/web.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/report.h"
#include "base/transfer.h"
#include "confine/helper.h"
#include "web/server.h"
#include "web/wire.h"

#define START_MS    10000
#define STOP_MS	    2500
#define TURN_MS	    50 /* between looks at what may have happened meanwhile */
#define MOST_NEWS   (256u << 10)
#define SOCKET_ROOM (8 << 20) /* bytes; some documents */

struct web {
	pid_t pid;
	int fd;
	char token[WIRE_TOKEN + 1];
	char address[64 + WEB_HOST + WIRE_TOKEN];
	unsigned browsers;
	struct buf news; /* what the server said; requests begin at `news_at` */
	size_t news_at;
	bool dead;
	struct buf pending; /* what the socket had no room for */
	size_t sent;	    /* of it */
};

static int make_token(char *token)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuv";
	unsigned char random[WIRE_TOKEN];

	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		return -EIO;
	for (unsigned i = 0; i < WIRE_TOKEN; i++)
		token[i] = digits[random[i] & 31];
	token[WIRE_TOKEN] = '\0';
	return 0;
}

static const char *problem_at(const struct wire_hello *hello)
{
	switch (hello->stage) {
	case WIRE_LIBRARY:
		return "libmicrohttpd.so.12 cannot be loaded (Debian: libmicrohttpd12; a static dtrace has no web server)";
	case WIRE_SOCKET:
		return "cannot listen at the port";
	case WIRE_DAEMON:
		return "libmicrohttpd did not start";
	default:
		return "the server's rights cannot be dropped";
	}
}

static void set_address(struct web *w, const struct server_page *page, uint32_t port)
{
	bool v6 = strchr(page->host, ':');

	snprintf(w->address, sizeof(w->address), "http://%s%s%s:%u/%s%s", v6 ? "[" : "", page->host,
		v6 ? "]" : "", port, page->metrics ? "metrics" : w->token,
		page->metrics ? "" : "/");
}

/* Waits for the server's first words. */
static int receive_hello(struct web *w, const struct server_page *page, const char **problem)
{
	struct pollfd fd = {w->fd, POLLIN, 0};
	struct wire_hello hello;
	int n;

	*problem = "the server's process died";
	do
		n = poll(&fd, 1, START_MS);
	while (n < 0 && errno == EINTR);
	if (n <= 0 || transfer_read(w->fd, &hello, sizeof(hello)) != sizeof(hello))
		return -EPIPE;
	if (hello.error) {
		*problem = problem_at(&hello);
		return hello.error;
	}
	set_address(w, page, hello.port);
	return 0;
}

static int start_process(struct web *w, uint16_t port, struct server_page *page)
{
	const int room = SOCKET_ROOM;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return -errno;
	page->token = w->token;
	fflush(NULL);
	w->pid = fork();
	if (w->pid == 0) {
		signal(SIGINT, SIG_DFL);
		signal(SIGTERM, SIG_DFL);
		helper_detach(fds[1]);
		_exit(server_run(fds[1], port, page));
	}
	close(fds[1]);
	w->fd = fds[0];
	if (setsockopt(w->fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)))
		setsockopt(w->fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	return w->pid < 0 ? -errno : 0;
}

int web_start(uint16_t port, const struct web_page *page, struct web **web, const char **problem)
{
	struct server_page served = {.html = page->html,
		.len = page->len,
		.policy = page->policy,
		.asks = page->asks,
		.metrics = page->metrics,
		.host = page->metrics ? page->host : "127.0.0.1"};
	struct web *w = calloc(1, sizeof(*w));
	int err = w ? make_token(w->token) : -ENOMEM;

	*problem = strerror(-err);
	if (w)
		w->fd = -1;
	if (!err)
		err = start_process(w, port, &served);
	if (!err)
		err = receive_hello(w, &served, problem);
	if (err) {
		web_stop(w);
		return err;
	}
	*web = w;
	return 0;
}

bool web_parse_address(const char *text, char host[WEB_HOST], uint16_t *port)
{
	const char *colon = strrchr(text, ':');
	size_t len = colon ? (size_t)(colon - text) : 0;
	bool v6 = len > 1 && text[0] == '[' && colon[-1] == ']';
	unsigned char binary[16];
	unsigned long number;

	if (!colon || !colon[1] || strspn(colon + 1, "0123456789") != strlen(colon + 1) ||
		strlen(colon + 1) > 5)
		return false;
	number = strtoul(colon + 1, NULL, 10);
	if (number > UINT16_MAX || len >= WEB_HOST)
		return false;
	*port = (uint16_t)number;
	if (!len)
		snprintf(host, WEB_HOST, "127.0.0.1");
	else
		snprintf(host, WEB_HOST, "%.*s", (int)(v6 ? len - 2 : len), text + v6);
	return inet_pton(v6 ? AF_INET6 : AF_INET, host, binary) == 1;
}

const char *web_address(const struct web *w)
{
	return w->address;
}

void web_flush(struct web *w)
{
	while (w->sent < w->pending.len) {
		ssize_t n = send(w->fd, w->pending.data + w->sent, w->pending.len - w->sent,
			MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n <= 0)
			return;
		w->sent += (size_t)n;
	}
	w->sent = w->pending.len = 0;
}

bool web_is_idle(struct web *w)
{
	web_flush(w);
	return !w->pending.len;
}

/* ---- what the server says ---- */

static void receive(struct web *w)
{
	char chunk[4096];
	ssize_t n;

	/* a server that says too much is heard later */
	if (w->news.len > MOST_NEWS)
		return;
	while ((n = recv(w->fd, chunk, sizeof(chunk), MSG_DONTWAIT)) > 0) {
		buf_put(&w->news, chunk, (size_t)n);
		if (w->news.len > MOST_NEWS)
			return;
	}
	if (!n || (errno != EAGAIN && errno != EINTR) || w->news.failed)
		w->dead = true;
}

int web_take(struct web *w, struct web_request *r)
{
	struct wire_news news;

	receive(w);
	while (w->news.len - w->news_at >= sizeof(news)) {
		size_t all;

		memcpy(&news, w->news.data + w->news_at, sizeof(news));
		w->browsers = news.browsers;
		all = sizeof(news) + news.len;
		if (news.len > WIRE_REQUEST) {
			w->dead = true;
			return -EPIPE;
		}
		if (w->news.len - w->news_at < all)
			break;
		*r = (struct web_request){
			news.id, w->news.data + w->news_at + sizeof(news), news.len};
		w->news_at += all;
		if (news.len)
			return 1;
	}
	memmove(w->news.data, w->news.data + w->news_at, w->news.len - w->news_at);
	w->news.len -= w->news_at;
	w->news_at = 0;
	return w->dead ? -EPIPE : 0;
}

bool web_wants(struct web *w)
{
	struct web_request r;

	while (web_take(w, &r) > 0)
		; /* a page that does not ask */
	web_flush(w);
	return w->browsers && !w->pending.len;
}

int web_fd(const struct web *w, short *events)
{
	*events = (short)(POLLIN | (w->pending.len ? POLLOUT : 0));
	return w->fd;
}

/* ---- what it is told ---- */

static int put_message(struct web *w, const struct wire_head *head, const char *json)
{
	buf_put(&w->pending, head, sizeof(*head));
	buf_put(&w->pending, json, head->len);
	if (w->pending.failed) {
		buf_free(&w->pending);
		w->pending = (struct buf){0};
		return -ENOMEM;
	}
	web_flush(w);
	return 0;
}

int web_send(struct web *w, enum web_document which, const char *json, size_t len)
{
	const struct wire_head head = {which, (uint32_t)len, 0};

	return put_message(w, &head, json);
}

int web_answer(struct web *w, uint64_t id, const char *json, size_t len)
{
	const struct wire_head head = {WIRE_ANSWER, (uint32_t)len, id};

	return put_message(w, &head, json);
}

/* Sends the rest, unless the server does not take it. */
static void send_rest(struct web *w)
{
	uint64_t start = report_now();
	struct pollfd fd = {w->fd, POLLOUT, 0};

	while (w->pending.len && report_ms(start) < STOP_MS && !helper_is_stopped(w->pid)) {
		int n = poll(&fd, 1, TURN_MS);

		if (!n || (n < 0 && errno == EINTR))
			continue;
		if (n < 0 || fd.revents & (POLLERR | POLLHUP))
			return;
		web_flush(w);
	}
}

void web_stop(struct web *w)
{
	if (!w)
		return;
	if (w->fd >= 0) {
		send_rest(w);
		close(w->fd);
	}
	if (w->pid > 0)
		helper_reap(w->pid, STOP_MS);
	buf_free(&w->pending);
	buf_free(&w->news);
	free(w);
}
