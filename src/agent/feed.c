// SPDX-License-Identifier: Apache-2.0
/* Reads the activations. */
#include "agent/feed.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "agent/activation.h"
#include "agent/conf.h"
#include "agent/trusted.h"
#include "base/buf.h"
#include "fleet/query.h"
#include "fleet/tables.h"

#define SECOND	     1000000000ull
#define BACKOFF_MOST (60 * SECOND)
#define FILE_MOST    (1u << 20) /* bytes */
#define ANSWER_MOST  (1u << 20)
#define ANSWER_MS    5000

void feed_init(struct feed *s, const struct agent_conf *conf,
	const struct target_credentials *credentials, const char *host)
{
	*s = (struct feed){.conf = conf, .credentials = credentials, .host = host};
}

void feed_fini(struct feed *s)
{
	query_free(s->query);
	s->query = NULL;
}

int feed_fd(const struct feed *s)
{
	return s->query ? query_fd(s->query) : -1;
}

bool feed_is_lost(const struct feed *s, uint64_t now)
{
	return now - s->good > s->conf->lease;
}

static void fail(struct feed *s, const char *what, const char *why, size_t len)
{
	snprintf(s->problem, sizeof(s->problem), "%s: %.*s", what, (int)len, why);
}

/* Takes a good reading that began at BEGAN. */
static void succeed(struct feed *s, const struct activations *a, uint64_t began)
{
	s->good = began;
	s->backoff = 0;
	snprintf(s->problem, sizeof(s->problem), "%s", a->problem ? a->problem : "");
}

/* ---- a file ---- */

/* No file is the same as an empty one. */
static bool read_file(struct feed *s, uint64_t now, struct activations *out)
{
	const char *path = s->conf->file, *problem;
	struct buf text = {0};
	int err = trusted_read(path, FILE_MOST, &text, &problem);

	s->next = now + s->conf->poll;
	if (err && err != -ENOENT) {
		fail(s, path, problem, strlen(problem));
	} else {
		activations_read_file(out, path, text.data, text.len);
		succeed(s, out, now);
		err = 0;
	}
	buf_free(&text);
	return !err;
}

/* ---- the database ---- */

static void lose_process(struct feed *s, uint64_t now)
{
	query_free(s->query);
	s->query = NULL;
	s->asked = 0;
	s->backoff = s->backoff ? s->backoff * 2 : SECOND;
	if (s->backoff > BACKOFF_MOST)
		s->backoff = BACKOFF_MOST;
	s->next = now + s->backoff;
}

static bool start_process(struct feed *s, uint64_t now)
{
	const struct query_options o = {
		s->conf->values[AGENT_url], s->credentials, s->conf->values[AGENT_cafile]};
	const char *problem;

	if (s->query || !query_start(&o, &s->query, &problem))
		return true;
	s->query = NULL;
	fail(s, "the activations cannot be read", problem, strlen(problem));
	lose_process(s, now);
	return false;
}

static void ask(struct feed *s, uint64_t now)
{
	struct query_table me = {.name = "me", .structure = "host String"};
	struct query_question q = {.sql = activations_query,
		.tables = &me,
		.ntables = 1,
		.ms = ANSWER_MS,
		.most = ANSWER_MOST};
	struct buf row = {0};

	if (!start_process(s, now))
		return;
	fleet_put_escaped(&row, s->host, strlen(s->host));
	buf_putc(&row, '\n');
	me.rows = row.data;
	me.len = row.len;
	q.id = ++s->number;
	if (row.failed || query_ask(s->query, &q))
		lose_process(s, now);
	else
		s->asked = now;
	s->next = now + s->conf->poll;
	buf_free(&row);
}

static bool take_answer(struct feed *s, uint64_t now, struct activations *out)
{
	struct query_answer a;
	uint64_t began = s->asked;
	int n = query_take(s->query, &a);
	bool good;

	if (n < 0) {
		fail(s, "the activations cannot be read", "the process that asks died", 32);
		lose_process(s, now);
	}
	if (n <= 0)
		return false;
	s->asked = 0;
	if (a.id != s->number)
		return false;
	good = a.ok && !activations_read_rows(out, a.text, a.len);
	if (good)
		succeed(s, out, began);
	else if (a.ok)
		fail(s, "the activations cannot be read", "this is no answer to the query", 32);
	else
		fail(s, "the activations cannot be read", a.text, a.len);
	return good;
}

bool feed_work(struct feed *s, uint64_t now, struct activations *out)
{
	if (s->conf->file)
		return now >= s->next && read_file(s, now, out);
	if (s->asked && take_answer(s, now, out))
		return true;
	if (!s->asked && now >= s->next)
		ask(s, now);
	return false;
}
