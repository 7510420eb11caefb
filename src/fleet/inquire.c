// SPDX-License-Identifier: Apache-2.0
/*
 * Asks ClickHouse, in a process of its own.
 *
 * One question is asked at a time.  Its SQL is in the URL; its tables are parts of a form, which
 * ClickHouse calls external data.  The server is told to answer when it has the whole result: an
 * error that comes in the middle of one would look like data.
 */
#include "fleet/inquire.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "confine/helper.h"
#include "fleet/cage.h"
#include "fleet/curl.h"
#include "fleet/http.h"
#include "fleet/query.h"
#include "fleet/wire.h"

#define MOST_AUTHORITY (16u << 20) /* bytes of certificates */
#define MOST_ERROR     4096	   /* bytes of an error's text that are read */
#define WAIT_MS	       60000

#undef curl_easy_setopt
#undef curl_easy_getinfo

struct inquirer {
	const struct query_options *o;
	struct curl_library curl;
	CURLM *multi;
	CURL *easy;
	struct curl_slist *headers;
	struct buf authority;
	int fd;
	bool closed;
	struct buf in, out;
	size_t sent; /* of out */
	/* the question that is being asked */
	bool busy, too_long;
	struct query_head head;
	curl_mime *form;
	struct buf url, answer;
};

/* ---- answers ---- */

static void put_answer(struct inquirer *q, bool ok, const char *text, size_t len)
{
	const struct answer_head head = {q->head.id, len, ok, 0};

	buf_put(&q->out, &head, sizeof(head));
	buf_put(&q->out, text, len);
	if (q->out.failed)
		q->closed = true; /* the order would be lost: dtrace sees that the process ends */
}

static void put_failure(struct inquirer *q, const char *text)
{
	put_answer(q, false, text, strlen(text));
}

static void send_some(struct inquirer *q)
{
	while (q->sent < q->out.len) {
		ssize_t n = send(q->fd, q->out.data + q->sent, q->out.len - q->sent,
			MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0 && errno != EAGAIN && errno != EINTR)
			q->closed = true;
		if (n <= 0)
			return;
		q->sent += (size_t)n;
	}
	q->sent = 0;
	buf_free(&q->out);
	q->out = (struct buf){0};
}

static size_t take_answer(char *data, size_t size, size_t n, void *arg)
{
	struct inquirer *q = arg;
	size_t len = size * n,
	       room = q->head.most > q->answer.len ? q->head.most - q->answer.len : 0;
	long status = 0;

	q->curl.easy_getinfo(q->easy, CURLINFO_RESPONSE_CODE, &status);
	if (status != 200) {
		room = q->answer.len < MOST_ERROR ? MOST_ERROR - q->answer.len : 0;
		buf_put(&q->answer, data, len < room ? len : room);
		return len;
	}
	q->too_long |= len > room;
	if (!q->too_long)
		buf_put(&q->answer, data, len);
	return q->too_long || q->answer.failed ? 0 : len;
}

static void end_question(struct inquirer *q, CURLcode code, long status)
{
	char failure[INQUIRE_FAILURE];

	q->busy = false;
	q->curl.easy_setopt(q->easy, CURLOPT_MIMEPOST, NULL);
	q->curl.mime_free(q->form);
	q->form = NULL;
	if (q->answer.failed)
		put_failure(q, "not enough memory for the answer");
	else if (q->too_long) {
		snprintf(failure, sizeof(failure), "the answer is longer than %llu bytes",
			(unsigned long long)q->head.most);
		put_failure(q, failure);
	} else if (code == CURLE_OPERATION_TIMEDOUT) {
		snprintf(failure, sizeof(failure), "no answer within %u ms", q->head.ms);
		put_failure(q, failure);
	} else if (!code && status == 200) {
		put_answer(q, true, q->answer.data, q->answer.len);
	} else {
		http_describe(&q->curl, code, status, &q->answer, failure, sizeof(failure));
		put_failure(q, failure);
	}
	buf_free(&q->answer);
	q->answer = (struct buf){0};
}

