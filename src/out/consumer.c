// SPDX-License-Identifier: Apache-2.0
/* Wraps a consumer of the public interface as a sink. */
#include <errno.h>
#include <stdlib.h>

#include <dtrace/dtrace.h>

#include "abi/record.h"
#include "base/arena.h"
#include "base/buf.h"
#include "consume/drops.h"
#include "consume/event.h"
#include "dtrace/data.h"
#include "out/print.h"
#include "out/sink.h"
#include "out/view.h"

struct consumer {
	struct sink sink;
	struct dtrace_consumer to;
	struct printer pr;
	struct arena *arena; /* of the record or table that is being handed over */
	struct arena *row;
	struct view view;
	struct sink *text; /* want_text: what the text output would print */
	FILE *stream;	   /* that it prints to */
	char *printed;
	size_t nprinted;
	struct dtrace_probe probe;
	struct dtrace_record record;
	int (*changing)(void *arg, const struct dtrace_table *t, bool after); /* or NULL */
};

static struct consumer *consumer_of(struct sink *s)
{
	return (struct consumer *)s;
}

static const struct dtrace_probe *probe_view(struct consumer *c, const struct probe *p)
{
	if (!p)
		return NULL;
	c->probe = (struct dtrace_probe){
		.id = p->id,
		.provider = p->prov,
		.module = p->mod,
		.function = p->func,
		.name = p->name,
	};
	return &c->probe;
}

/* The result of CALL, which makes what is handed over, or -ENOMEM.  Options may have changed. */
#define MAKE(c, call) ((c)->pr.opts = *(c)->pr.env.opts, ARENA_TRY((c)->arena, (call), -ENOMEM))

/* ---- text ---- */

/* Returns the text that the text output has printed since the last call. */
static const char *take_text(struct consumer *c, size_t *len)
{
	const char *text;

	*len = 0;
	if (!c->text)
		return NULL;
	c->text->ops->flush(c->text);
	*len = c->nprinted;
	text = arena_strndup(c->arena, c->printed ? c->printed : "", c->nprinted);
	rewind(c->stream);
	return text;
}

/* Formats the text of an item with a format. */
static void format_text(struct consumer *c, const struct event *ev, const struct rec_action *act,
	struct dtrace_item *out)
{
	const struct format_args args = {
		.data = act->data,
		.ndata = act->ndata,
		.src = {.base = ev->data, .probe = ev->probe},
	};
	size_t from = c->pr.buf.len;

	if (!print_format(&c->pr, act->format, &args))
		out->text = view_text(&c->view, from, &out->text_len);
}

/* ---- records ---- */

static uint64_t time_of(struct consumer *c, const struct event *ev)
{
	uint64_t ns;

	if (!ev->desc->timed)
		return 0;
	memcpy(&ns, (const char *)ev->data + ev->desc->time, sizeof(ns));
	return ns + c->pr.env.wall_offset;
}

static void fill_thread(struct consumer *c, const struct event *ev)
{
	const char *name = (const char *)ev->data + ev->desc->thread + 8;
	uint64_t ids;

	c->record.execname = c->record.threadname = "";
	if (!ev->desc->with_thread)
		return;
	memcpy(&ids, name - 8, sizeof(ids));
	c->record.pid = (pid_t)(ids >> 32);
	c->record.tid = (pid_t)ids;
	c->record.execname = arena_strndup(c->arena, name, strnlen(name, RECORD_NAME));
	name += RECORD_NAME;
	c->record.threadname = arena_strndup(c->arena, name, strnlen(name, RECORD_NAME));
}

static int make_record(struct consumer *c, const struct event *ev)
{
	const char *titles;
	size_t len;

	c->record = (struct dtrace_record){
		.probe = probe_view(c, ev->probe),
		.clause = ev->desc->clause,
		.cpu = ev->cpu,
		.time = time_of(c, ev),
		.continued = ev->continued,
	};
	fill_thread(c, ev);
	for (uint32_t i = 0; i < ev->desc->nactions; i++)
		c->record.nitems += event_ran(ev, i);
	if (c->text) {
		c->text->ops->begin(c->text, ev);
		c->record.prefix = take_text(c, &len);
		titles = strrchr(c->record.prefix, '\n'); /* before the first record */
		if (titles)
			c->record.prefix = titles + 1;
	}
	return 0;
}

