// SPDX-License-Identifier: Apache-2.0
/*
 * Serves the page and its documents to browsers.
 *
 * One thread: libmicrohttpd's epoll descriptor and the tracer's socket are polled together.  A
 * browser holds one request open (HTML, section 9.2, server-sent events) and gets each document
 * when there is a newer one than it has; between them its connection is suspended.  Nothing is
 * queued for it: a slow one misses versions. libmicrohttpd closes a connection that takes nothing
 * for STALLED seconds, and one that does not show the token is closed before (web/visitors.h).
 */
#include "web/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "base/invariant.h"
#include "base/report.h"
#include "base/vec.h"
#include "web/mhd.h"
#include "web/sandbox.h"
#include "web/visitors.h"
#include "web/web.h"
#include "web/wire.h"

#define STALLED	   10u	  /* seconds */
#define REQUEST_MS 5000u  /* for a connection to show the token */
#define METRICS_MS 60000u /* for a connection to take the metrics */
/* More than there are visitors: those that are shut down are closed a turn later. */
#define CONNECTIONS (VISITORS_STRANGERS + VISITORS_KNOWN + 128u)
#define BEAT                                                                                 \
	15000u /* ms after which an idle browser gets a comment, so that one that is gone is \
		  noticed */
#define LINGER	     2000u /* ms for the last documents */
#define DOCUMENT_MAX (256u << 20)

/* A document in the form of an event; browsers that are taking it hold it. */
struct message {
	unsigned holders;
	size_t len;
	char text[];
};

struct browser {
	struct server *server;
	struct MHD_Connection *connection;
	bool suspended;
	bool beat;		/* a comment is due */
	struct message *taking; /* NULL: nothing */
	size_t taken;
	uint32_t seen[WEB_DOCUMENTS]; /* the version it got last */
};

/* What a browser asked, until it has the answer. */
struct question {
	struct server *server;
	struct MHD_Connection *connection;
	uint64_t id;
	bool suspended;
	struct MHD_Response *answer; /* NULL: not yet */
};

struct server {
	struct mhd mhd;
	struct MHD_Daemon *daemon;
	const struct server_page *page;
	uint16_t port;
	int fd;
	HEAPVEC(struct browser *) browsers;
	HEAPVEC(struct question *) questions;
	struct web_visitors visitors;
	uint64_t asked;
	struct buf out;				  /* for the tracer, when the socket has no room */
	struct message *documents[WEB_DOCUMENTS]; /* NULL: none yet */
	uint32_t version[WEB_DOCUMENTS];
	struct message *comment;
	/* the message that is being received */
	struct wire_head head;
	size_t got;
	char *body;
	bool ended; /* the tracer has closed the socket */
	uint64_t beat_at;
};

/* ---- documents ---- */

static const char *const names[WEB_DOCUMENTS] = {"tables", "flamegraph", "heatmap", "end"};

static void let_go(struct message *e)
{
	INVARIANT(!e || e->holders);
	if (e && !--e->holders)
		free(e);
}

static struct message *make_event(
	const char *before, const char *name, const char *data, size_t len)
{
	size_t room = strlen(before) + strlen(name) + len + 16;
	struct message *e = malloc(sizeof(*e) + room);
	int head;

	if (!e)
		return NULL;
	e->holders = 1;
	head = snprintf(e->text, room, "%s%s%s", before, name, *name ? "\ndata: " : "");
	memcpy(e->text + head, data, len);
	memcpy(e->text + head + len, "\n\n", 2);
	e->len = (size_t)head + len + 2;
	return e;
}

static void wake(struct server *s)
{
	vec_for (b, &s->browsers)
		if ((*b)->suspended) {
			(*b)->suspended = false;
			s->mhd.resume_connection((*b)->connection);
		}
}

/* The document as it is. */
static struct message *make_plain(const char *data, size_t len)
{
	struct message *e = malloc(sizeof(*e) + len);

	if (!e)
		return NULL;
	e->holders = 1;
	e->len = len;
	memcpy(e->text, data, len);
	return e;
}

static bool replace(struct server *s, uint32_t which, const char *data, size_t len)
{
	struct message *e = s->page->metrics ? make_plain(data, len)
					     : make_event("event: ", names[which], data, len);

	if (!e)
		return false;
	let_go(s->documents[which]);
	s->documents[which] = e;
	s->version[which]++;
	wake(s);
	return true;
}

/* ---- browsers ---- */

