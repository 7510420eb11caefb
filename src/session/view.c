// SPDX-License-Identifier: Apache-2.0
/* Shows saved sessions: outputs and consumers receive what a file has, without tracing. */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/report.h"
#include "base/vec.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"
#include "print/print.h"
#include "formats/json_read.h"
#include "print/text.h"
#include "formats/writer.h"
#include "session/options.h"
#include "session/session.h"
#include "session/sinks.h"

/* ---- options ---- */

/* What the text of a session depends on, other than its records. */
static const enum option_id text_options[] = {OPT_quiet, OPT_flowindent, OPT_rawbytes, OPT_agghist,
	OPT_aggpack, OPT_aggzoom, OPT_noprefix, OPT_stackindent, OPT_encoding};
#define NOPTIONS (sizeof(text_options) / sizeof(text_options[0]))

/* Returns option ID as for -x, or NULL if it has its default. */
static const char *option_text(struct dtrace *d, enum option_id id)
{
	const struct option_info *info = options_info(id);

	if (id == OPT_encoding && d->tracing.outopts.encoding != PRINT_ANY)
		return d->tracing.outopts.encoding == PRINT_UTF8 ? "encoding=utf8"
								 : "encoding=ascii";
	if (info->kind == OPTION_BOOL)
		return options_on(d->opts, id) ? info->name : NULL;
	if (info->kind != OPTION_NUMBER || options_number(d->opts, id) == info->number)
		return NULL;
	return arena_printf(
		d->arena, "%s=%lld", info->name, (long long)options_number(d->opts, id));
}

const char *const *view_options(struct dtrace *d)
{
	const char **list = arena_new_array(d->arena, const char *, NOPTIONS + 1);
	unsigned n = 0;

	for (unsigned i = 0; i < NOPTIONS; i++) {
		list[n] = option_text(d, text_options[i]);
		n += list[n] != NULL;
	}
	return list;
}

static bool is_text_option(int id)
{
	for (unsigned i = 0; i < NOPTIONS; i++)
		if ((int)text_options[i] == id)
			return true;
	return false;
}

/* Sets the options that a file has, except those that the user has set. */
static void set_options(struct dtrace *d, const char *const *saved)
{
	for (; *saved; saved++) {
		const char *value = strchr(*saved, '=');
		const char *name = arena_strndup(d->arena, *saved, strcspn(*saved, "="));
		int id = options_find(name);

		if (is_text_option(id) && !options_given(d->opts, (enum option_id)id))
			options_set(
				d->opts, name, value ? value + 1 : NULL, FROM_COMMAND, false, NULL);
	}
	settings_refresh(d);
}

/* Carries out setopt() if the text depends on it. */
static void set_option(struct dtrace *d, const struct dtrace_item *i)
{
	const struct dtrace_value *v = i->values;

	if (i->action != DTRACE_ACTION_SETOPT || v->kind != DTRACE_KIND_STRING ||
		!is_text_option(options_find(v->bytes)))
		return;
	options_set(d->opts, v->bytes, i->nvalues > 1 ? v[1].bytes : NULL, FROM_SETOPT, true, NULL);
	settings_refresh(d);
}

/* ---- passing on ---- */

/* The consumers of a session, in the order of their requests. */
struct saved {
	struct dtrace *d;
	VEC(struct dtrace_consumer) to;
};

#define EACH(v, function, ...)                                                              \
	do {                                                                                \
		for (uint32_t i_ = 0; i_ < (v)->to.len; i_++) {                             \
			const struct dtrace_consumer *c_ = &(v)->to.data[i_];               \
			int err_ = c_->function ? c_->function(c_->arg, ##__VA_ARGS__) : 0; \
                                                                                            \
			if (err_)                                                           \
				return err_;                                                \
		}                                                                           \
		return 0;                                                                   \
	} while (0)

static int view_begin(void *arg, const struct dtrace_record *r)
{
	struct saved *v = arg;

	EACH(v, begin, r);
}

static int older_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct saved *v = arg;

	EACH(v, item, r, i);
}

static int view_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct saved *v = arg;
	int err = older_item(arg, r, i);

	if (!err)
		set_option(v->d, i);
	return err;
}

static int view_end(void *arg, const struct dtrace_record *r)
{
	struct saved *v = arg;

	EACH(v, end, r);
}

static int view_table(void *arg, const struct dtrace_table *t)
{
	struct saved *v = arg;

	EACH(v, table, t);
}

static int view_snapshot(void *arg, uint64_t time, const struct dtrace_table *t)
{
	struct saved *v = arg;

	for (uint32_t i = 0; i < v->to.len; i++) {
		const struct dtrace_consumer *c = &v->to.data[i];
		int err = c->snapshot_interval ? c->snapshot(c->arg, time, t) : 0;

		if (err)
			return err;
	}
	return 0;
}

static int view_drop(void *arg, const struct dtrace_drop *drop)
{
	struct saved *v = arg;

	v->d->tracing.saved_losses = true;
	report_message(&v->d->report, "%s", drop->text);
	EACH(v, drop, drop);
}

static int view_fault(void *arg, const struct dtrace_fault *fault)
{
	struct saved *v = arg;

	report_message(&v->d->report, "%s", fault->text);
	EACH(v, fault, fault);
}

static void free_text(void *t)
{
	text_saved_free(t);
}

static int open_text(struct saved *v, const struct output_request *r)
{
	struct dtrace *d = v->d;
	struct dtrace_consumer to;
	struct text_saved *t = text_saved_new(r->out, &d->tracing.outopts, &to);

	if (!t)
		return report_no_memory(&d->report);
	arena_own(d->arena, free_text, t);
	vec_push(d->arena, &v->to, to);
	return 0;
}

