// SPDX-License-Identifier: Apache-2.0
/* Prints saved sessions: makes events of records, and passes them to the text sink. */
#include "out/text_saved.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <dtrace/dtrace.h>

#include "abi/record.h"
#include "base/arena.h"
#include "consume/event.h"
#include "dtrace/data.h"
#include "lang/format.h"
#include "out/output.h"
#include "out/print.h"
#include "out/saved_data.h"
#include "out/writer.h"
#include "probe/probe.h"

struct text_saved {
	struct sink *text;
	struct sink_env env;
	struct arena *arena; /* of the action or table that is printed */
	struct arena *row;   /* of its rows, or of one row */
	struct probe probe;
	struct rec_desc desc;
	struct event event;
	bool ended;	/* the newline that ends a session is out */
	bool elsewhere; /* freopen() named a file */
};

/* ---- actions ---- */

/* Passes ACT to the sink as the only action of the event. */
static int put_action(struct text_saved *t, const struct rec_action *act, const void *data)
{
	t->desc.actions = act;
	t->desc.nactions = 1;
	t->event.data = data;
	return t->text->ops->action(t->text, &t->event, 0);
}

/* Prints text that a format made. */
static int put_text(struct text_saved *t, const char *text, size_t len)
{
	const struct conv conv = {.text = text, .text_len = (uint32_t)len};
	const struct format format = {.source = "", .convs = &conv, .nconvs = 1};
	const struct rec_action act = {.kind = REC_PRINTF, .format = &format};

	return text ? put_action(t, &act, NULL) : 0;
}

static int put_values(struct text_saved *t, enum rec_action_kind kind, const struct dtrace_item *i)
{
	struct rec_action act = {.kind = kind, .name = i->name, .ndata = i->nvalues};
	struct saved_data data;

	saved_data(t->arena, i->values, i->nvalues, kind == REC_PRINT, &data);
	act.data = data.data;
	return put_action(t, &act, data.base);
}

/* ---- tables ---- */

static int put_formatted(struct text_saved *t, const struct dtrace_table *table)
{
	int err = 0;

	for (unsigned i = 0; i < table->nrows && !err; i++) {
		const struct dtrace_row *row = dtrace_table_row(table, i);

		err = row ? put_text(t, row->text, row->text_len) : -ENOMEM;
	}
	return err;
}

/* Prints PART, rows of a table, one or all; a session's own tables have no event. */
static int put_part(struct text_saved *t, const struct event *ev, const struct agg_table *part)
{
	return t->text->ops->table(t->text, ev, 0, part);
}

/* Prints the rows one by one: there may be more than memory should hold. */
static int put_rows(struct text_saved *t, const struct event *ev, const struct dtrace_table *table,
	const struct agg_desc *descs, struct agg_table *part)
{
	struct agg_row row;
	int err;

	part->rows = &row;
	part->nrows = 0;
	err = put_part(t, ev, part); /* the newline before the table */
	part->nrows = 1;
	part->final = true;
	for (unsigned i = 0; i < table->nrows && !err; i++) {
		const struct dtrace_row *from = dtrace_table_row(table, i);

		if (!from)
			return -ENOMEM;
		arena_reset(t->row);
		saved_row(t->row, table, from, descs, &row);
		err = put_part(t, ev, part);
	}
	return err;
}

/* Prints the picture of option agghist or aggpack, which takes all rows at once. */
static int put_picture(struct text_saved *t, const struct event *ev,
	const struct dtrace_table *table, struct agg_desc *descs, struct agg_table *part)
{
	struct agg_row *rows = arena_new_array(t->arena, struct agg_row, table->nrows);

	arena_reset(t->row);
	for (unsigned i = 0; i < table->nrows; i++) {
		const struct dtrace_row *from = dtrace_table_row(table, i);

		if (!from)
			return -ENOMEM;
		saved_row(t->row, table, from, descs, &rows[i]);
	}
	descs[0].keys = rows[0].desc->keys; /* for the width of the columns */
	part->rows = rows;
	return put_part(t, ev, part);
}

static int put_table(struct text_saved *t, const struct event *ev, const struct dtrace_table *table)
{
	struct agg_desc *descs = saved_aggregations(t->arena, table);
	const struct agg_desc **aggs =
		arena_new_array(t->arena, const struct agg_desc *, table->naggregations + 1ul);
	struct agg_table part = {
		.aggs = aggs,
		.naggs = table->naggregations,
		.nrows = table->nrows,
		.final = table->final,
	};
	const struct printer pr = {.opts = *t->env.opts};

	for (unsigned i = 0; i < table->naggregations; i++)
		aggs[i] = &descs[i];
	if (picture_wanted(&pr, &part))
		return put_picture(t, ev, table, descs, &part);
	return put_rows(t, ev, table, descs, &part);
}

