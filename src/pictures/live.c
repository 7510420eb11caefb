// SPDX-License-Identifier: Apache-2.0
/*
 * Makes the documents of the live page: tables, flame graphs.
 *
 *	{"tables":[
 *	 {"name":"c","function":"count","total":2,"rows":[{"keys":["a","1"],"value":7}, ...]}]}
 *
 * A row has "value" or, if it is a distribution, "buckets": [[low, high, count], ...].  The
 * aggregation has "total" rows; the document has the last MOST_ROWS of them.  A key that is a stack
 * is an array of its frames, innermost first, in the last MOST_STACKS rows, which the page shows,
 * and only the innermost one in others.  Rows of count() and sum() that differ in nothing but the
 * process of a user stack are one.  Printed tables add to
 * the flame graph even if no browser watches, because clear() often follows.
 */
#include "pictures/live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/rectab.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"
#include "formats/gather.h"
#include "pictures/heat_gather.h"
#include "pictures/heat_page.h"
#include "formats/json.h"
#include "pictures/picture.h"
#include "formats/writer.h"
#include "formats/writers.h"
#include "print/kinds.h"
#include "web/web.h"

#define INTERVAL    1000000000ull /* ns */
#define MOST_ROWS   1000u
#define MOST_STACKS 50u			  /* MOST of viz/tables.js */
#define MOST_JOINED 2000u		  /* rows, of those with user stacks */
#define SHOWN	    (600 * 1000000000ull) /* ns of heat maps */

struct live {
	struct web *web;
	struct gather gather;
	struct heat_gather heat;
	struct buf tables, text;
	uint64_t sent[WEB_DOCUMENTS]; /* hashes of what was sent last; browsers have it */
	bool begun;		      /* a snapshot is under way */
};

/* ---- tables ---- */

/* Writes the text that was put in the buffer as a string. */
static void put_text(struct live *l)
{
	struct buf *text = &l->text;

	buf_putc(text, '\0');
	if (text->failed)
		l->tables.failed = true;
	else
		picture_put_text(&l->tables, text->data);
	text->len = 0;
}

static void put_stack(struct live *l, const struct dtrace_value *v, bool whole)
{
	put_literal(&l->tables, "[");
	for (unsigned i = 0; i < v->nframes && (whole || !i); i++) {
		if (i)
			put_char(&l->tables, ',');
		picture_put_text(&l->tables, v->frames[i].text);
	}
	if (whole && v->incomplete)
		put_bytes(&l->tables, &",\"...\""[!v->nframes], strlen(",\"...\"") - !v->nframes);
	put_literal(&l->tables, "]");
}

static void put_key(struct live *l, const struct dtrace_value *v, bool whole)
{
	if (value_is_stack(v)) {
		put_stack(l, v, whole);
		return;
	}
	writer_put_value_text(&l->text, v);
	put_text(l);
}

static void put_keys(struct live *l, const struct dtrace_row *row, unsigned nkeys, bool whole)
{
	for (unsigned i = 0; i < nkeys; i++) {
		if (i)
			put_char(&l->tables, ',');
		put_key(l, &row->keys[i], whole);
	}
}

static void put_row(struct live *l, const struct dtrace_row *row, unsigned nkeys, bool whole)
{
	const struct dtrace_agg_value *v = &row->values[0];
	struct buf *b = &l->tables;

	put_literal(b, "{\"keys\":[");
	put_keys(l, row, nkeys, whole);
	if (!aggregation_is_distribution(v->aggregation)) {
		put_literal(b, "],\"value\":");
		writer_put_agg_number(b, v);
		put_char(b, '}');
		return;
	}
	put_literal(b, "],\"buckets\":[");
	for (unsigned i = 0; i < v->nbuckets; i++) {
		if (i)
			put_char(b, ',');
		put_char(b, '[');
		json_put_signed(b, v->buckets[i].low);
		put_char(b, ',');
		json_put_signed(b, v->buckets[i].high);
		put_char(b, ',');
		json_put_signed(b, writer_bucket_shown(v, v->buckets[i].count));
		put_char(b, ']');
	}
	put_literal(b, "]}");
}

static int put_rows(struct live *l, const struct dtrace_table *t)
{
	unsigned first = t->nrows > MOST_ROWS ? t->nrows - MOST_ROWS : 0;

	json_put_unsigned(&l->tables, t->nrows);
	put_literal(&l->tables, ",\"rows\":[");
	for (unsigned i = first; i < t->nrows; i++) {
		const struct dtrace_row *row = dtrace_table_row(t, i);

		if (!row)
			return -ENOMEM;
		if (i > first)
			put_char(&l->tables, ',');
		put_row(l, row, t->aggregations[0].nkeys, t->nrows - i <= MOST_STACKS);
	}
	return 0;
}

