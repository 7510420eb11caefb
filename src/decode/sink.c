// SPDX-License-Identifier: Apache-2.0
/* Hands what it decodes to a consumer. */
#include "decode/sink.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <dtrace/dtrace.h>

#include "abi/record.h"
#include "base/arena.h"
#include "base/buf.h"
#include "consume/drops.h"
#include "consume/event.h"
#include "decode/datum.h"
#include "decode/decode.h"
#include "dtrace/data.h"
#include "print/output.h"
#include "print/print.h"
#include "print/text.h"

struct sink {
	struct dtrace_consumer to;
	int (*changing)(void *arg, const struct dtrace_table *t, bool after); /* or NULL */
	struct sink_env env;
	struct printer pr;
	struct arena *arena; /* of the record or table that is being handed over */
	struct arena *row;
	bool arena_used; /* since it was reset */
	struct decoder decoder;
	struct decoded values;
	struct text_output text; /* of the text output; or for want_text */
	struct text_hooks hooks;
	bool is_text;
	struct dtrace_probe probe;
	struct dtrace_record record;
	/* the action that is being handed over */
	const struct event *ev;
	const struct rec_action *act;
};

/* The result of CALL, which makes what is handed over, or -ENOMEM. */
#define MAKE(s, call) ((s)->arena_used = true, ARENA_TRY((s)->arena, (call), -ENOMEM))

/* A file of freopen() is not a terminal. */
static void look_at_output(struct sink *s)
{
	s->pr.opts.termsafe = s->env.opts->termsafe && !output_redirected(&s->text.out);
}

/* Takes the options for the next record or table: setopt() may have changed them. */
static void take_options(struct sink *s)
{
	s->pr.opts = *s->env.opts;
	if (s->is_text)
		look_at_output(s);
}

static void reset_arena(struct sink *s)
{
	if (s->arena_used)
		arena_reset(s->arena);
	s->arena_used = false;
}

static const struct dtrace_probe *probe_view(struct sink *s, const struct probe *p)
{
	if (!p)
		return NULL;
	/* the rest of it, which is large, stays zero */
	s->probe.id = p->id;
	s->probe.provider = p->prov;
	s->probe.module = p->mod;
	s->probe.function = p->func;
	s->probe.name = p->name;
	return &s->probe;
}

/* ---- answers to the text output ---- */

static int put_format(void *arg, struct printer *pr)
{
	const struct sink *s = arg;
	const struct format_args args = {
		.values = s->values.values,
		.nvalues = s->act->ndata,
		.literals = s->values.literals,
	};

	return print_format(pr, s->act->format, &args);
}

static bool is_literal(void *arg)
{
	const struct sink *s = arg;

	return s->values.literals & 1;
}

static void put_failure(void *arg, const char *why)
{
	const struct sink *s = arg;

	sink_failed(&s->env, s->ev, s->act, "%s", why);
}

/* ---- records ---- */

static uint64_t time_of(const struct sink *s, const struct event *ev)
{
	uint64_t ns;

	if (!ev->desc->timed)
		return 0;
	memcpy(&ns, (const char *)ev->data + ev->desc->time, sizeof(ns));
	return ns + s->env.wall_offset;
}

static int fill_thread(struct sink *s, const struct event *ev)
{
	const char *name = (const char *)ev->data + ev->desc->thread + 8;
	uint64_t ids;

	memcpy(&ids, name - 8, sizeof(ids));
	s->record.pid = (pid_t)(ids >> 32);
	s->record.tid = (pid_t)ids;
	s->record.execname = arena_strndup(s->arena, name, strnlen(name, RECORD_NAME));
	name += RECORD_NAME;
	s->record.threadname = arena_strndup(s->arena, name, strnlen(name, RECORD_NAME));
	return 0;
}

/* The start of the text output. */
static int fill_prefix(struct sink *s)
{
	size_t from = s->pr.buf.len, len;
	int err = text_put_prefix(&s->text, &s->record);

	s->record.prefix = decode_text(&s->decoder, from, &len);
	return err;
}

static unsigned count_items(const struct event *ev)
{
	unsigned n = 0;

	if (!ev->desc->conditional)
		return ev->desc->nactions;
	for (uint32_t i = 0; i < ev->desc->nactions; i++)
		n += event_ran(ev, i);
	return n;
}

int sink_begin(struct sink *s, const struct event *ev)
{
	int err = 0;

	if (!s->to.begin && !s->to.item && !s->to.end)
		return 0;
	reset_arena(s);
	take_options(s);
	s->record = (struct dtrace_record){
		.probe = probe_view(s, ev->probe),
		.clause = ev->desc->clause,
		.cpu = ev->cpu,
		.time = time_of(s, ev),
		.execname = "",
		.threadname = "",
		.continued = ev->continued,
		.nitems = count_items(ev),
	};
	if (ev->desc->with_thread)
		err = MAKE(s, fill_thread(s, ev));
	if (!err && s->to.want_text)
		err = MAKE(s, fill_prefix(s));
	return !err && s->to.begin ? s->to.begin(s->to.arg, &s->record) : err;
}

