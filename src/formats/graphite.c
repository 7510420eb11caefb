// SPDX-License-Identifier: Apache-2.0
/*
 * Sends aggregations to Carbon, Graphite's receiver, in its line protocol: "PATH VALUE TIMESTAMP".
 *
 * An aggregation that the program prints is sent when it is printed; others are sent at intervals.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "base/rectab.h"
#include "base/vec.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"
#include "formats/json.h"
#include "formats/tcp.h"
#include "formats/writer.h"
#include "formats/writers.h"
#include "print/kinds.h"

#define SECOND	     1000000000ull
#define DRAIN	     2000 /* ms to wait for the receiver at the end */
#define PART_LONGEST 255  /* bytes: parts of paths are names of files */

struct sent_aggregation {
	uint32_t id;
	bool printed;
	bool left_out; /* which was said */
};

struct graphite {
	struct tcp *to;
	struct writer_info info;
	HEAPVEC(struct sent_aggregation) aggregations;
	struct rectab seen;    /* hashes of the paths of a table: uint64_t, how often */
	struct buf path, line; /* of a row */
	uint64_t too_long;     /* rows that were left out */
	bool snapshots;	       /* came, the last one with what table() gets */
	bool failed;	       /* to connect, which was said */
	char problem[256];
};

static struct sent_aggregation *find_aggregation(
	struct graphite *g, const struct dtrace_aggregation *a)
{
	struct sent_aggregation *new;

	vec_for (s, &g->aggregations)
		if (s->id == a->id)
			return s;
	new = heapvec_add(&g->aggregations);
	if (new)
		new->id = a->id;
	return new;
}

/* ---- paths ---- */

static bool is_plain(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '_' || c == '-';
}

/* Dots divide paths, and blanks lines: other bytes than letters and digits are written as %XX. */
static void put_part(struct buf *b, const char *s, size_t len)
{
	put_char(b, '.');
	if (!len)
		put_literal(b, "%00");
	for (size_t i = 0; i < len; i++) {
		if (is_plain((unsigned char)s[i])) {
			put_char(b, s[i]);
		} else {
			put_char(b, '%');
			json_put_hex(b, &s[i], 1);
		}
	}
}

/* Returns 1 if the path is too long, 0, or -ENOMEM. */
static int take_path(
	struct graphite *g, const struct dtrace_row *row, const struct dtrace_aggregation *a)
{
	struct buf *b = &g->path, *text = &g->line;
	uint64_t hash, *times;
	int64_t at;

	b->len = 0;
	put_literal(b, "dtrace.");
	buf_puts(b, a->name);
	for (unsigned i = 0; i < a->nkeys; i++) {
		size_t from = b->len;

		text->len = 0;
		writer_put_value_text(text, &row->keys[i]);
		put_part(b, text->data ? text->data : "", text->len);
		if (b->len - from > PART_LONGEST + 1)
			return 1;
	}
	if (b->failed || text->failed)
		return -ENOMEM;
	hash = rectab_hash(b->data, b->len);
	at = rectab_put(&g->seen, &hash);
	if (at < 0)
		return -ENOMEM;
	/* keys that look alike, as the same function of two processes */
	times = rectab_rec(&g->seen, (uint32_t)at);
	if (++*times > 1)
		buf_printf(b, ".row%llu", (unsigned long long)*times);
	return b->failed ? -ENOMEM : 0;
}

/* ---- lines ---- */

static int put_line(struct graphite *g, uint64_t time)
{
	struct buf *b = &g->line;

	put_char(b, ' ');
	json_put_unsigned(b, time / SECOND);
	put_char(b, '\n');
	return b->failed ? -ENOMEM : tcp_put(g->to, b->data, b->len);
}

static int put_value(struct graphite *g, const struct dtrace_agg_value *v, uint64_t time)
{
	struct buf *b = &g->line;
	int err = 0;

	if (!aggregation_is_distribution(v->aggregation)) {
		b->len = 0;
		put_bytes(b, g->path.data, g->path.len);
		put_char(b, ' ');
		writer_put_agg_number(b, v);
		return put_line(g, time);
	}
	for (unsigned i = 0; i < v->nbuckets && !err; i++) {
		b->len = 0;
		put_bytes(b, g->path.data, g->path.len);
		put_char(b, '.');
		json_put_signed(b, v->buckets[i].low);
		put_literal(b, "_to_");
		json_put_signed(b, v->buckets[i].high);
		put_char(b, ' ');
		json_put_signed(b, writer_bucket_shown(v, v->buckets[i].count));
		err = put_line(g, time);
	}
	return err;
}

