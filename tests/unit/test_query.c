// SPDX-License-Identifier: Apache-2.0
/*
 * Tests the process that asks ClickHouse, against a server of this test: what it sends, answers and
 * failures, bounds, and what the process has given up.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "fleet/query.h"
#include "fleet/target.h"
#include "test.h"

#define LONG 100000

/* ---- the server: the SQL says what it does ---- */

static void reply(int fd, const char *status, const char *text, size_t len)
{
	char head[128];
	int n = snprintf(head, sizeof(head),
		"HTTP/1.1 %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n", status, len);

	if (send(fd, head, (size_t)n, MSG_NOSIGNAL) < 0)
		return;
	while (len) {
		ssize_t sent = send(fd, text, len, MSG_NOSIGNAL);

		if (sent <= 0)
			return;
		text += sent;
		len -= (size_t)sent;
	}
}

static void act(int fd, const char *request, size_t len)
{
	static char text[LONG];

	memset(text, 'x', sizeof(text));
	if (strstr(request, "query=LONG"))
		reply(fd, "200 OK", text, sizeof(text));
	else if (strstr(request, "query=NONE"))
		reply(fd, "200 OK", "", 0);
	else if (strstr(request, "query=FAIL"))
		reply(fd, "500 Oh",
			"Code: 1, e.displayText() = DB::Exception: \033[2J<b>\377, e.what() = x",
			68);
	else if (strstr(request, "query=MANY"))
		reply(fd, "404 Oh", text, sizeof(text));
	else if (strstr(request, "query=SLEEP"))
		while (recv(fd, text, sizeof(text), 0) > 0)
			; /* the process that asks gives up */
	else if (!strstr(request, "query=CUT"))
		reply(fd, "200 OK", request, len);
}

/* Reads a request: its head, and as many bytes more as the head says. */
static void serve_one(int fd)
{
	struct buf b = {0};
	char chunk[65536];
	size_t all = SIZE_MAX;
	ssize_t n;

	while (b.len < all && (n = recv(fd, chunk, sizeof(chunk), 0)) > 0) {
		char *end, *length;

		buf_put(&b, chunk, (size_t)n);
		buf_put(&b, "", 1);
		b.len--;
		end = strstr(b.data, "\r\n\r\n");
		length = strstr(b.data, "Content-Length: ");
		if (end && all == SIZE_MAX)
			all = (size_t)(end + 4 - b.data) +
				(length ? strtoul(length + 16, NULL, 10) : 0);
	}
	act(fd, b.data, b.len);
	close(fd);
	buf_free(&b);
}

static pid_t start_server(char *url, size_t size)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	socklen_t len = sizeof(at);
	pid_t pid;

	CHECK(!bind(fd, (struct sockaddr *)&at, len) && !listen(fd, 16));
	CHECK_INT(getsockname(fd, (struct sockaddr *)&at, &len), 0);
	snprintf(url, size, "http://localhost:%u/", ntohs(at.sin_port));
	pid = fork();
	while (pid == 0)
		serve_one(accept(fd, NULL, NULL));
	close(fd);
	return pid;
}

/* ---- questions ---- */

static struct query_answer await(struct query *q)
{
	struct query_answer a = {0};
	struct pollfd fd = {query_fd(q), POLLIN, 0};
	int got;

	while (!(got = query_take(q, &a)))
		if (poll(&fd, 1, 20000) <= 0)
			break;
	CHECK_INT(got, 1);
	if (got != 1)
		a = (struct query_answer){.text = ""};
	return a;
}

static struct query_answer ask(struct query *q, const char *sql, unsigned ms, size_t most)
{
	const struct query_question question = {7, sql, NULL, 0, ms, most, false};

	CHECK_INT(query_ask(q, &question), 0);
	return await(q);
}

static void test_request(struct query *q)
{
	static const char rows[] = "a\\tb\t1\n\377\t2\n";
	const struct query_table tables[] = {
		{"hosts", "host String, lo Int64", rows, sizeof(rows) - 1},
		{"none", "x Array(String)", "", 0},
	};
	const struct query_question question = {
		42, "SELECT '&=+' FROM hosts", tables, 2, 20000, 4096, true};
	struct query_answer a;

	CHECK_INT(query_ask(q, &question), 0);
	a = await(q);
	CHECK_INT(a.id, 42);
	CHECK(a.ok);
	CHECK(strstr(a.text,
		"POST "
		"/?wait_end_of_query=1&skip_unavailable_shards=1&query=SELECT%20%27%26%3D%2B%27%"
		"20FROM%20hosts"
		"&hosts_format=TabSeparated&hosts_structure=host%20String%2C%20lo%20Int64"
		"&none_format=TabSeparated&none_structure=x%20Array%28String%29 HTTP/1.1"));
	CHECK(strstr(a.text, "name=\"hosts\"; filename=\"hosts\""));
	CHECK(strstr(a.text, rows));
	CHECK(strstr(a.text, "name=\"none\"; filename=\"none\""));
	CHECK(strstr(a.text, "Authorization: Basic cmVhZGVyOnNlY3JldA==\r\n")); /* reader:secret */
	CHECK(!strstr(a.text, "Expect:"));
	/* after one with tables, one without */
	a = ask(q, "SELECT 1", 20000, 4096);
	CHECK(a.ok && strstr(a.text, "POST /?wait_end_of_query=1&query=SELECT%201 HTTP/1.1"));
	CHECK(strstr(a.text, "Content-Length: 0\r\n") && !strstr(a.text, "multipart"));
}