static int consumer_begin(struct sink *s, const struct event *ev)
{
	struct consumer *c = consumer_of(s);
	int err;

	if (!c->to.begin && !c->to.item && !c->to.end)
		return 0;
	arena_reset(c->arena);
	err = MAKE(c, make_record(c, ev));
	return !err && c->to.begin ? c->to.begin(c->to.arg, &c->record) : err;
}

/* Returns the subject of clear(), trunc() and normalize() as a table without rows. */
static const struct dtrace_table *subject(struct consumer *c, const struct rec_action *act)
{
	struct dtrace_table *out = arena_new_obj(c->arena, struct dtrace_table);
	struct view_table *insides = arena_new_obj(c->arena, struct view_table);
	const struct agg_table t = {.aggs = act->aggs, .naggs = act->naggs};

	insides->view = &c->view;
	view_table(insides, &t, out);
	out->insides = NULL;
	return out;
}

static int make_item(
	struct consumer *c, const struct event *ev, uint32_t i, struct dtrace_item *item)
{
	const struct rec_action *act = &ev->desc->actions[i];

	view_item(&c->view, ev, i, item);
	if (act->naggs)
		item->table = subject(c, act);
	if (act->format)
		format_text(c, ev, act, item);
	if (c->text && act->kind != REC_SYSTEM && act->kind != REC_FREOPEN &&
		act->kind != REC_PCAP) {
		c->text->ops->action(c->text, ev, i);
		item->text = take_text(c, &item->text_len);
	}
	return 0;
}

static int consumer_action(struct sink *s, const struct event *ev, uint32_t i)
{
	struct consumer *c = consumer_of(s);
	struct dtrace_item item;
	int err;

	/* the table of printa() comes */
	if (ev->desc->actions[i].kind == REC_PRINTA || !c->to.item)
		return 0;
	err = MAKE(c, make_item(c, ev, i, &item));
	return err ? err : c->to.item(c->to.arg, &c->record, &item);
}

static int consumer_end(struct sink *s, const struct event *ev)
{
	struct consumer *c = consumer_of(s);

	if (c->text) {
		c->text->ops->end(c->text, ev);
		c->text->ops->flush(c->text);
		rewind(c->stream);
	}
	return c->to.end ? c->to.end(c->to.arg, &c->record) : 0;
}

/* A table that is handed over, with what its functions need. */
struct delivery {
	struct view_table insides;
	struct dtrace_table table;
};

static int make_table(struct consumer *c, const struct agg_table *t, struct delivery *out)
{
	out->insides = (struct view_table){.view = &c->view, .row = c->row};
	view_table(&out->insides, t, &out->table);
	return 0;
}

static int make_printa(struct consumer *c, const struct event *ev, uint32_t i,
	const struct agg_table *t, struct dtrace_item *item)
{
	view_item(&c->view, ev, i, item);
	if (!c->text)
		return 0;
	c->text->ops->table(c->text, ev, i, t);
	item->text = take_text(c, &item->text_len);
	return 0;
}

static int consumer_table(
	struct sink *s, const struct event *ev, uint32_t i, const struct agg_table *t)
{
	struct consumer *c = consumer_of(s);
	struct delivery d;
	struct dtrace_item item;
	int err;

	if (!ev)
		arena_reset(c->arena);
	err = MAKE(c, make_table(c, t, &d));
	if (err)
		return err;
	if (!ev)
		return c->to.table ? c->to.table(c->to.arg, &d.table) : 0;
	err = MAKE(c, make_printa(c, ev, i, t, &item));
	item.table = &d.table;
	return !err && c->to.item ? c->to.item(c->to.arg, &c->record, &item) : err;
}

int sink_table_view(const struct sink_env *env, const struct agg_table *t,
	int (*visit)(void *arg, const struct dtrace_table *t), void *arg)
{
	const struct dtrace_consumer to = {.arg = arg, .table = visit};
	struct sink *s = sink_consumer_new(env, &to);
	int err;

	if (!s)
		return -ENOMEM;
	err = consumer_table(s, NULL, 0, t);
	s->ops->free(s);
	return err;
}

int sink_address_text(
	const struct sink_env *env, pid_t pid, uint64_t address, char *buf, size_t size)
{
	struct printer pr = {.env = *env};
	int len;

	if (env->opts)
		pr.opts = *env->opts;
	if (!env->syms)
		return snprintf(buf, size, "0x%llx", (unsigned long long)address);
	if (pid)
		print_user_addr(&pr, pid, address);
	else
		print_kernel_addr(&pr, address);
	len = pr.buf.failed ? snprintf(buf, size, "0x%llx", (unsigned long long)address)
			    : snprintf(buf, size, "%.*s", (int)pr.buf.len, pr.buf.data);
	buf_free(&pr.buf);
	return len;
}