/* Opens the outputs for the results of R. */
static int open_outputs(struct saved *v, const struct json_read *from)
{
	struct dtrace *d = v->d;
	int err = 0;

	for (uint32_t i = 0; i < d->tracing.outputs.len && !err; i++) {
		const struct output_request *r = &d->tracing.outputs.data[i];
		struct writer_info info = {
			.version = json_read_version(from),
			.about = json_read_about(from),
		};
		struct dtrace_consumer c;

		if (sinks_is_text(d, r)) {
			err = open_text(v, r);
			continue;
		}
		err = sinks_consumer(d, r, &info, &c);
		if (!err)
			vec_push(d->arena, &v->to, c);
	}
	return err ? err : view_older(d);
}

static int finish_outputs(struct saved *v)
{
	int err = 0;

	/* the others are still complete if one failed */
	for (uint32_t i = 0; i < v->to.len; i++) {
		const struct dtrace_consumer *c = &v->to.data[i];
		int failed = c->finish ? c->finish(c->arg) : 0;

		failed = sinks_commit(v->d, &v->d->tracing.outputs.data[i], failed);
		err = err ? err : failed;
	}
	return err;
}

/* Reports what R, or a consumer, failed with. */
static int failed(struct dtrace *d, const struct json_read *r, int err)
{
	const char *problem = json_read_problem(r);

	if (err == -ENOMEM)
		return report_no_memory(&d->report);
	return report_error(&d->report, err, "%s", problem ? problem : strerror(-err));
}

/* Returns the consumer of records and tables that passes them to V's. */
static struct dtrace_consumer passing_to(struct saved *v)
{
	return (struct dtrace_consumer){
		.arg = v,
		.begin = view_begin,
		.item = older_item,
		.end = view_end,
		.table = view_table,
	};
}

static int view(struct dtrace *d, struct json_read *r, const char *name)
{
	struct saved v = {.d = d};
	struct dtrace_consumer to = passing_to(&v);
	int err = json_read_open(r);

	to.item = view_item;
	to.snapshot = view_snapshot;
	to.drop = view_drop;
	to.fault = view_fault;
	if (err)
		return failed(d, r, err);
	set_options(d, json_read_options(r));
	err = open_outputs(&v, r);
	if (err)
		return err;
	err = json_read_run(r, &to);
	if (err)
		return failed(d, r, err);
	if (json_read_is_cut(r)) {
		d->tracing.saved_losses = true;
		report_message(&d->report, "%s: the session was cut short", name);
	}
	return finish_outputs(&v);
}

/* ---- comparing ---- */

static int finish_older(struct saved *v)
{
	EACH(v, finish);
}

static int read_older(struct dtrace *d, struct json_read *r)
{
	struct saved v = {.d = d};
	const struct dtrace_consumer to = passing_to(&v);
	int err = json_read_open(r);

	for (uint32_t i = 0; i < d->tracing.writers.len; i++)
		if (d->tracing.writers.data[i].older.finish)
			vec_push(d->arena, &v.to, d->tracing.writers.data[i].older);
	if (!err)
		err = json_read_run(r, &to);
	if (!err && json_read_is_cut(r))
		report_message(&d->report, "%s: the session was cut short", d->tracing.older_name);
	if (!err)
		err = finish_older(&v);
	return err ? failed(d, r, err) : 0;
}

static void free_reader(void *r)
{
	json_read_free(r);
}

int view_older(struct dtrace *d)
{
	struct json_read *r;
	int err;

	if (!d->tracing.older)
		return 0;
	r = json_read_new(d->tracing.older, d->tracing.older_name, d->arena);
	if (!r)
		return report_no_memory(&d->report);
	arena_own(d->arena, free_reader, r);
	err = read_older(d, r);
	arena_release(d->arena, r);
	return err;
}

static int compare(struct dtrace *d, FILE *in, const char *name)
{
	if (d->phase != PHASE_NEW)
		return report_error(&d->report, -EBUSY, "Operation illegal when tracing is active");
	if (!sinks_compare(d))
		return report_error(&d->report, -EOPNOTSUPP,
			"no output compares with older results; --output=flamegraph does");
	d->tracing.older = in;
	d->tracing.older_name = arena_strdup(d->arena, name);
	return 0;
}

int dtrace_compare(struct dtrace *d, FILE *in, const char *name)
{
	return SESSION_TRY(d, compare(d, in, name));
}

/* ---- viewing ---- */

/* The text of single actions is made from the insides of a session. */
static int check_outputs(struct dtrace *d)
{
	for (uint32_t i = 0; i < d->tracing.outputs.len; i++) {
		const struct output_request *r = &d->tracing.outputs.data[i];

		if (!r->format && r->consumer.want_text)
			return report_error(&d->report, -EOPNOTSUPP,
				"the text of actions cannot be made from a saved session");
	}
	return 0;
}

static int view_file(struct dtrace *d, FILE *in, const char *name)
{
	struct json_read *r;
	int err = check_outputs(d);

	if (err)
		return err;
	if (d->phase != PHASE_NEW)
		return report_error(&d->report, -EBUSY, "Operation illegal when tracing is active");
	d->phase = PHASE_DONE;
	r = json_read_new(in, name, d->arena);
	if (!r)
		return report_no_memory(&d->report);
	arena_own(d->arena, free_reader, r);
	err = view(d, r, name);
	arena_release(d->arena, r);
	return err;
}

int dtrace_view(struct dtrace *d, FILE *in, const char *name)
{
	return SESSION_TRY(d, view_file(d, in, name));
}
