// SPDX-License-Identifier: Apache-2.0
/*
 * Gathers rows to batches and sends them, in a process of its own.
 *
 * One loop waits for the tracer, the network and the clock; nothing in it blocks but the spool's
 * files and the look-up of names, which the tracer does not wait for.  A batch is sent table by
 * table; after a failure the whole batch is sent again, which changes no answer.
 */
#include "fleet/send.h"
#include "fleet/row.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "confine/helper.h"
#include "fleet/batch.h"
#include "fleet/cage.h"
#include "fleet/curl.h"
#include "fleet/http.h"
#include "fleet/ship.h"
#include "fleet/spool.h"
#include "fleet/tables.h"
#include "fleet/wire.h"

#define SECOND	      1000000000ull
#define FIRST_RETRY   SECOND
#define LONGEST_RETRY (60 * SECOND)
#define MOST_GATHERED (16u << 20) /* bytes: a batch is made, however young */
#define MOST_ANSWER   4096	  /* bytes of an error's text that are read */

#undef curl_easy_setopt
#undef curl_easy_getinfo

struct sender {
	const struct ship_options *o;
	struct curl_library curl;
	CURLM *multi;
	CURL *easy;
	struct curl_slist *headers;
	struct spool *spool;
	int fd;
	bool closed; /* the tracer sends no more */
	struct buf in;
	struct buf rows[FLEET_TABLES];
	uint64_t nrows[FLEET_TABLES];
	size_t gathered;       /* bytes in rows */
	uint64_t due;	       /* the next batch */
	uint64_t batches;      /* made */
	uint64_t taken;	       /* rows of the tracer */
	uint64_t lost;	       /* rows that the tracer lost */
	uint64_t lost_dropped; /* of those that the spool dropped, told in `sends` */
	uint64_t end;	       /* when to give up after closed */
	/* the batch that is being sent */
	bool busy;
	struct spool_batch batch;
	struct batch_section section;
	size_t at;
	struct buf url, answer;
	uint64_t retry, backoff;
	bool failed; /* since the end began */
	bool damaged_said, spool_said, dropped_said;
	char said[512]; /* the last failure */
};

