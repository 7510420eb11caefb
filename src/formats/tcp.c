// SPDX-License-Identifier: Apache-2.0
/* Sends lines over TCP without waiting for the receiver. */
#define _GNU_SOURCE /* memrchr(), SOCK_NONBLOCK */
#include "formats/tcp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"

#define MOST_BYTES (4u << 20) /* that wait */
#define RETRY	   1000000000ull

enum tcp_state { TCP_NONE, TCP_CONNECTING, TCP_CONNECTED };

/* A name can have several addresses, of which only some may be listened on. */
#define MOST_ADDRESSES 8

struct tcp_address {
	struct sockaddr_storage addr;
	socklen_t len;
};

struct tcp {
	struct tcp_address addresses[MOST_ADDRESSES];
	unsigned naddresses, next; /* to try */
	enum tcp_state state;
	int fd;
	int err;
	uint64_t retry; /* CLOCK_MONOTONIC ns */
	struct buf buf;
	size_t start; /* of the first line that is not acknowledged */
	size_t at;    /* what this connection is sent next */
	uint64_t lines, lost;
};

/*
 * A static program has no name look-up: it would need the shared libraries of the C library that it
 * was linked with.
 */
#pragma weak getaddrinfo
#pragma weak freeaddrinfo

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* ---- addresses ---- */

/* Splits ADDRESS, which is changed, at the colon before the port. */
static const char *split(char *address, const char **port)
{
	char *colon = strrchr(address, ':'), *bracket = strchr(address, ']');

	if (*address == '[' && bracket) {
		*bracket = '\0';
		if (bracket[1] == ':')
			*port = bracket + 2;
		return address + 1;
	}
	if (colon && strchr(address, ':') == colon) { /* with several it is an IPv6 address */
		*colon = '\0';
		*port = colon + 1;
	}
	return *address ? address : "127.0.0.1";
}

static int look_up(struct tcp *t, const char *host, const char *port, const char **problem)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
	struct addrinfo *found = NULL;

	if (!getaddrinfo) {
		*problem = "a static program cannot look up names";
		return -EADDRNOTAVAIL;
	}
	if (getaddrinfo(host, port, &hints, &found) || !found) {
		*problem = "the address is unknown";
		return -EADDRNOTAVAIL;
	}
	for (const struct addrinfo *a = found; a && t->naddresses < MOST_ADDRESSES;
		a = a->ai_next) {
		memcpy(&t->addresses[t->naddresses].addr, a->ai_addr, a->ai_addrlen);
		t->addresses[t->naddresses++].len = a->ai_addrlen;
	}
	freeaddrinfo(found);
	return 0;
}

static int set_address(struct tcp *t, const char *host, const char *port, const char **problem)
{
	struct tcp_address *first = &t->addresses[0];
	struct sockaddr_in *v4 = (struct sockaddr_in *)&first->addr;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&first->addr;
	char *end;
	unsigned long number = strtoul(port, &end, 10);

	if (*end || number < 1 || number > 65535 || *port < '0' || *port > '9') {
		*problem = "the port is not a number from 1 to 65535";
		return -EINVAL;
	}
	if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons((uint16_t)number);
		first->len = sizeof(*v4);
		t->naddresses = 1;
		return 0;
	}
	if (inet_pton(AF_INET6, host, &v6->sin6_addr) == 1) {
		v6->sin6_family = AF_INET6;
		v6->sin6_port = htons((uint16_t)number);
		first->len = sizeof(*v6);
		t->naddresses = 1;
		return 0;
	}
	return look_up(t, host, port, problem);
}

int tcp_open(const char *address, const char *port, struct tcp **out, const char **problem)
{
	struct tcp *t = calloc(1, sizeof(*t));
	char *copy = strdup(address);
	const char *host;
	int err = -ENOMEM;

	if (t && copy) {
		t->fd = -1;
		host = split(copy, &port);
		err = set_address(t, host, port, problem);
	}
	free(copy);
	if (err)
		free(t);
	else
		*out = t;
	return err;
}

/* ---- connections ---- */

/* Closes the connection because of ERR; what was not acknowledged is sent by the next one. */
static void fail(struct tcp *t, int err)
{
	if (t->fd >= 0)
		close(t->fd);
	if (t->state == TCP_CONNECTED) /* this address is still the best one */
		t->next = (t->next + t->naddresses - 1) % t->naddresses;
	t->fd = -1;
	t->at = t->start;
	if (t->state != TCP_CONNECTED && t->next) { /* the others first */
		t->state = TCP_NONE;
		return;
	}
	t->state = TCP_NONE;
	t->err = err;
	t->retry = now() + RETRY;
}