static void send_out(struct server *s)
{
	ssize_t n =
		s->out.len ? send(s->fd, s->out.data, s->out.len, MSG_DONTWAIT | MSG_NOSIGNAL) : 0;

	if (n <= 0)
		return;
	memmove(s->out.data, s->out.data + n, s->out.len - (size_t)n);
	s->out.len -= (size_t)n;
}

/* Tells the tracer the number of browsers, and request ID if LEN is not 0. */
static void tell(struct server *s, uint64_t id, const char *request, size_t len)
{
	const struct wire_news news = {s->browsers.len, (uint32_t)len, id};

	buf_put(&s->out, &news, sizeof(news));
	buf_put(&s->out, request, len);
	send_out(s);
}

/* Takes the next document that B has not seen.  False: there is none. */
static bool begin_next(struct browser *b)
{
	struct server *s = b->server;

	for (uint32_t i = 0; i < WEB_DOCUMENTS; i++) {
		if (b->seen[i] == s->version[i])
			continue;
		b->seen[i] = s->version[i];
		b->taking = s->documents[i];
		break;
	}
	if (!b->taking && b->beat)
		b->taking = s->comment;
	b->beat = false;
	b->taken = 0;
	if (!b->taking)
		return false;
	b->taking->holders++;
	return true;
}

/* MHD_ContentReaderCallback */
static ssize_t read_events(void *arg, uint64_t pos, char *buf, size_t max)
{
	struct browser *b = arg;
	size_t n;

	(void)pos;
	if (!b->taking && !begin_next(b)) {
		if (b->server->ended)
			return MHD_CONTENT_READER_END_OF_STREAM;
		b->suspended = true;
		b->server->mhd.suspend_connection(b->connection);
		return 0;
	}
	n = b->taking->len - b->taken;
	n = n < max ? n : max;
	memcpy(buf, b->taking->text + b->taken, n);
	b->taken += n;
	if (b->taken == b->taking->len) {
		let_go(b->taking);
		b->taking = NULL;
	}
	return (ssize_t)n;
}

/* MHD_ContentReaderFreeCallback */
static void forget_browser(void *arg)
{
	struct browser *b = arg;
	struct server *s = b->server;

	let_go(b->taking);
	for (uint32_t i = 0; i < s->browsers.len; i++)
		if (s->browsers.data[i] == b) {
			s->browsers.data[i] = s->browsers.data[--s->browsers.len];
			break;
		}
	free(b);
	tell(s, 0, NULL, 0);
}

/* ---- answers ---- */

/* Queues R with the headers that all answers have, and gives up our reference. */
static enum MHD_Result answer(struct server *s, struct MHD_Connection *c, unsigned status,
	const char *type, struct MHD_Response *r)
{
	static const char *const headers[][2] = {
		{"Cache-Control", "no-store"},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "no-referrer"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"Cross-Origin-Opener-Policy", "same-origin"},
		{"X-Frame-Options", "DENY"},
	};
	enum MHD_Result result;

	if (!r)
		return MHD_NO;
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		s->mhd.add_response_header(r, headers[i][0], headers[i][1]);
	if (s->page->policy)
		s->mhd.add_response_header(r, "Content-Security-Policy", s->page->policy);
	s->mhd.add_response_header(r, "Content-Type", type);
	if (status >= MHD_HTTP_BAD_REQUEST)
		s->mhd.add_response_header(r, "Connection", "close");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		s->mhd.add_response_header(r, "Allow", "GET, HEAD");
	result = s->mhd.queue_response(c, status, r);
	s->mhd.destroy_response(r);
	return result;
}

static enum MHD_Result refuse(
	struct server *s, struct MHD_Connection *c, unsigned status, const char *why)
{
	return answer(s, c, status, "text/plain; charset=utf-8",
		s->mhd.create_response_from_buffer(
			strlen(why), (void *)why, MHD_RESPMEM_PERSISTENT));
}

static enum MHD_Result serve_events(struct server *s, struct MHD_Connection *c)
{
	struct browser *b = calloc(1, sizeof(*b));
	struct MHD_Response *r = NULL;

	if (b && !heapvec_push(&s->browsers, b)) {
		b->server = s;
		b->connection = c;
		r = s->mhd.create_response_from_callback(
			MHD_SIZE_UNKNOWN, 65536, read_events, b, forget_browser);
		if (!r)
			s->browsers.len--;
	}
	if (!r)
		free(b);
	tell(s, 0, NULL, 0);
	return answer(s, c, MHD_HTTP_OK, "text/event-stream", r);
}

/* ---- questions ---- */

struct arguments {
	char text[WIRE_REQUEST];
	size_t len;
	bool too_long;
};