/* Returns the subject of clear(), trunc() and normalize() as a table without rows. */
static const struct dtrace_table *subject(struct sink *s)
{
	struct dtrace_table *out = arena_new_obj(s->arena, struct dtrace_table);
	struct decoded_table insides = {.decoder = &s->decoder};
	const struct agg_table t = {.aggs = s->act->aggs, .naggs = s->act->naggs};

	decode_table(&insides, &t, out);
	out->insides = NULL;
	return out;
}

/* Their text is a command or the name of a file, which is not for a terminal. */
static bool names_something(const struct rec_action *act)
{
	return act->kind == REC_SYSTEM || act->kind == REC_FREOPEN;
}

/* Gives ITEM the text that the text output prints of it. */
static int fill_text(struct sink *s, struct dtrace_item *item)
{
	size_t from = s->pr.buf.len;

	text_put_item(&s->text, &s->record, item);
	item->text = decode_text(&s->decoder, from, &item->text_len);
	return 0;
}

/* The text of an item with a format. */
static int fill_format(struct sink *s, struct dtrace_item *item)
{
	size_t from = s->pr.buf.len;
	bool made = !put_format(s, &s->pr);
	const char *text = decode_text(&s->decoder, from, &item->text_len);

	if (made)
		item->text = text;
	else
		item->text_len = 0;
	return 0;
}

static int make_item(struct sink *s, struct dtrace_item *item)
{
	if (s->act->naggs && !item->table)
		item->table = subject(s);
	if (s->to.want_text && !names_something(s->act) && s->act->kind != REC_PCAP)
		return fill_text(s, item);
	return s->act->format && s->act->kind != REC_PRINTA ? fill_format(s, item) : 0;
}

/* Decodes action I of EV into ITEM, and hands that over with TABLE, which may be NULL. */
static int hand_over(
	struct sink *s, const struct event *ev, uint32_t i, const struct dtrace_table *table)
{
	const struct rec_view src = {.base = ev->data, .probe = ev->probe};
	struct dtrace_item item;
	int err;

	s->ev = ev;
	s->act = &ev->desc->actions[i];
	if (s->act->kind == REC_PRINT) /* setopt() may have changed it in this record */
		s->pr.opts.printsize = s->env.opts->printsize;
	err = decode_action(&s->decoder, s->act, &src, &s->values, &s->arena_used);
	if (err)
		return err;
	decode_item(s->act, &s->values, &item);
	item.table = table;
	if (!s->is_text && (s->to.want_text || s->act->format || s->act->naggs))
		err = MAKE(s, make_item(s, &item));
	return err ? err : s->to.item(s->to.arg, &s->record, &item);
}

int sink_action(struct sink *s, const struct event *ev, uint32_t i)
{
	/* the table of printa() comes */
	if (ev->desc->actions[i].kind == REC_PRINTA || !s->to.item)
		return 0;
	if (s->is_text) /* freopen() may have been in this record */
		look_at_output(s);
	return hand_over(s, ev, i, NULL);
}

int sink_end(struct sink *s, const struct event *ev)
{
	return s->to.end ? s->to.end(s->to.arg, &s->record) : 0;
}

/* ---- tables ---- */

/* A table that is handed over, with what its functions need. */
struct delivery {
	struct decoded_table insides;
	struct dtrace_table table;
};

static int make_table(struct sink *s, const struct agg_table *t, struct delivery *out)
{
	out->insides = (struct decoded_table){.decoder = &s->decoder, .row = s->row};
	decode_table(&out->insides, t, &out->table);
	return 0;
}

/* The table of printa(); what setopt() did before it in the record is for the table alone. */
static int record_table(
	struct sink *s, const struct event *ev, uint32_t i, const struct agg_table *t)
{
	struct print_options opts = s->pr.opts;
	struct delivery d;
	int err;

	if (!s->to.item)
		return 0;
	take_options(s);
	err = MAKE(s, make_table(s, t, &d));
	if (!err)
		err = hand_over(s, ev, i, &d.table);
	s->pr.opts = opts;
	return err;
}

int sink_table(struct sink *s, const struct event *ev, uint32_t i, const struct agg_table *t)
{
	struct delivery d;
	int err;

	if (ev)
		return record_table(s, ev, i, t);
	reset_arena(s);
	take_options(s);
	err = MAKE(s, make_table(s, t, &d));
	return !err && s->to.table ? s->to.table(s->to.arg, &d.table) : err;
}