static void finish_requests(struct inquirer *q)
{
	CURLMsg *m;
	int left;

	while ((m = q->curl.multi_info_read(q->multi, &left))) {
		CURLcode code = m->data.result;
		long status = 0;

		if (m->msg != CURLMSG_DONE)
			continue;
		q->curl.easy_getinfo(q->easy, CURLINFO_RESPONSE_CODE, &status);
		q->curl.multi_remove_handle(q->multi, q->easy);
		end_question(q, code, status);
	}
}

/* ---- questions ---- */

/* Returns the next part of a question and its length without the NUL; dtrace wrote them. */
static const char *next_part(const char **at, size_t *len)
{
	const char *text = *at + sizeof(query_part);
	query_part n;

	memcpy(&n, *at, sizeof(n));
	*at = text + n;
	*len = n - 1;
	return text;
}

static bool put_escaped(struct inquirer *q, const char *before, const char *text, size_t len)
{
	char *escaped = q->curl.easy_escape(q->easy, text, (int)len);

	buf_printf(&q->url, "%s%s", before, escaped ? escaped : "");
	q->curl.free(escaped);
	return escaped && !q->url.failed;
}

static bool add_table(struct inquirer *q, const char **at)
{
	struct curl_library *c = &q->curl;
	curl_mimepart *part = c->mime_addpart(q->form);
	size_t len, structure_len, rows_len;
	const char *name = next_part(at, &len), *structure = next_part(at, &structure_len);
	const char *rows = next_part(at, &rows_len);

	buf_printf(&q->url, "&%s_format=TabSeparated&%s_structure=", name, name);
	/* ClickHouse takes a part for a table if it is a file */
	return part && put_escaped(q, "", structure, structure_len) && !c->mime_name(part, name) &&
		!c->mime_filename(part, name) && !c->mime_data(part, rows, rows_len);
}

static bool set_question(struct inquirer *q, const char *text)
{
	struct curl_library *c = &q->curl;
	const char *sql;
	size_t len;
	bool ok;

	sql = next_part(&text, &len);
	q->url.len = 0;
	buf_printf(&q->url, "%s?wait_end_of_query=1%s", q->o->url,
		q->head.partial ? "&skip_unavailable_shards=1" : "");
	ok = put_escaped(q, "&query=", sql, len);
	if (q->head.tables) {
		q->form = c->mime_init(q->easy);
		ok = ok && q->form;
		for (uint32_t i = 0; i < q->head.tables && ok; i++)
			ok = add_table(q, &text);
		ok = ok && !c->easy_setopt(q->easy, CURLOPT_MIMEPOST, q->form);
	} else {
		ok = ok && !c->easy_setopt(q->easy, CURLOPT_POST, 1L) &&
			!c->easy_setopt(q->easy, CURLOPT_POSTFIELDSIZE, 0L) &&
			!c->easy_setopt(q->easy, CURLOPT_POSTFIELDS, "");
	}
	return ok && !c->easy_setopt(q->easy, CURLOPT_URL, q->url.data) &&
		!c->easy_setopt(q->easy, CURLOPT_TIMEOUT_MS, (long)q->head.ms) &&
		!c->multi_add_handle(q->multi, q->easy);
}

/* Takes what came over the socket. */
static void receive(struct inquirer *q)
{
	char chunk[65536];
	ssize_t n;

	while ((n = recv(q->fd, chunk, sizeof(chunk), MSG_DONTWAIT)) > 0)
		buf_put(&q->in, chunk, (size_t)n);
	if (!n || (errno != EAGAIN && errno != EINTR) || q->in.failed)
		q->closed = true;
}