/* MHD_KeyValueIterator */
static enum MHD_Result add_argument(
	void *arg, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct arguments *a = arg;
	const char *parts[] = {name, value ? value : ""};

	(void)kind;
	for (int i = 0; i < 2; i++) {
		size_t len = strlen(parts[i]) + 1;

		if (len > sizeof(a->text) - a->len) {
			a->too_long = true;
			return MHD_NO;
		}
		memcpy(a->text + a->len, parts[i], len);
		a->len += len;
	}
	return MHD_YES;
}

static struct question *add_question(struct server *s, struct MHD_Connection *c)
{
	struct question *q = calloc(1, sizeof(*q));

	if (!q || heapvec_push(&s->questions, q)) {
		free(q);
		return NULL;
	}
	q->server = s;
	q->connection = c;
	q->id = ++s->asked;
	return q;
}

/* Passes the question on; its connection rests until receive_answer() resumes it. */
static enum MHD_Result serve_question(struct server *s, struct MHD_Connection *c, void **state)
{
	struct arguments a = {.len = 0};
	struct question *q;

	s->mhd.get_connection_values(c, MHD_GET_ARGUMENT_KIND, add_argument, &a);
	if (a.too_long || !a.len)
		return refuse(s, c, MHD_HTTP_BAD_REQUEST, "the question is too long, or empty\n");
	q = s->ended ? NULL : add_question(s, c);
	if (!q)
		return refuse(s, c, MHD_HTTP_SERVICE_UNAVAILABLE, "dtrace cannot answer\n");
	*state = q;
	q->suspended = true;
	s->mhd.suspend_connection(c);
	tell(s, q->id, a.text, a.len);
	return MHD_YES;
}

/* The connection is resumed: with the answer, or without, because the tracer is gone. */
static enum MHD_Result finish_question(struct server *s, struct question *q)
{
	struct MHD_Response *answer_now = q->answer;

	q->answer = NULL;
	if (!answer_now)
		return refuse(s, q->connection, MHD_HTTP_SERVICE_UNAVAILABLE, "dtrace has ended\n");
	return answer(s, q->connection, MHD_HTTP_OK, "application/json", answer_now);
}

/* MHD_RequestCompletedCallback */
static void forget_question(
	void *arg, struct MHD_Connection *c, void **state, enum MHD_RequestTerminationCode code)
{
	struct server *s = arg;
	struct question *q = *state;

	(void)c;
	(void)code;
	if (!q || *state == arg)
		return;
	for (uint32_t i = 0; i < s->questions.len; i++)
		if (s->questions.data[i] == q) {
			s->questions.data[i] = s->questions.data[--s->questions.len];
			break;
		}
	if (q->answer)
		s->mhd.destroy_response(q->answer);
	free(q);
	*state = NULL;
}

static void resume(struct question *q)
{
	if (q->suspended)
		q->server->mhd.resume_connection(q->connection);
	q->suspended = false;
}

/* The browser may be gone: then nobody gets it. */
static void take_answer(struct server *s, uint64_t id, const char *text, size_t len)
{
	vec_for (q, &s->questions)
		if ((*q)->id == id && (*q)->suspended) {
			(*q)->answer = s->mhd.create_response_from_buffer(
				len, (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);
			resume(*q);
			return;
		}
}

/* ---- connections ---- */

static uint64_t after(unsigned ms)
{
	return report_now() + ms * 1000000ull;
}

/* MHD_NotifyConnectionCallback */
static void on_connection(void *arg, struct MHD_Connection *c, void **visitor,
	enum MHD_ConnectionNotificationCode what)
{
	struct server *s = arg;

	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		*visitor = visitors_come(&s->visitors,
			s->mhd.get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)
				->connect_fd,
			after(REQUEST_MS));
	} else {
		visitors_leave(&s->visitors, *visitor);
		*visitor = NULL;
	}
}