/* CLOCK_MONOTONIC, ns. */
static uint64_t monotonic(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

static uint64_t random_below(uint64_t n)
{
	uint64_t r = 0;

	if (getrandom(&r, sizeof(r), GRND_NONBLOCK) != sizeof(r))
		r = monotonic();
	return n ? r % n : 0;
}

/* Tells the user a line; without room in the socket it is lost. */
static void say(struct sender *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say(struct sender *s, const char *fmt, ...)
{
	char line[512];
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(line, sizeof(line) - 1, fmt, ap);
	va_end(ap);
	if (len > (int)sizeof(line) - 2)
		len = sizeof(line) - 2;
	line[len] = '\n';
	if (send(s->fd, line, (size_t)len + 1, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return;
}

/* ---- gathering ---- */

/* The row of `sends` says what the batch has, and what was lost until now. */
static void put_send(struct sender *s)
{
	struct fleet_row r = fleet_row(&s->rows[FLEET_SENDS], FLEET_SENDS);
	const struct ship_options *o = s->o;
	struct spool_counts c = spool_counts(s->spool);
	uint64_t rows = 0;

	for (unsigned t = 0; t < FLEET_TABLES; t++)
		rows += s->nrows[t];
	fleet_text(&r, FLEET_SENDS_prog, o->program, strlen(o->program));
	fleet_text(&r, FLEET_SENDS_host, o->host, strlen(o->host));
	fleet_unsigned(&r, FLEET_SENDS_run, o->run);
	fleet_unsigned(&r, FLEET_SENDS_batch, s->batches);
	fleet_unsigned(&r, FLEET_SENDS_ts, (uint64_t)time(NULL));
	fleet_unsigned(&r, FLEET_SENDS_seq, s->batches);
	fleet_unsigned(&r, FLEET_SENDS_rows, rows);
	fleet_unsigned(&r, FLEET_SENDS_bytes, s->gathered);
	fleet_unsigned(&r, FLEET_SENDS_lost, s->lost + c.dropped - s->lost_dropped);
	fleet_text(&r, FLEET_SENDS_version, o->version, strlen(o->version));
	fleet_row_end(&r);
	s->nrows[FLEET_SENDS] = 1;
	s->lost_dropped = c.dropped;
	s->lost = 0;
}

static void schedule(struct sender *s)
{
	s->due = monotonic() + s->o->batch + random_below(s->o->batch / 4 + 1);
}

/* Says once that the folder cannot be written, or that rows had to go. */
static void look_at_spool(struct sender *s)
{
	struct spool_counts c = spool_counts(s->spool);

	if (c.error && !s->spool_said)
		say(s, "%s: %s; rows that cannot be sent wait in memory", s->o->spool,
			c.error == EPERM ? "the folder is another user's, or others can write to it"
					 : strerror(c.error));
	s->spool_said = c.error;
	if (c.dropped && !s->dropped_said)
		say(s, "%s: the oldest rows are dropped: spoolsize or spoolage is reached",
			s->o->spool);
	s->dropped_said |= c.dropped != 0;
}

/* Tells the tracer how many of its rows no longer depend on this process. */
static void tell_safe(struct sender *s)
{
	uint64_t batches, rows = spool_unwritten(s->spool, &batches);

	/* a batch has a row of its own, in `sends` */
	say(s, "%c%" PRIu64, SHIP_SAFE, s->taken - (rows - batches));
}

static void make_batch(struct sender *s)
{
	struct buf bytes = {0};
	uint64_t rows = 0;
	int err = 0;

	schedule(s);
	if (!s->gathered)
		return;
	s->batches++;
	put_send(s);
	for (unsigned t = 0; t < FLEET_TABLES; t++) {
		struct buf *b = &s->rows[t];

		if (b->failed)
			err = -ENOMEM;
		if (s->nrows[t] && !err)
			err = batch_put(&bytes, t, s->nrows[t], b->data, b->len);
		rows += s->nrows[t];
		s->nrows[t] = 0;
		b->len = 0;
		if (b->failed)
			buf_free(b);
		b->failed = false;
	}
	s->gathered = 0;
	if (!err)
		err = spool_add(s->spool, (uint64_t)time(NULL), bytes.data, bytes.len, rows);
	if (err)
		s->lost += rows;
	buf_free(&bytes);
	tell_safe(s);
	look_at_spool(s);
}

static void take_rows(struct sender *s, const struct ship_head *h, const char *text)
{
	if (h->table == SHIP_LOST)
		s->lost += h->rows;
	if (h->table == SHIP_END)
		s->closed = true;
	if (h->table >= FLEET_TABLES)
		return;
	buf_put(&s->rows[h->table], text, h->len);
	s->nrows[h->table] += h->rows;
	s->taken += h->rows;
	s->gathered += h->len;
	if (s->gathered > MOST_GATHERED)
		make_batch(s);
}

/* Takes what came over the socket. */
static void receive(struct sender *s)
{
	char chunk[65536];
	size_t at = 0;
	ssize_t n;

	while ((n = recv(s->fd, chunk, sizeof(chunk), MSG_DONTWAIT)) > 0)
		buf_put(&s->in, chunk, (size_t)n);
	if (!n || (errno != EAGAIN && errno != EINTR) || s->in.failed)
		s->closed = true;
	while (!s->in.failed && s->in.len - at >= sizeof(struct ship_head)) {
		struct ship_head h;

		memcpy(&h, s->in.data + at, sizeof(h));
		if (s->in.len - at - sizeof(h) < h.len)
			break;
		take_rows(s, &h, s->in.data + at + sizeof(h));
		at += sizeof(h) + h.len;
	}
	if (at)
		memmove(s->in.data, s->in.data + at, s->in.len - at);
	s->in.len -= at;
}

/* ---- sending ---- */

static size_t take_answer(char *data, size_t size, size_t n, void *arg)
{
	struct sender *s = arg;
	size_t room = MOST_ANSWER - s->answer.len;

	buf_put(&s->answer, data, n * size < room ? n * size : room);
	return n * size;
}

/* Ends the batch; the same failure is said once. */
static void end_batch(struct sender *s, const char *failure)
{
	bool in_memory = s->batch.fd < 0;

	s->busy = false;
	spool_release(s->spool, &s->batch, !failure);
	if (!failure) {
		if (in_memory)
			tell_safe(s);
		s->backoff = 0;
		*s->said = '\0';
		return;
	}
	s->failed = s->closed;
	s->backoff = s->backoff ? s->backoff * 2 : FIRST_RETRY;
	if (s->backoff > LONGEST_RETRY)
		s->backoff = LONGEST_RETRY;
	s->retry = monotonic() + s->backoff / 2 + random_below(s->backoff / 2);
	if (!strcmp(s->said, failure))
		return;
	snprintf(s->said, sizeof(s->said), "%s", failure);
	say(s, "%s: %s; rows wait in %s", s->o->url, failure, s->o->spool);
}

static bool set_request(struct sender *s)
{
	struct buf sql = {0};
	char *escaped = NULL;

	fleet_put_insert(&sql, s->section.table);
	if (!sql.failed)
		escaped = s->curl.easy_escape(s->easy, sql.data, (int)sql.len);
	s->url.len = 0;
	/*
	 * A Distributed table answers when its own disk has the rows: to wait for the shard
	 * (insert_distributed_sync) would leave the rows of a dead shard's hosts in their spools.
	 */
	buf_printf(&s->url, "%s?query=%s", s->o->url, escaped ? escaped : "");
	s->curl.free(escaped);
	buf_free(&sql);
	s->answer.len = 0;
	return escaped && !s->url.failed &&
		!s->curl.easy_setopt(s->easy, CURLOPT_URL, s->url.data) &&
		!s->curl.easy_setopt(s->easy, CURLOPT_POSTFIELDS, s->section.gzip) &&
		!s->curl.easy_setopt(
			s->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)s->section.len) &&
		!s->curl.multi_add_handle(s->multi, s->easy);
}

/* Sends the next section of the batch, or ends it. */
static void send_section(struct sender *s)
{
	int more = batch_next(&s->batch.data, &s->at, &s->section);

	if (more < 0 && !s->damaged_said)
		say(s, "%s/%s: the file is damaged; it is removed", s->o->spool, s->batch.name);
	if (more < 0)
		s->damaged_said = true;
	if (more <= 0)
		end_batch(s, NULL);
	else if (!set_request(s))
		end_batch(s, strerror(ENOMEM));
}

static void begin_batch(struct sender *s)
{
	if (spool_take(s->spool, (uint64_t)time(NULL), &s->batch) <= 0) {
		s->retry = s->due; /* nothing waits: until there is a new one */
		return;
	}
	s->busy = true;
	s->at = 0;
	send_section(s);
}

static void finish_requests(struct sender *s)
{
	CURLMsg *m;
	int left;

	while ((m = s->curl.multi_info_read(s->multi, &left))) {
		char failure[256];
		CURLcode code = m->data.result;
		long status = 0;

		if (m->msg != CURLMSG_DONE)
			continue;
		s->curl.easy_getinfo(s->easy, CURLINFO_RESPONSE_CODE, &status);
		s->curl.multi_remove_handle(s->multi, s->easy);
		if (!code && status == 200) {
			send_section(s);
			continue;
		}
		http_describe(&s->curl, code, status, &s->answer, failure, sizeof(failure));
		end_batch(s, failure);
	}
}

/* ---- the process ---- */

/* Expect: a server that is asked first would cost a round trip */
static bool set_curl(struct sender *s)
{
	struct curl_library *c = &s->curl;

	s->multi = c->multi_init();
	s->easy = c->easy_init();
	return s->multi && s->easy && http_add_header(c, &s->headers, "Content-Encoding: gzip") &&
		http_add_header(c, &s->headers, "Content-Type: text/tab-separated-values") &&
		http_add_header(c, &s->headers, "Expect:") &&
		http_set_options(c, s->easy, s->headers, s->o->credentials, s->o->authority) &&
		!c->easy_setopt(s->easy, CURLOPT_WRITEFUNCTION, take_answer) &&
		!c->easy_setopt(s->easy, CURLOPT_WRITEDATA, s);
}

static int set_up(struct sender *s, enum ship_stage *stage)
{
	const struct spool_limits limits = {s->o->spool_bytes, s->o->spool_age / SECOND};
	int err;

	*stage = SHIP_RIGHTS;
	err = helper_drop_bounding();
	if (!err)
		err = helper_drop_capabilities();
	if (err)
		return err;
	*stage = SHIP_LIBRARY;
	if (curl_load(&s->curl))
		return -ENOSYS;
	*stage = SHIP_MEMORY;
	spool_open(s->o->spool, s->o->url, s->o->run, &limits, &s->spool);
	if (!s->spool || s->curl.global_init(CURL_GLOBAL_DEFAULT) || !set_curl(s))
		return -ENOMEM;
	*stage = SHIP_RIGHTS;
	return cage_enter(s->o->authority, s->o->spool);
}

/* Returns how long to wait for news, in ms. */
static int wait_ms(const struct sender *s)
{
	uint64_t now = monotonic(), until = s->closed ? s->end : s->due;

	if (!s->busy && s->retry < until)
		until = s->retry;
	if (until <= now)
		return 0;
	return (int)((until - now) / 1000000 + 1);
}

static void begin_end(struct sender *s)
{
	make_batch(s);
	s->end = monotonic() + s->o->limit;
	s->retry = 0;
	s->failed = false;
}

/* True if all is sent or may wait for the next run. */
static bool is_over(struct sender *s)
{
	return s->end && !s->busy &&
		(s->failed || monotonic() >= s->end || !spool_counts(s->spool).batches);
}

static void serve(struct sender *s)
{
	struct curl_waitfd fd = {.fd = s->fd, .events = CURL_WAIT_POLLIN};
	int running, n;

	for (;;) {
		if (!s->closed)
			receive(s);
		if (s->closed && !s->end)
			begin_end(s);
		if (!s->closed && monotonic() >= s->due) {
			make_batch(s);
			if (!s->backoff)
				s->retry = 0;
		}
		if (is_over(s) || (s->end && monotonic() >= s->end))
			return;
		if (!s->busy && monotonic() >= s->retry)
			begin_batch(s);
		if (is_over(s))
			return;
		s->curl.multi_perform(s->multi, &running);
		finish_requests(s);
		s->curl.multi_poll(s->multi, &fd, s->closed ? 0 : 1, wait_ms(s), &n);
		s->curl.multi_perform(s->multi, &running);
		finish_requests(s);
	}
}

/* What is left is said: it is no loss yet. */
static void say_rest(struct sender *s)
{
	struct spool_counts c;

	if (s->busy) {
		s->curl.multi_remove_handle(s->multi, s->easy);
		spool_release(s->spool, &s->batch, false);
		say(s, "%s: no answer before the end", s->o->url);
	}
	c = spool_counts(s->spool);
	if (c.batches && !c.error)
		say(s, "%" PRIu64 " rows stay in %s for the next run", c.waiting, s->o->spool);
	else if (c.batches)
		say(s, "%" PRIu64 " rows are lost: neither sent nor written", c.waiting);
	if (c.dropped + s->lost)
		say(s, "%" PRIu64 " rows were lost", c.dropped + s->lost);
	say(s, "%c%" PRIu64, SHIP_SAFE, s->taken); /* what is lost was said */
}

int send_run(int fd, const struct ship_options *o)
{
	struct sender *s = calloc(1, sizeof(*s));
	struct ship_hello hello = {0};
	enum ship_stage stage = SHIP_MEMORY;

	/* the tracer ends it: what is gathered is not lost when both get a signal */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	if (s) {
		s->o = o;
		s->fd = fd;
	}
	hello.error = s ? set_up(s, &stage) : -ENOMEM;
	hello.stage = stage;
	if (send(fd, &hello, sizeof(hello), MSG_NOSIGNAL) != sizeof(hello) || hello.error)
		return 1;
	look_at_spool(s);
	schedule(s);
	serve(s);
	say_rest(s);
	return 0; /* the process ends, and its memory with it */
}