static void test_failures(struct query *q)
{
	struct query_answer a = ask(q, "LONG", 20000, LONG - 1);

	CHECK(!a.ok);
	CHECK_STR(a.text, "the answer is longer than 99999 bytes");
	a = ask(q, "LONG", 20000, LONG);
	CHECK(a.ok && a.len == LONG);
	a = ask(q, "NONE", 20000, 1);
	CHECK(a.ok && a.len == 0);
	a = ask(q, "FAIL", 20000, 1000);
	CHECK(!a.ok);
	CHECK_STR(a.text, "?[2J<b>? (HTTP status 500)");
	a = ask(q, "MANY", 20000, 10);
	CHECK(!a.ok && a.len < 300 && strstr(a.text, "xxx (HTTP status 404)"));
	a = ask(q, "CUT", 20000, 1000);
	CHECK(!a.ok && a.len > 0);
	a = ask(q, "SLEEP", 100, 1000);
	CHECK(!a.ok);
	CHECK_STR(a.text, "no answer within 100 ms");
}

/* More than the sockets hold; answers come in the order of the questions. */
static void test_order(struct query *q)
{
	const size_t len = 3 << 20;
	char *rows = malloc(len);
	const struct query_table table = {"t", "x String", rows, len};

	memset(rows, 'r', len);
	for (uint64_t i = 0; i < 8; i++) {
		const struct query_question question = {
			100 + i, i % 2 ? "NONE" : "ECHO", &table, 1, 20000, len + 4096, false};

		CHECK_INT(query_ask(q, &question), 0);
	}
	for (uint64_t i = 0; i < 8; i++) {
		struct query_answer a = await(q);

		CHECK_INT(a.id, 100 + i);
		CHECK(a.ok && (i % 2 ? a.len == 0 : a.len > len));
	}
	free(rows);
}

/* ---- the process ---- */

/* The number after NAME in /proc/PID/status, whose base is BASE. */
static long status_of(pid_t pid, const char *name, int base)
{
	char path[64], line[256];
	long value = -1;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	in = fopen(path, "r");
	while (in && fgets(line, sizeof(line), in))
		if (!strncmp(line, name, strlen(name)))
			value = strtol(line + strlen(name), NULL, base);
	if (in)
		fclose(in);
	return value;
}

/* The child that is not SERVER. */
static pid_t find_child(pid_t server)
{
	char path[64];
	int pid = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	in = fopen(path, "r");
	while (in && fscanf(in, "%d", &pid) == 1 && pid == server)
		;
	if (in)
		fclose(in);
	return pid == server ? 0 : pid;
}

static void test_rights(pid_t pid)
{
	CHECK(pid > 0);
	CHECK_INT(status_of(pid, "CapEff:", 16), 0);
	CHECK_INT(status_of(pid, "CapPrm:", 16), 0);
	CHECK_INT(status_of(pid, "NoNewPrivs:", 10), 1);
	CHECK_INT(status_of(pid, "Seccomp:", 10), 2);
	CHECK_INT(status_of(pid, "Uid:", 10), getuid() ? getuid() : 65534);
}

static void test_death(struct query *q, pid_t pid)
{
	const struct query_question question = {1, "SLEEP", NULL, 0, 20000, 100, false};
	struct pollfd fd = {query_fd(q), POLLIN, 0};
	struct query_answer a;

	CHECK_INT(query_ask(q, &question), 0);
	CHECK_INT(query_take(q, &a), 0);
	kill(pid, SIGKILL);
	CHECK_INT(poll(&fd, 1, 20000), 1);
	CHECK_INT(query_take(q, &a), -EPIPE);
	CHECK_INT(query_ask(q, &question), -EPIPE);
	CHECK_INT(query_take(q, &a), -EPIPE);
}

static void test_start(void)
{
	const struct query_options o = {"http://127.0.0.1:1/", NULL, "/nonexistent"};
	const char *problem = NULL;
	struct query *q = NULL;

	CHECK_INT(query_start(&o, &q, &problem), -ENOENT);
	CHECK_STR(problem, "the file of certificates cannot be read");
	query_free(NULL);
}

int main(void)
{
	static const struct target_credentials credentials = {"reader", "secret"};
	struct query_options o = {.credentials = &credentials};
	const char *problem = NULL;
	struct query *q = NULL;
	char url[64];
	pid_t server = start_server(url, sizeof(url)), child;
	int err;

	o.url = url;
	test_start();
	err = query_start(&o, &q, &problem);
	if (err == -ENOSYS) {
		kill(server, SIGKILL);
		test_skip("needs libcurl.so.4");
	}
	CHECK_INT(err, 0);
	if (!err) {
		child = find_child(server);
		test_request(q);
		test_failures(q);
		test_order(q);
		test_rights(child);
		test_death(q, child);
	}
	query_free(q);
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	return test_done();
}