/* Returns the visitor of C, NULL if there was no memory for one. */
static struct web_visitor *visitor_of(struct server *s, struct MHD_Connection *c)
{
	return s->mhd.get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* ---- requests ---- */

/* True if the header is absent and need not be there, or names this server: another name for it is
 * a page of somebody else (DNS rebinding). */
static bool names_us(struct server *s, struct MHD_Connection *c, const char *header,
	const char *scheme, bool needed)
{
	const char *value = s->mhd.lookup_connection_value(c, MHD_HEADER_KIND, header);
	char own[64];

	if (!value)
		return !needed;
	snprintf(own, sizeof(own), "%s127.0.0.1:%u", scheme, s->port);
	if (!strcmp(value, own))
		return true;
	snprintf(own, sizeof(own), "%slocalhost:%u", scheme, s->port);
	return !strcmp(value, own);
}

/* Compares in a time that does not tell how much is right. */
static bool same_token(const char *url, const char *token)
{
	unsigned char other = 0;

	if (url[0] != '/' || strnlen(url + 1, WIRE_TOKEN) < WIRE_TOKEN)
		return false;
	for (unsigned i = 0; i < WIRE_TOKEN; i++)
		other |= (unsigned char)(url[1 + i] ^ token[i]);
	return !other;
}

/* Who can reach the address may see the metrics, by whatever name. */
static enum MHD_Result serve_metrics(struct server *s, struct MHD_Connection *c, const char *url)
{
	const struct message *m = s->documents[WEB_TABLES];
	struct web_visitor *v = visitor_of(s, c);

	if (v)
		visitors_renew(&s->visitors, v, after(METRICS_MS));
	if (strcmp(url, "/metrics"))
		return refuse(s, c, MHD_HTTP_NOT_FOUND, "metrics are at /metrics\n");
	if (!m)
		return refuse(s, c, MHD_HTTP_SERVICE_UNAVAILABLE, "there are no metrics yet\n");
	return answer(s, c, MHD_HTTP_OK, s->page->metrics,
		s->mhd.create_response_from_buffer(m->len, (void *)m->text, MHD_RESPMEM_MUST_COPY));
}

/* Serves PATH of the page to somebody who has the token. */
static enum MHD_Result serve_page(
	struct server *s, struct MHD_Connection *c, const char *path, void **state)
{
	struct web_visitor *v = visitor_of(s, c);

	if (!v || !visitors_know(&s->visitors, v))
		return refuse(s, c, MHD_HTTP_SERVICE_UNAVAILABLE, "too many connections\n");
	if (!strcmp(path, "/"))
		return answer(s, c, MHD_HTTP_OK, "text/html; charset=utf-8",
			s->mhd.create_response_from_buffer(
				s->page->len, (void *)s->page->html, MHD_RESPMEM_PERSISTENT));
	if (!strcmp(path, "/events"))
		return serve_events(s, c);
	if (s->page->asks && !strcmp(path, "/ask"))
		return serve_question(s, c, state);
	return refuse(s, c, MHD_HTTP_NOT_FOUND, "no such page\n");
}

/* MHD_AccessHandlerCallback */
static enum MHD_Result on_request(void *arg, struct MHD_Connection *c, const char *url,
	const char *method, const char *version, const char *data, size_t *size, void **state)
{
	struct server *s = arg;

	(void)version;
	(void)data;
	if (strcmp(method, "GET") && strcmp(method, "HEAD"))
		return *size ? MHD_NO
			     : refuse(s, c, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD\n");
	/* the first call comes before the headers are complete */
	if (!*state) {
		*state = s;
		return MHD_YES;
	}
	if (*state != s)
		return finish_question(s, *state);
	if (s->page->metrics)
		return serve_metrics(s, c, url);
	if (!names_us(s, c, "Host", "", true) || !names_us(s, c, "Origin", "http://", false))
		return refuse(s, c, MHD_HTTP_FORBIDDEN, "this is another host's page\n");
	if (!same_token(url, s->page->token))
		return refuse(
			s, c, MHD_HTTP_NOT_FOUND, "the address that dtrace printed has a token\n");
	return serve_page(s, c, url + 1 + WIRE_TOKEN, state);
}

/* ---- the tracer ---- */

/* Receives what has come.  False: the tracer is gone, or said something that it does not say. */
static bool receive_some(struct server *s)
{
	bool head = s->got < sizeof(s->head);
	char *at = head ? (char *)&s->head + s->got : s->body + (s->got - sizeof(s->head));
	size_t want = head ? sizeof(s->head) - s->got : s->head.len - (s->got - sizeof(s->head));
	ssize_t n = want ? recv(s->fd, at, want, MSG_DONTWAIT) : 0;

	if (want && n <= 0)
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	s->got += (size_t)n;
	if (s->got == sizeof(s->head)) {
		if ((s->head.document >= WEB_DOCUMENTS && s->head.document != WIRE_ANSWER) ||
			s->head.len > DOCUMENT_MAX)
			return false;
		free(s->body);
		s->body = malloc(s->head.len + 1ul);
		if (!s->body)
			return false;
	}
	if (s->got < sizeof(s->head) || s->got < sizeof(s->head) + s->head.len)
		return true;
	s->got = 0;
	if (s->head.document != WIRE_ANSWER)
		return replace(s, s->head.document, s->body, s->head.len);
	take_answer(s, s->head.id, s->body, s->head.len);
	return true;
}

/* ---- the loop ---- */

static void beat(struct server *s)
{
	uint64_t now = report_now();

	if (now < s->beat_at)
		return;
	s->beat_at = now + BEAT * 1000000ull;
	vec_for (b, &s->browsers)
		(*b)->beat = true;
	wake(s);
}

/* Closes strangers whose time is over.  Returns for how many milliseconds there is nothing to do.
 */
static int wait_time(struct server *s)
{
	MHD_UNSIGNED_LONG_LONG ms = BEAT;
	MHD_UNSIGNED_LONG_LONG own;
	uint64_t now = report_now(), next = visitors_expire(&s->visitors, now);

	if (s->mhd.get_timeout(s->daemon, &own) == MHD_YES && own < ms)
		ms = own;
	if (next < UINT64_MAX) {
		own = next > now ? (next - now + 999999) / 1000000 : 0;
		ms = own < ms ? own : ms;
	}
	return (int)ms;
}

static void serve(struct server *s)
{
	const union MHD_DaemonInfo *info =
		s->mhd.get_daemon_info(s->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	struct pollfd fds[2] = {{info->epoll_fd, POLLIN, 0}, {s->fd, POLLIN, 0}};
	uint64_t end = UINT64_MAX;

	while (report_now() < end && (!s->ended || s->browsers.len)) {
		int ms = wait_time(s);

		fds[1].events = (short)(POLLIN | (s->out.len ? POLLOUT : 0));
		poll(fds, s->ended ? 1 : 2, s->ended && ms > 50 ? 50 : ms);
		if (!s->ended && fds[1].revents && !receive_some(s)) {
			s->ended = true;
			end = report_now() + LINGER * 1000000ull;
			replace(s, WEB_END, "{}", 2);
			vec_for (q, &s->questions)
				resume(*q);
		}
		send_out(s);
		beat(s);
		s->mhd.run(s->daemon);
	}
}

/* ---- the start ---- */

/* Returns the length of the socket address of HOST, which is numeric. */
static socklen_t make_address(const char *host, uint16_t port, struct sockaddr_storage *at)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)at;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)at;