/* A path for each stack would be of no use. */
static bool leaves_out(struct graphite *g, struct sent_aggregation *s,
	const struct dtrace_aggregation *a, const struct dtrace_row *row)
{
	for (unsigned i = 0; i < a->nkeys && !s->left_out; i++)
		if (value_is_stack(&row->keys[i])) {
			writer_say(&g->info, "@%s is left out: a stack is no part of a path",
				strcmp(a->name, "_") != 0 ? a->name : "");
			s->left_out = true;
		}
	return s->left_out;
}

static int put_aggregation(
	struct graphite *g, const struct dtrace_table *t, unsigned i, uint64_t time, bool printed)
{
	const struct dtrace_aggregation *a = &t->aggregations[i];
	struct sent_aggregation *s = find_aggregation(g, a);
	int err = s ? 0 : -ENOMEM;

	if (err || (s->printed && !printed))
		return err;
	s->printed = printed;
	rectab_fini(&g->seen);
	rectab_init(&g->seen, sizeof(uint64_t), sizeof(uint64_t));
	for (unsigned k = 0; k < t->nrows && err >= 0; k++) {
		const struct dtrace_row *row = dtrace_table_row(t, k);

		if (!row)
			return -ENOMEM;
		if (leaves_out(g, s, a, row))
			break;
		if (!row->values[i].present)
			continue;
		err = take_path(g, row, a);
		if (!err)
			err = put_value(g, &row->values[i], time);
		else if (err > 0)
			g->too_long++;
	}
	return err < 0 ? err : 0;
}

/* Sends what can be sent; says the first time that it cannot. */
static void work(struct graphite *g)
{
	int err;

	tcp_work(g->to);
	err = tcp_error(g->to);
	if (err && !g->failed)
		writer_say(&g->info, "%s: %s; it is tried again every second", g->info.path,
			strerror(err));
	g->failed |= err != 0;
}

static int put_table(struct graphite *g, const struct dtrace_table *t, uint64_t time, bool printed)
{
	int err = 0;

	for (unsigned i = 0; i < t->naggregations && !err; i++)
		err = put_aggregation(g, t, i, time, printed);
	return err;
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* ---- callbacks ---- */

static int graphite_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	return i->action == DTRACE_ACTION_PRINTA
		? put_table(arg, i->table, r->time ? r->time : now(), true)
		: 0;
}

static int graphite_table(void *arg, const struct dtrace_table *t)
{
	struct graphite *g = arg;

	return g->snapshots ? 0 : put_table(g, t, now(), false);
}

static int graphite_snapshot(void *arg, uint64_t time, const struct dtrace_table *t)
{
	struct graphite *g = arg;

	g->snapshots = true;
	if (t)
		return put_table(g, t, time, false);
	work(g);
	return 0;
}

static int graphite_flush(void *arg)
{
	work(arg);
	return 0;
}

static int graphite_finish(void *arg)
{
	struct graphite *g = arg;
	struct tcp_counts c;
	uint64_t lost;
	const char *why;

	tcp_drain(g->to, DRAIN);
	c = tcp_counts(g->to);
	lost = c.lost + c.left;
	why = tcp_error(g->to) ? strerror(tcp_error(g->to)) : "it does not take them";
	if (g->too_long)
		writer_say(&g->info, "rows left out because a part of their path is too long: %llu",
			(unsigned long long)g->too_long);
	if (!lost)
		return 0;
	if (lost < c.lines) {
		writer_say(&g->info, "%s: %llu of %llu values were lost: %s", g->info.path,
			(unsigned long long)lost, (unsigned long long)c.lines, why);
		return 0;
	}
	snprintf(g->problem, sizeof(g->problem), "%s: all values were lost: %s", g->info.path, why);
	*g->info.problem = g->problem;
	return -EIO;
}

static void graphite_release(void *arg)
{
	struct graphite *g = arg;

	tcp_close(g->to);
	heapvec_free(&g->aggregations);
	rectab_fini(&g->seen);
	buf_free(&g->path);
	buf_free(&g->line);
	free(g);
}

int graphite_open(FILE *out, const struct writer_info *info, struct writer *w)
{
	struct graphite *g = calloc(1, sizeof(*g));
	int err = g ? tcp_open(info->path, "2003", &g->to, info->problem) : -ENOMEM;

	if (err) {
		free(g);
		return err;
	}
	g->info = *info;
	*w = (struct writer){
		.consumer =
			{
				.arg = g,
				.want_time = true,
				.item = graphite_item,
				.table = graphite_table,
				.snapshot_interval = info->interval,
				.snapshot = graphite_snapshot,
				.finish = graphite_finish,
				.flush = graphite_flush,
			},
		.release = graphite_release,
	};
	return 0;
}