/* ---- rows of several processes ---- */

/* Rows whose keys have the same text, and the sum of their values. */
struct same {
	const char *text;
	int64_t value;
};

/*
 * True if T can have rows that look the same: the same user stack in two processes.  Only what adds
 * up can be put into one row.
 */
static bool can_join(const struct dtrace_table *t)
{
	const struct dtrace_aggregation *a = &t->aggregations[0];
	const struct dtrace_row *row = t->nrows ? dtrace_table_row(t, 0) : NULL;

	if (!row || (a->function != DTRACE_COUNT && a->function != DTRACE_SUM))
		return false;
	for (unsigned i = 0; i < a->nkeys; i++)
		if (row->keys[i].kind == DTRACE_KIND_USTACK)
			return true;
	return false;
}

static int by_value(const void *a, const void *b)
{
	const struct same *const *x = a, *const *y = b;

	return (*x)->value == (*y)->value ? 0 : (*x)->value < (*y)->value ? -1 : 1;
}

/* Returns the text of the keys of ROW, whole, in ARENA. */
static const char *keys_text(
	struct live *l, struct arena *arena, const struct dtrace_row *row, unsigned nkeys)
{
	size_t from = l->tables.len;
	const char *text;

	put_keys(l, row, nkeys, true);
	text = l->tables.failed ? ""
				: arena_strndup(arena, l->tables.data + from, l->tables.len - from);
	l->tables.len = from;
	return text;
}

/* Collects the rows of T that differ in their text.  The last ones of T have the largest values. */
static int join_rows(struct live *l, struct arena *arena, const struct dtrace_table *t)
{
	const struct dtrace_aggregation *a = &t->aggregations[0];
	struct strmap known = {0};
	VEC(struct same *) list = {0};
	unsigned left = t->nrows > MOST_JOINED ? t->nrows - MOST_JOINED : 0, first;

	for (unsigned i = left; i < t->nrows; i++) {
		const struct dtrace_row *row = dtrace_table_row(t, i);
		const char *text = row ? keys_text(l, arena, row, a->nkeys) : NULL;
		struct same *same = text ? strmap_get(&known, text) : NULL;

		if (!text)
			return -ENOMEM;
		if (!same) {
			same = arena_new_obj(arena, struct same);
			*same = (struct same){.text = text};
			strmap_put(arena, &known, text, same);
			vec_push(arena, &list, same);
		}
		same->value += row->values[0].number;
	}
	qsort(list.data, list.len, sizeof(*list.data), by_value);
	json_put_unsigned(&l->tables, left + list.len);
	put_literal(&l->tables, ",\"rows\":[");
	first = list.len > MOST_STACKS ? list.len - MOST_STACKS : 0;
	for (unsigned i = first; i < list.len; i++) {
		put_bytes(&l->tables, ",", i > first);
		put_literal(&l->tables, "{\"keys\":[");
		buf_puts(&l->tables, list.data[i]->text);
		put_literal(&l->tables, "],\"value\":");
		json_put_signed(&l->tables, list.data[i]->value);
		put_char(&l->tables, '}');
	}
	return 0;
}

static int try_join(struct live *l, struct arena *arena, const struct dtrace_table *t)
{
	return ARENA_TRY(arena, join_rows(l, arena, t), -ENOMEM);
}

static int put_joined(struct live *l, const struct dtrace_table *t)
{
	struct arena *arena = arena_new();
	int err = arena ? try_join(l, arena, t) : -ENOMEM;

	arena_free(arena);
	return err;
}

static int put_table(struct live *l, const struct dtrace_table *t)
{
	const struct dtrace_aggregation *a = &t->aggregations[0];
	struct buf *b = &l->tables;
	int err;

	put_bytes(b, b->len > strlen("{\"tables\":[") ? "," : "", b->len > strlen("{\"tables\":["));
	put_literal(b, "{\"name\":");
	picture_put_text(b, a->name);
	put_literal(b, ",\"function\":");
	picture_put_text(b, a->function_name);
	put_literal(b, ",\"total\":");
	err = can_join(t) ? put_joined(l, t) : put_rows(l, t);
	put_literal(b, "]}");
	return err ? err : b->failed ? -ENOMEM : 0;
}

/* ---- documents ---- */

/* Sends document WHICH unless it is what the browsers have. */
static void send_changed(struct live *l, enum web_document which, const struct buf *b)
{
	uint64_t hash = rectab_hash(b->data, b->len);

	if (hash == l->sent[which])
		return;
	l->sent[which] = hash;
	web_send(l->web, which, b->data, b->len);
}