	if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons(port);
		return sizeof(*v4);
	}
	inet_pton(AF_INET6, host, &v6->sin6_addr);
	v6->sin6_family = AF_INET6;
	v6->sin6_port = htons(port);
	return sizeof(*v6);
}

static int listen_at(const char *host, uint16_t port, uint16_t *out)
{
	struct sockaddr_storage at = {0};
	socklen_t len = make_address(host, port, &at);
	int fd = socket(at.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	const int one = 1;

	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
		bind(fd, (struct sockaddr *)&at, len) || listen(fd, SOMAXCONN) ||
		getsockname(fd, (struct sockaddr *)&at, &len))
		return -errno;
	*out = ntohs(at.ss_family == AF_INET ? ((struct sockaddr_in *)&at)->sin_port
					     : ((struct sockaddr_in6 *)&at)->sin6_port);
	return fd;
}

static int start(struct server *s, uint16_t port, uint32_t *stage)
{
	int fd, err;

	*stage = WIRE_LIBRARY;
	err = mhd_load(&s->mhd);
	if (err)
		return err;
	*stage = WIRE_SOCKET;
	fd = listen_at(s->page->host, port, &s->port);
	if (fd < 0)
		return fd;
	*stage = WIRE_DAEMON;
	s->comment = make_event(":", "", "", 0);
	s->daemon = s->mhd.start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL,
		on_request, s, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
		CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, STALLED, MHD_OPTION_NOTIFY_COMPLETED,
		forget_question, s, MHD_OPTION_NOTIFY_CONNECTION, on_connection, s, MHD_OPTION_END);
	if (!s->daemon || !s->comment)
		return -ENOMEM;
	*stage = WIRE_SANDBOX;
	return sandbox_enter();
}

int server_run(int fd, uint16_t port, const struct server_page *page)
{
	struct server s = {.fd = fd, .page = page};
	struct wire_hello hello = {0};

	signal(SIGPIPE, SIG_IGN);
	hello.error = start(&s, port, &hello.stage);
	hello.port = s.port;
	if (send(fd, &hello, sizeof(hello), MSG_NOSIGNAL) != sizeof(hello) || hello.error)
		return 1;
	s.beat_at = report_now() + BEAT * 1000000ull;
	serve(&s);
	return 0;
}