/* ---- files ---- */

/*
 * Text for another file is thrown away: the session has written that file, and a saved session
 * must not write to files that its reader has not named.
 */
static int reopen(struct text_saved *t, const struct dtrace_item *i)
{
	int err = t->text->ops->flush(t->text);

	t->elsewhere = i->text_len != 0;
	return err ? err
		   : output_reopen(sink_text_output(t->text), t->elsewhere ? "/dev/null" : "");
}

static int truncate_output(struct text_saved *t)
{
	int err = t->text->ops->flush(t->text);

	return err || t->elsewhere ? err : output_truncate(sink_text_output(t->text));
}

/* ---- the consumer ---- */

static int put_item(struct text_saved *t, const struct dtrace_item *i)
{
	switch (i->action) {
	case DTRACE_ACTION_TRACE:
		if (!strcmp(i->name, "tracesys")) /* its text, without the columns of trace() */
			return put_text(t, i->values->bytes, i->values->len);
		return put_values(t, REC_TRACE, i);
	case DTRACE_ACTION_STACK:
	case DTRACE_ACTION_SYMBOL:
		return put_values(t, REC_TRACE, i);
	case DTRACE_ACTION_TRACEMEM: {
		struct dtrace_item bytes = *i;

		bytes.nvalues = 1; /* those that are shown */
		return put_values(t, REC_TRACEMEM, &bytes);
	}
	case DTRACE_ACTION_PRINT:
		return put_values(t, REC_PRINT, i);
	case DTRACE_ACTION_PCAP:
		return t->elsewhere ? 0 : put_values(t, REC_PCAP, i);
	case DTRACE_ACTION_PRINTF:
		return put_text(t, i->text, i->text_len);
	case DTRACE_ACTION_PRINTA:
		return i->format ? put_formatted(t, i->table) : put_table(t, &t->event, i->table);
	case DTRACE_ACTION_FREOPEN:
		return reopen(t, i);
	case DTRACE_ACTION_FTRUNCATE:
		return truncate_output(t);
	default:
		return 0;
	}
}

static int saved_begin(void *arg, const struct dtrace_record *r)
{
	struct text_saved *t = arg;

	t->probe = (struct probe){
		.id = r->probe->id,
		.prov = r->probe->provider,
		.mod = r->probe->module,
		.func = r->probe->function,
		.name = r->probe->name,
	};
	t->desc = (struct rec_desc){.clause = r->clause};
	t->event = (struct event){
		.probe = &t->probe, .desc = &t->desc, .cpu = r->cpu, .continued = r->continued};
	return t->text->ops->begin(t->text, &t->event);
}

static int saved_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct text_saved *t = arg;

	(void)r;
	arena_reset(t->arena);
	return ARENA_TRY(t->arena, put_item(t, i), -ENOMEM);
}

static int saved_end(void *arg, const struct dtrace_record *r)
{
	struct text_saved *t = arg;

	(void)r;
	return t->text->ops->end(t->text, &t->event);
}

static int end_records(struct text_saved *t)
{
	bool ended = t->ended;

	t->ended = true;
	return ended ? 0 : t->text->ops->newline(t->text);
}

static int saved_table(void *arg, const struct dtrace_table *table)
{
	struct text_saved *t = arg;
	int err = end_records(t);

	if (err)
		return err;
	arena_reset(t->arena);
	return ARENA_TRY(t->arena, put_table(t, NULL, table), -ENOMEM);
}

static int saved_finish(void *arg)
{
	struct text_saved *t = arg;
	int err = end_records(t);

	return err ? err : t->text->ops->flush(t->text);
}

static void release(void *arg)
{
	struct text_saved *t = arg;

	if (t->text)
		t->text->ops->free(t->text);
	arena_free(t->row); /* it is below the other */
	arena_free(t->arena);
	free(t);
}

int text_saved_open(FILE *out, const struct sink_env *env, struct writer *w)
{
	struct text_saved *t = calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	t->env = *env;
	t->arena = arena_new();
	t->row = t->arena ? arena_new_below(t->arena) : NULL;
	t->text = sink_text_new(env, out);
	if (!t->arena || !t->row || !t->text) {
		release(t);
		return -ENOMEM;
	}
	*w = (struct writer){
		.consumer =
			{
				.arg = t,
				.begin = saved_begin,
				.item = saved_item,
				.end = saved_end,
				.table = saved_table,
				.finish = saved_finish,
			},
		.release = release,
	};
	return 0;
}