static int send_graphs(struct live *l)
{
	struct buf b = {0};
	int err;

	if (!l->gather.graphs.len)
		return 0;
	put_literal(&b, "{");
	err = picture_put_graphs(&b, &l->gather);
	put_literal(&b, "}");
	if (!err && !b.failed)
		send_changed(l, WEB_FLAMEGRAPH, &b);
	buf_free(&b);
	return err;
}

static void begin(struct live *l)
{
	l->tables.len = 0;
	put_literal(&l->tables, "{\"tables\":[");
	l->begun = true;
}

static bool has_map(const struct live *l)
{
	vec_for (m, &l->heat.maps)
		if (!(*m)->only_stacks && (*m)->heat && (*m)->heat->cells.len)
			return true;
	return false;
}

/* The maps of the last minutes: a browser gets all of them each time. */
static int send_maps(struct live *l, uint64_t time)
{
	struct buf b = {0};
	int err = heat_gather_show(&l->heat, time > SHOWN ? time - SHOWN : 0);

	if (!err && has_map(l)) {
		put_literal(&b, "{");
		err = heat_page_put(&b, &l->heat);
		put_literal(&b, "}");
		if (!err && !b.failed)
			send_changed(l, WEB_HEATMAP, &b);
	}
	buf_free(&b);
	return err;
}

static int send_documents(struct live *l, uint64_t time)
{
	int err;

	if (!l->begun)
		begin(l);
	l->begun = false;
	put_literal(&l->tables, "]}");
	if (l->tables.failed)
		return -ENOMEM;
	send_changed(l, WEB_TABLES, &l->tables);
	err = send_graphs(l);
	return err ? err : send_maps(l, time);
}

/* ---- the consumer ---- */

static bool live_wants(void *arg)
{
	struct live *l = arg;

	return web_wants(l->web);
}

static int live_snapshot(void *arg, uint64_t time, const struct dtrace_table *t)
{
	struct live *l = arg;
	int err;

	if (!t)
		return send_documents(l, time);
	if (!l->begun)
		begin(l);
	err = put_table(l, t);
	if (!err)
		err = gather_table(&l->gather, t);
	return err ? err : heat_gather_snapshot(&l->heat, time, t);
}

static int live_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct live *l = arg;

	int err = gather_item(&l->gather, r, i);

	return err ? err : heat_gather_item(&l->heat, r, i);
}

static int live_end(void *arg, const struct dtrace_record *r)
{
	struct live *l = arg;

	return gather_end(&l->gather);
}

static int live_flush(void *arg)
{
	struct live *l = arg;

	web_flush(l->web);
	return 0;
}

static void live_release(void *arg)
{
	struct live *l = arg;

	web_stop(l->web);
	gather_fini(&l->gather);
	heat_gather_fini(&l->heat);
	buf_free(&l->tables);
	buf_free(&l->text);
	free(l);
}

static int start(
	struct live *l, uint16_t port, const struct writer_about *about, const char **problem)
{
	struct buf page = {0}, policy = {0}, picture = {0};
	int err = -ENOMEM;

	page_put_policy(&policy, PAGE_LIVE);
	put_char(&policy, '\0');
	put_char(&picture, '{');
	picture_put_about(&picture, about);
	put_literal(&picture, "\"show\":\"live\"}");
	page.failed |= picture.failed;
	if (!picture.failed)
		page_put(&page, PAGE_LIVE, "dtrace", about, picture.data, picture.len);
	buf_free(&picture);
	*problem = strerror(ENOMEM);
	if (!page.failed && !policy.failed)
		err = web_start(port,
			&(struct web_page){
				.html = page.data, .len = page.len, .policy = policy.data},
			&l->web, problem);
	buf_free(&page);
	buf_free(&policy);
	return err;
}

int live_open(uint16_t port, const struct writer_about *about, struct writer *w,
	const char **address, const char **problem)
{
	struct live *l = calloc(1, sizeof(*l));
	int err = l ? start(l, port, about, problem) : -ENOMEM;

	if (err) {
		free(l);
		return err;
	}
	heat_gather_begin(&l->heat);
	l->heat.late = true; /* whenever a browser comes */
	*address = web_address(l->web);
	*w = (struct writer){
		.consumer =
			{
				.arg = l,
				.want_time = true,
				.item = live_item,
				.end = live_end,
				.snapshot_interval = INTERVAL,
				.wants_snapshot = live_wants,
				.snapshot = live_snapshot,
				.flush = live_flush,
			},
		.release = live_release,
	};
	return 0;
}
