// SPDX-License-Identifier: Apache-2.0
/* Opens the outputs and consumers of a session and passes results to all of them. */
#include "session/sinks.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "base/vec.h"
#include "dtrace/dtrace.h"
#include "out/sink.h"
#include "out/writer.h"
#include "session/options.h"
#include "session/session.h"
#include "session/tracing.h"

static const struct writer_format *find_format(const char *name)
{
	for (const struct writer_format *f = writer_formats; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

void dtrace_format_each(void (*visit)(void *arg, const char *name, const char *help), void *arg)
{
	for (const struct writer_format *f = writer_formats; f->name; f++)
		if (!f->hidden)
			visit(arg, f->name, f->help);
}

/* Returns the format of request R: option oformat replaces text. */
static const char *format_of(const struct dtrace *d, const struct output_request *r)
{
	static const struct {
		enum option_oformat word;
		const char *format;
	} documents[] = {
		{OFORMAT_JSON, "oformat-json"},
		{OFORMAT_XML, "oformat-xml"},
		{OFORMAT_HTML, "oformat-html"},
	};
	int64_t words = options_number(d->opts, OPT_oformat);

	if (r->format && !strcmp(r->format, "text"))
		for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++)
			if (words & documents[i].word)
				return documents[i].format;
	return r->format;
}

static bool has_text(const struct dtrace *d)
{
	for (uint32_t i = 0; i < d->tracing.outputs.len; i++)
		if (d->tracing.outputs.data[i].format &&
			!strcmp(format_of(d, &d->tracing.outputs.data[i]), "text"))
			return true;
	return false;
}

int dtrace_output_add(struct dtrace *d, const char *format, FILE *out)
{
	struct output_request r = {.format = format, .out = out};
	const struct writer_format *f = find_format(format);

	if (d->phase != PHASE_NEW)
		return report_error(&d->report, -EBUSY, "Operation illegal when tracing is active");
	if (!f)
		return report_error(&d->report, -EINVAL, "there is no output format %s", format);
	if (!f->open && has_text(d))
		return report_error(
			&d->report, -EINVAL, "there can be only one output of format text");
	r.format = f->name;
	vec_push(d->arena, &d->tracing.outputs, r);
	return 0;
}

int dtrace_consumer_add(struct dtrace *d, const struct dtrace_consumer *c)
{
	struct output_request r = {.consumer = *c};

	if (d->phase != PHASE_NEW)
		return report_error(&d->report, -EBUSY, "Operation illegal when tracing is active");
	vec_push(d->arena, &d->tracing.outputs, r);
	return 0;
}

bool sinks_want_time(const struct dtrace *d)
{
	for (uint32_t i = 0; i < d->tracing.outputs.len; i++) {
		const struct output_request *r = &d->tracing.outputs.data[i];

		if (r->format ? strcmp(format_of(d, r), "text") != 0 : r->consumer.want_time)
			return true;
	}
	return false;
}

/* True if an output other than text goes to the standard output. */
static bool stdout_taken(const struct dtrace *d)
{
	for (uint32_t i = 0; i < d->tracing.outputs.len; i++) {
		const struct output_request *r = &d->tracing.outputs.data[i];

		if (r->format && strcmp(format_of(d, r), "text") && fileno(r->out) == STDOUT_FILENO)
			return true;
	}
	return false;
}

static int add_sink(struct dtrace *d, struct sink *s)
{
	if (!s)
		return -ENOMEM;
	vec_push(d->arena, &d->tracing.sinks, s);
	return 0;
}

static int add_text(struct dtrace *d, FILE *out)
{
	struct sink *s = sink_text_new(&d->tracing.env, out);

	if (s)
		d->tracing.text = sink_text_output(s);
	return add_sink(d, s);
}

static int open_request(struct dtrace *d, const struct output_request *r)
{
	const struct writer_info info = {.version = dtrace_version(),
		.pretty = options_number(d->opts, OPT_oformat) & OFORMAT_PRETTY};
	const struct writer_format *f;
	struct writer w = {0};
	int err;

	if (!r->format)
		return add_sink(d, sink_consumer_new(&d->tracing.env, &r->consumer));
	f = find_format(format_of(d, r));
	if (!f->open)
		return add_text(d, r->out);
	err = f->open(r->out, &info, &w);
	if (err)
		return err;
	vec_push(d->arena, &d->tracing.writers, w);
	return add_sink(d, sink_consumer_new(&d->tracing.env, &w.consumer));
}

int sinks_open(struct dtrace *d)
{
	int err = 0;

	d->tracing.env.stdout_taken = stdout_taken(d);
	for (uint32_t i = 0; i < d->tracing.outputs.len && !err; i++)
		err = open_request(d, &d->tracing.outputs.data[i]);
	return err;
}

void sinks_free(struct dtrace *d)
{
	for (uint32_t i = 0; i < d->tracing.sinks.len; i++)
		d->tracing.sinks.data[i]->ops->free(d->tracing.sinks.data[i]);
	for (uint32_t i = 0; i < d->tracing.writers.len; i++)
		if (d->tracing.writers.data[i].release)
			d->tracing.writers.data[i].release(d->tracing.writers.data[i].consumer.arg);
	d->tracing.sinks.len = d->tracing.writers.len = 0;
}

#define EACH_SINK(d, op, ...)                                                        \
	do {                                                                         \
		for (uint32_t i_ = 0; i_ < (d)->tracing.sinks.len; i_++) {           \
			struct sink *s_ = (d)->tracing.sinks.data[i_];               \
			int err_ = s_->ops->op ? s_->ops->op(s_, ##__VA_ARGS__) : 0; \
                                                                                     \
			if (err_)                                                    \
				return err_;                                         \
		}                                                                    \
		return 0;                                                            \
	} while (0)

int sinks_begin(struct dtrace *d, const struct event *ev)
{
	EACH_SINK(d, begin, ev);
}

int sinks_action(struct dtrace *d, const struct event *ev, uint32_t i)
{
	EACH_SINK(d, action, ev, i);
}

int sinks_end(struct dtrace *d, const struct event *ev)
{
	EACH_SINK(d, end, ev);
}

int sinks_table(struct dtrace *d, const struct event *ev, uint32_t i, const struct agg_table *t)
{
	EACH_SINK(d, table, ev, i, t);
}

int sinks_drop(struct dtrace *d, const struct drop *drop)
{
	EACH_SINK(d, drop, drop);
}

int sinks_fault(struct dtrace *d, const struct fault *f)
{
	EACH_SINK(d, fault, f);
}

int sinks_newline(struct dtrace *d)
{
	EACH_SINK(d, newline);
}

int sinks_finish(struct dtrace *d)
{
	EACH_SINK(d, finish);
}

int sinks_flush(struct dtrace *d)
{
	EACH_SINK(d, flush);
}