uint64_t sink_interval(const struct sink *s)
{
	return s->to.snapshot ? s->to.snapshot_interval : 0;
}

bool sink_wants_snapshot(struct sink *s)
{
	return !s->to.wants_snapshot || s->to.wants_snapshot(s->to.arg);
}

int sink_snapshot(struct sink *s, uint64_t time, const struct agg_table *t)
{
	struct delivery d;
	int err;

	if (!t)
		return s->to.snapshot(s->to.arg, time, NULL);
	reset_arena(s);
	take_options(s);
	err = MAKE(s, make_table(s, t, &d));
	d.table.final = false;
	return err ? err : s->to.snapshot(s->to.arg, time, &d.table);
}

/* It comes within a record, whose arena it shares. */
int sink_changing(struct sink *s, const struct agg_table *t, bool after)
{
	struct delivery d;
	int err;

	if (!s->changing)
		return 0;
	err = MAKE(s, make_table(s, t, &d));
	return err ? err : s->changing(s->to.arg, &d.table, after);
}

/* ---- the rest ---- */

int sink_drop(struct sink *s, const struct drop *d)
{
	const struct dtrace_drop drop = {d->kind, d->cpu, d->count, d->total, d->text};

	return s->to.drop ? s->to.drop(s->to.arg, &drop) : 0;
}

int sink_fault(struct sink *s, const struct fault *f)
{
	struct dtrace_probe probe = s->probe;
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

	if (!s->to.fault)
		return 0;
	fault.probe = probe_view(s, f->probe);
	err = s->to.fault(s->to.arg, &fault);
	s->probe = probe; /* of the record that is being handed over */
	return err;
}

int sink_newline(struct sink *s)
{
	return s->is_text ? text_newline(&s->text) : 0;
}

int sink_finish(struct sink *s)
{
	return s->to.finish ? s->to.finish(s->to.arg) : 0;
}

int sink_flush(struct sink *s)
{
	return s->to.flush ? s->to.flush(s->to.arg) : 0;
}

/* ---- opening ---- */

void sink_free(struct sink *s)
{
	if (!s)
		return;
	text_output_end(&s->text);
	decoded_free(&s->values);
	buf_free(&s->pr.buf);
	arena_free(s->arena);
	arena_free(s->row);
	free(s);
}

/* Makes a sink for nobody yet. */
static struct sink *sink_bare(const struct sink_env *env)
{
	struct sink *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->env = *env;
	s->pr.syms = env->syms;
	s->pr.target = env->target;
	s->arena = arena_new();
	s->row = arena_new();
	s->decoder = (struct decoder){.env = &s->env, .pr = &s->pr, .arena = s->arena};
	s->hooks = (struct text_hooks){
		.arg = s, .format = put_format, .literal = is_literal, .failed = put_failure};
	if (s->arena && s->row)
		return s;
	sink_free(s);
	return NULL;
}

struct sink *sink_new(const struct sink_env *env, const struct dtrace_consumer *c,
	int (*changing)(void *arg, const struct dtrace_table *t, bool after))
{
	struct sink *s = sink_bare(env);

	if (!s)
		return NULL;
	s->to = *c;
	s->changing = changing;
	text_output_begin(&s->text, &s->pr, NULL, &s->hooks);
	return s;
}

struct sink *sink_text_new(const struct sink_env *env, FILE *out)
{
	struct sink *s = sink_bare(env);

	if (!s)
		return NULL;
	s->is_text = true;
	text_output_begin(&s->text, &s->pr, out, &s->hooks);
	s->text.out.aside = env->stdout_taken;
	s->to = text_consumer(&s->text);
	return s;
}

struct output *sink_text_output(struct sink *s)
{
	return &s->text.out;
}

/* ---- single questions ---- */

int sink_table_view(const struct sink_env *env, const struct agg_table *t,
	int (*visit)(void *arg, const struct dtrace_table *t), void *arg)
{
	const struct dtrace_consumer to = {.arg = arg, .table = visit};
	struct sink *s = sink_new(env, &to, NULL);
	int err;

	if (!s)
		return -ENOMEM;
	err = sink_table(s, NULL, 0, t);
	sink_free(s);
	return err;
}

int sink_address_text(
	const struct sink_env *env, pid_t pid, uint64_t address, char *buf, size_t size)
{
	struct printer pr = {.syms = env->syms};
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

void sink_failed(const struct sink_env *env, const struct event *ev, const struct rec_action *act,
	const char *fmt, ...)
{
	struct buf b = {0};
	va_list ap;

	if (!env->failed)
		return;
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	if (!b.failed)
		env->failed(env->arg, ev, act, b.data);
	buf_free(&b);
}
