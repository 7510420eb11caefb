// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "out/print.h"

struct text {
	struct sink sink;
	struct printer pr;
	struct flow flow;
	FILE *out;
	bool begun; /* a record was seen: the header is out, or is not wanted */
};

static struct text *text_of(struct sink *s)
{
	return (struct text *)s;
}

/* Write what was gathered. */
static int write_out(struct text *t)
{
	struct buf *b = &t->pr.buf;
	size_t len = b->len;

	if (b->failed)
		return -ENOMEM;
	b->len = 0;
	if (!len)
		return 0;
	errno = 0;
	if (fwrite(b->data, 1, len, t->out) != len)
		return errno ? -errno : -EIO;
	return 0;
}

static void put_header(struct text *t)
{
	const struct out_options *o = &t->pr.opts;
	struct buf *b = &t->pr.buf;

	if (!o->flowindent && o->quiet)
		return;
	if (!o->testing)
		buf_printf(b, "%3s ", "CPU");
	if (o->flowindent) {
		buf_printf(b, "%-41s\n", "FUNCTION");
		return;
	}
	if (!o->testing)
		buf_printf(b, "%6s ", "ID");
	buf_printf(b, "%32s\n", "FUNCTION:NAME");
}

static void put_name(struct text *t, const struct event *ev)
{
	struct buf *b = &t->pr.buf;
	const char *func = ev->probe->func, *name = ev->probe->name;
	int pad = 32 - (int)strlen(func) - 1 - (int)strlen(name);

	if (!t->pr.opts.testing)
		buf_printf(b, "%6u ", ev->probe->id);
	/* the two together are right-aligned */
	buf_printf(b, "%*s%s:%s ", pad > 0 ? pad : 0, "", func, name);
}

static int put_prefix(struct text *t, const struct event *ev)
{
	const struct out_options *o = &t->pr.opts;
	struct buf *b = &t->pr.buf;
	size_t from;
	int err;

	if (!t->begun)
		put_header(t);
	t->begun = true;
	if (!o->flowindent && o->quiet)
		return 0;
	if (!o->testing)
		buf_printf(b, "%3u ", ev->cpu);
	if (!o->flowindent) {
		put_name(t, ev);
		return 0;
	}
	from = b->len;
	err = flow_text(&t->flow, ev, b);
	print_pad(&t->pr, from, 41);
	buf_putc(b, ' ');
	return err;
}

/* Print ACT if it is the sink's business, else let OTHER do it. */
static int put_action(struct text *t, const struct event *ev, const struct rec_action *act,
	const struct event_handler *other)
{
	const struct rec_view src = {.base = ev->data, .probe = ev->probe};
	const struct format_args args = {.data = act->data, .ndata = act->ndata, .src = src};
	struct out_options opts = t->pr.opts;
	int err;

	switch (act->kind) {
	case REC_TRACE:
		print_trace(&t->pr, &act->data[0], &src);
		return 0;
	case REC_TRACEMEM:
		print_tracemem(&t->pr, act, &src);
		return 0;
	case REC_PRINTF:
		return print_format(&t->pr, act->format, &args);
	case REC_STACK:
		print_stack(&t->pr, &act->data[0], &src, t->pr.opts.stackindent);
		return 0;
	case REC_SYM:
		print_sym(&t->pr, &act->data[0], &src);
		return 0;
	default:
		if (!other)
			return 0;
		/* it may write to the stream itself, or come back to print a table */
		err = write_out(t);
		if (!err)
			err = other->action(other->arg, ev, act);
		t->pr.opts = opts; /* what setopt() did is for the records after this one */
		return err;
	}
}

static int text_event(struct sink *s, const struct event *ev, const struct event_handler *other)
{
	struct text *t = text_of(s);
	int err;

	t->pr.opts = *t->pr.env.opts;
	err = put_prefix(t, ev);
	for (uint32_t i = 0; !err && i < ev->desc->nactions; i++)
		err = put_action(t, ev, &ev->desc->actions[i], other);
	if (!err && !t->pr.opts.quiet)
		buf_putc(&t->pr.buf, '\n');
	if (err) {
		write_out(t);
		return err;
	}
	return write_out(t);
}

static int text_aggregation(struct sink *s, const struct agg_table *table)
{
	struct text *t = text_of(s);
	int err, werr;

	t->pr.opts = *t->pr.env.opts;
	err = print_table(&t->pr, table);
	werr = write_out(t);
	return err ? err : werr;
}

static int text_newline(struct sink *s)
{
	struct text *t = text_of(s);

	buf_putc(&t->pr.buf, '\n');
	return write_out(t);
}

static int text_flush(struct sink *s)
{
	return fflush(text_of(s)->out) ? -errno : 0;
}

static void text_free(struct sink *s)
{
	struct text *t = text_of(s);

	buf_free(&t->pr.buf);
	flow_free(&t->flow);
	free(t);
}

static const struct sink_ops text_ops = {
	.event = text_event,
	.aggregation = text_aggregation,
	.newline = text_newline,
	.flush = text_flush,
	.free = text_free,
};

struct sink *sink_text_new(const struct sink_env *env, FILE *out)
{
	struct text *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->sink.ops = &text_ops;
	t->pr.env = *env;
	t->out = out;
	return &t->sink;
}