static bool consumer_wants_snapshot(struct sink *s)
{
	struct consumer *c = consumer_of(s);

	return !c->to.wants_snapshot || c->to.wants_snapshot(c->to.arg);
}

static int consumer_snapshot(struct sink *s, uint64_t time, const struct agg_table *t)
{
	struct consumer *c = consumer_of(s);
	struct delivery d;
	int err;

	if (!t)
		return c->to.snapshot(c->to.arg, time, NULL);
	arena_reset(c->arena);
	err = MAKE(c, make_table(c, t, &d));
	d.table.final = false;
	return err ? err : c->to.snapshot(c->to.arg, time, &d.table);
}

/* It comes within a record, whose arena it shares. */
static int consumer_changing(struct sink *s, const struct agg_table *t, bool after)
{
	struct consumer *c = consumer_of(s);
	struct delivery d;
	int err;

	if (!c->changing)
		return 0;
	err = MAKE(c, make_table(c, t, &d));
	return err ? err : c->changing(c->to.arg, &d.table, after);
}

void sink_consumer_changing(
	struct sink *s, int (*changing)(void *arg, const struct dtrace_table *t, bool after))
{
	consumer_of(s)->changing = changing;
}

/* ---- the rest ---- */

static int consumer_drop(struct sink *s, const struct drop *d)
{
	struct consumer *c = consumer_of(s);
	const struct dtrace_drop drop = {d->kind, d->cpu, d->count, d->total, d->text};

	return c->to.drop ? c->to.drop(c->to.arg, &drop) : 0;
}

static int consumer_fault(struct sink *s, const struct fault *f)
{
	struct consumer *c = consumer_of(s);
	struct dtrace_probe probe = c->probe;
	struct dtrace_fault fault = {
		.clause = f->clause,
		.cpu = f->cpu,
		.code = (enum dtrace_fault_code)f->code,
		.value = f->value,
		.what = f->what,
		.text = f->text,
		.action = f->action,
		.place = f->place,
		.definition = f->definition,
	};
	int err;

	if (!c->to.fault)
		return 0;
	fault.probe = probe_view(c, f->probe);
	err = c->to.fault(c->to.arg, &fault);
	c->probe = probe; /* of the record that is being handed over */
	return err;
}

static int consumer_finish(struct sink *s)
{
	struct consumer *c = consumer_of(s);

	return c->to.finish ? c->to.finish(c->to.arg) : 0;
}

static int consumer_flush(struct sink *s)
{
	struct consumer *c = consumer_of(s);

	return c->to.flush ? c->to.flush(c->to.arg) : 0;
}

static void consumer_free(struct sink *s)
{
	struct consumer *c = consumer_of(s);

	if (c->text)
		c->text->ops->free(c->text);
	if (c->stream)
		fclose(c->stream);
	free(c->printed);
	buf_free(&c->pr.buf);
	arena_free(c->arena);
	arena_free(c->row);
	free(c);
}

static const struct sink_ops consumer_ops = {
	.begin = consumer_begin,
	.action = consumer_action,
	.end = consumer_end,
	.table = consumer_table,
	.wants_snapshot = consumer_wants_snapshot,
	.snapshot = consumer_snapshot,
	.changing = consumer_changing,
	.drop = consumer_drop,
	.fault = consumer_fault,
	.finish = consumer_finish,
	.flush = consumer_flush,
	.free = consumer_free,
};

struct sink *sink_consumer_new(const struct sink_env *env, const struct dtrace_consumer *to)
{
	struct consumer *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->sink.ops = &consumer_ops;
	c->to = *to;
	c->sink.interval = to->snapshot ? to->snapshot_interval : 0;
	c->pr.env = *env;
	c->arena = arena_new();
	c->row = arena_new();
	c->view = (struct view){c->arena, &c->pr};
	if (to->want_text) {
		c->stream = open_memstream(&c->printed, &c->nprinted);
		c->text = c->stream ? sink_text_new(env, c->stream) : NULL;
	}
	if (!c->arena || !c->row || (to->want_text && !c->text)) {
		consumer_free(&c->sink);
		return NULL;
	}
	return &c->sink;
}