/* Asks the oldest question that waits. */
static void begin_question(struct inquirer *q)
{
	size_t all;

	if (q->busy || q->in.failed || q->in.len < sizeof(q->head))
		return;
	memcpy(&q->head, q->in.data, sizeof(q->head));
	all = sizeof(q->head) + q->head.len;
	if (q->in.len < all)
		return;
	q->busy = true;
	q->too_long = false;
	if (!set_question(q, q->in.data + sizeof(q->head))) {
		q->answer.failed = true;
		end_question(q, CURLE_OUT_OF_MEMORY, 0);
	}
	memmove(q->in.data, q->in.data + all, q->in.len - all);
	q->in.len -= all;
}

/* ---- the process ---- */

/* Reads the certificates: user nobody may not be able to. */
static int read_authority(struct inquirer *q)
{
	char chunk[16384];
	int fd = open(q->o->authority, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : 0;

	while (fd >= 0 && q->authority.len < MOST_AUTHORITY &&
		(n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_put(&q->authority, chunk, (size_t)n);
	if (fd >= 0)
		close(fd);
	if (n < 0)
		return -errno;
	return q->authority.failed || n ? -ENOMEM : 0;
}

static bool set_authority(struct inquirer *q)
{
	struct curl_blob blob = {q->authority.data, q->authority.len, CURL_BLOB_NOCOPY};
	CURL *e = q->easy;

	if (!q->o->authority)
		return true;
	/* older libraries, and some TLS libraries, know files alone */
	return !q->curl.easy_setopt(e, CURLOPT_CAINFO_BLOB, &blob) ||
		!q->curl.easy_setopt(e, CURLOPT_CAINFO, q->o->authority);
}

static bool set_curl(struct inquirer *q)
{
	struct curl_library *c = &q->curl;

	if (c->global_init(CURL_GLOBAL_DEFAULT))
		return false;
	q->multi = c->multi_init();
	q->easy = c->easy_init();
	/* Expect: a server that is asked first would cost a round trip */
	return q->multi && q->easy && http_add_header(c, &q->headers, "Expect:") &&
		http_set_options(c, q->easy, q->headers, q->o->credentials, NULL) &&
		set_authority(q) && !c->easy_setopt(q->easy, CURLOPT_WRITEFUNCTION, take_answer) &&
		!c->easy_setopt(q->easy, CURLOPT_WRITEDATA, q);
}

static int set_up(struct inquirer *q, uint32_t *stage)
{
	int err = 0;

	*stage = QUERY_AUTHORITY;
	if (q->o->authority)
		err = read_authority(q);
	if (err)
		return err;
	*stage = QUERY_LIBRARY;
	if (curl_load(&q->curl))
		return -ENOSYS;
	*stage = QUERY_RIGHTS;
	err = helper_become_nobody();
	if (!err)
		err = helper_drop_capabilities();
	if (err)
		return err;
	*stage = QUERY_MEMORY;
	if (!set_curl(q))
		return -ENOMEM;
	*stage = QUERY_RIGHTS;
	return cage_enter(q->o->authority, NULL);
}

static void serve(struct inquirer *q)
{
	struct curl_waitfd fd = {.fd = q->fd};
	int running, n;

	while (!q->closed) {
		receive(q);
		begin_question(q);
		q->curl.multi_perform(q->multi, &running);
		finish_requests(q);
		begin_question(q);
		send_some(q);
		if (q->closed)
			return;
		fd.events = CURL_WAIT_POLLIN | (q->out.len ? CURL_WAIT_POLLOUT : 0);
		fd.revents = 0;
		q->curl.multi_poll(q->multi, &fd, 1, WAIT_MS, &n);
	}
}

int inquire_run(int fd, const struct query_options *o)
{
	struct inquirer *q = calloc(1, sizeof(*q));
	struct ship_hello hello = {.stage = QUERY_MEMORY, .error = -ENOMEM};

	/* dtrace ends it, by closing the socket */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	if (q) {
		q->o = o;
		q->fd = fd;
		hello.error = set_up(q, &hello.stage);
	}
	if (send(fd, &hello, sizeof(hello), MSG_NOSIGNAL) != sizeof(hello) || hello.error)
		return 1;
	serve(q);
	return 0; /* the process ends, and its memory with it */
}