static void connect_now(struct tcp *t)
{
	const struct tcp_address *to = &t->addresses[t->next];

	t->next = (t->next + 1) % t->naddresses;
	t->fd = socket(to->addr.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (t->fd < 0) {
		fail(t, errno);
		return;
	}
	if (!connect(t->fd, (const struct sockaddr *)&to->addr, to->len)) {
		t->state = TCP_CONNECTED;
		t->err = 0;
	} else if (errno == EINPROGRESS) {
		t->state = TCP_CONNECTING;
	} else {
		fail(t, errno);
	}
}

/* Waits for the end of connect(2), at most MS milliseconds. */
static void await_connection(struct tcp *t, int ms)
{
	struct pollfd p = {.fd = t->fd, .events = POLLOUT};
	socklen_t len = sizeof(int);
	int err = 0;

	if (poll(&p, 1, ms) <= 0)
		return;
	if (getsockopt(t->fd, SOL_SOCKET, SO_ERROR, &err, &len))
		err = errno;
	if (err) {
		fail(t, err);
	} else {
		t->state = TCP_CONNECTED;
		t->err = 0;
	}
}

/* The receiver of this protocol says nothing: the end of what it says is the end. */
static bool is_closed(struct tcp *t)
{
	char ignored[256];
	ssize_t n;

	do
		n = recv(t->fd, ignored, sizeof(ignored), MSG_DONTWAIT);
	while (n > 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	fail(t, n ? errno : EPIPE);
	return true;
}

/* Forgets the lines that the receiver's kernel has. */
static void forget_acknowledged(struct tcp *t)
{
	const char *newline;
	size_t known;
	int waiting;

	if (ioctl(t->fd, SIOCOUTQ, &waiting) || waiting < 0 || (size_t)waiting > t->at - t->start)
		return;
	known = t->at - t->start - (size_t)waiting;
	newline = memrchr(t->buf.data + t->start, '\n', known);
	if (newline)
		t->start = (size_t)(newline + 1 - t->buf.data);
	if (t->start == t->buf.len || t->start > MOST_BYTES / 2) {
		memmove(t->buf.data, t->buf.data + t->start, t->buf.len - t->start);
		t->buf.len -= t->start;
		t->at -= t->start;
		t->start = 0;
	}
}

static void send_more(struct tcp *t)
{
	while (t->at < t->buf.len) {
		ssize_t n = send(t->fd, t->buf.data + t->at, t->buf.len - t->at,
			MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			fail(t, errno);
		if (n < 0)
			return;
		t->at += (size_t)n;
	}
}

void tcp_work(struct tcp *t)
{
	for (unsigned i = 0; i < t->naddresses && t->state != TCP_CONNECTED; i++) {
		if (t->state == TCP_NONE && t->buf.len > t->start && now() >= t->retry)
			connect_now(t);
		if (t->state == TCP_CONNECTING)
			await_connection(t, 0);
	}
	if (t->state != TCP_CONNECTED || is_closed(t))
		return;
	if (t->at > t->start)
		forget_acknowledged(t);
	send_more(t);
}

int tcp_put(struct tcp *t, const char *line, size_t len)
{
	t->lines++;
	if (t->buf.len - t->start + len > MOST_BYTES)
		tcp_work(t);
	if (t->buf.len - t->start + len > MOST_BYTES) {
		t->lost++;
		return 0;
	}
	buf_put(&t->buf, line, len);
	return t->buf.failed ? -ENOMEM : 0;
}

void tcp_drain(struct tcp *t, unsigned ms)
{
	uint64_t end = now() + ms * 1000000ull;
	const struct timespec moment = {.tv_nsec = 2000000};

	t->retry = 0;
	while (t->buf.len > t->start && now() < end) {
		tcp_work(t);
		if (t->state == TCP_NONE && now() < t->retry) /* nor will it be reached soon */
			return;
		nanosleep(&moment, NULL);
	}
}

int tcp_error(const struct tcp *t)
{
	return t->err;
}

struct tcp_counts tcp_counts(const struct tcp *t)
{
	struct tcp_counts c = {.lines = t->lines, .lost = t->lost};

	for (size_t i = t->start; i < t->buf.len; i++)
		c.left += t->buf.data[i] == '\n';
	return c;
}

void tcp_close(struct tcp *t)
{
	if (!t)
		return;
	if (t->fd >= 0)
		close(t->fd);
	buf_free(&t->buf);
	free(t);
}
