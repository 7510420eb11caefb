// SPDX-License-Identifier: Apache-2.0
/* Prints records and tables as dtrace(8) does: the text sink. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "abi/record.h"
#include "consume/event.h"
#include "out/output.h"
#include "out/pcap.h"
#include "out/print.h"

struct text {
	struct sink sink;
	struct printer pr;
	struct flow flow;
	struct output out;
	struct viewers viewers;
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
	return output_write(&t->out, b->data, len);
}

static int spill(struct printer *pr)
{
	return write_out((struct text *)((char *)pr - offsetof(struct text, pr)));
}

static void put_header(struct text *t)
{
	const struct out_options *o = &t->pr.opts;
	struct buf *b = &t->pr.buf;

	if (!print_has_columns(&t->pr))
		return;
	if (!o->noprefix)
		buf_printf(b, "%3s ", "CPU");
	if (o->flowindent) {
		buf_printf(b, "%-41s\n", "FUNCTION");
		return;
	}
	if (!o->noprefix)
		buf_printf(b, "%6s ", "ID");
	buf_printf(b, "%32s\n", "FUNCTION:NAME");
}

#define NAME_WIDTH 32

static void put_name(struct text *t, const struct event *ev)
{
	struct buf *b = &t->pr.buf;
	size_t from, len;

	if (!t->pr.opts.noprefix) {
		print_unsigned(b, ev->probe->id, 6);
		buf_putc(b, ' ');
	}
	from = b->len;
	buf_puts(b, ev->probe->func);
	buf_putc(b, ':');
	buf_puts(b, ev->probe->name);
	print_name_safe(&t->pr, from);
	len = b->len - from;
	/* the two together are right-aligned */
	if (len < NAME_WIDTH) {
		buf_fill(b, ' ', NAME_WIDTH - len);
		if (b->failed)
			return;
		memmove(b->data + from + NAME_WIDTH - len, b->data + from, len);
		memset(b->data + from, ' ', NAME_WIDTH - len);
	}
	buf_putc(b, ' ');
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
	if (!print_has_columns(&t->pr))
		return 0;
	if (!o->noprefix) {
		print_unsigned(b, ev->cpu, 3);
		buf_putc(b, ' ');
	}
	if (!o->flowindent) {
		put_name(t, ev);
		return 0;
	}
	from = b->len;
	err = flow_text(&t->flow, ev, b);
	print_name_safe(&t->pr, from);
	print_pad(&t->pr, from, 41);
	buf_putc(b, ' ');
	return err;
}

/* An action that is to be carried out. */
struct task {
	const struct event *ev;
	const struct rec_action *act;
	struct format_args args;
};

/* ---- packets ---- */

/* To a file as packets; else as text, which tshark makes from them, or as bytes. */
static int put_pcap(struct text *t, const struct task *k)
{
	struct packet p;
	int err;

	if (!pcap_packet(k->act, &k->args.src, &p))
		return 0;
	err = write_out(t);
	if (!err && output_redirected(&t->out)) {
		err = output_capture(&t->out, &p);
		if (err != -EPROTOTYPE)
			return err;
		sink_failed(&t->pr.env, k->ev, k->act,
			"couldn't pcap() to a file of link type %u: packet has %u", t->out.link,
			p.link);
		return 0;
	}
	if (!err && fileno(t->out.stream) >= 0)
		err = output_flush(&t->out);
	if (err)
		return err;
	if (fileno(t->out.stream) < 0 || viewers_show(&t->viewers, &p, fileno(t->out.stream)))
		print_hexdump(&t->pr, p.bytes, p.len);
	return 0;
}

/* ---- actions ---- */

/* Print the action if it is the sink's business. */
static int put_action(struct text *t, const struct task *k)
{
	const struct rec_action *act = k->act;
	const struct rec_view *src = &k->args.src;

	switch (act->kind) {
	case REC_TRACE:
		print_trace(&t->pr, &act->data[0], src);
		return 0;
	case REC_TRACEMEM:
		print_tracemem(&t->pr, act, src);
		return 0;
	case REC_PRINTF:
		return print_format(&t->pr, act->format, &k->args);
	case REC_STACK:
		print_stack(&t->pr, &act->data[0], src, t->pr.opts.stackindent);
		return 0;
	case REC_SYM:
		print_sym(&t->pr, &act->data[0], src);
		return 0;
	case REC_PRINT: /* setopt() may have changed it in this record */
		t->pr.opts.printsize = t->pr.env.opts->printsize;
		print_typed(&t->pr, act, src);
		return 0;
	case REC_PCAP:
		return put_pcap(t, k);
	default:
		return 0;
	}
}

/* A file of freopen() is not a terminal. */
static void look_at_output(struct text *t)
{
	t->pr.opts.termsafe = t->pr.env.opts->termsafe && !output_redirected(&t->out);
}

static int text_begin(struct sink *s, const struct event *ev)
{
	struct text *t = text_of(s);

	t->pr.opts = *t->pr.env.opts;
	look_at_output(t);
	return put_prefix(t, ev);
}

static int text_action(struct sink *s, const struct event *ev, uint32_t i)
{
	const struct rec_action *act = &ev->desc->actions[i];
	const struct task k = {
		.ev = ev,
		.act = act,
		.args = {.data = act->data,
			.ndata = act->ndata,
			.src = {.base = ev->data, .probe = ev->probe}},
	};

	look_at_output(text_of(s));
	return put_action(text_of(s), &k);
}

static int text_end(struct sink *s, const struct event *ev)
{
	struct text *t = text_of(s);

	if (!t->pr.opts.quiet)
		buf_putc(&t->pr.buf, '\n');
	return write_out(t);
}

static int text_table(
	struct sink *s, const struct event *ev, uint32_t i, const struct agg_table *table)
{
	struct text *t = text_of(s);
	struct out_options opts = t->pr.opts;
	int err;

	t->pr.opts = *t->pr.env.opts;
	if (output_redirected(&t->out)) /* to a file by freopen() */
		t->pr.opts.width = t->pr.opts.termsafe = 0;
	err = print_table(&t->pr, table);
	t->pr.opts = opts; /* what setopt() did is for the records after this one */
	return err || ev ? err : write_out(t);
}

static int text_newline(struct sink *s)
{
	struct text *t = text_of(s);

	viewers_finish(&t->viewers);
	buf_putc(&t->pr.buf, '\n');
	return write_out(t);
}

static int text_flush(struct sink *s)
{
	struct text *t = text_of(s);
	int err = write_out(t);

	return err ? err : output_flush(&t->out);
}

static void text_free(struct sink *s)
{
	struct text *t = text_of(s);

	buf_free(&t->pr.buf);
	flow_free(&t->flow);
	viewers_finish(&t->viewers);
	output_close(&t->out);
	free(t);
}

static const struct sink_ops text_ops = {
	.begin = text_begin,
	.action = text_action,
	.end = text_end,
	.table = text_table,
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
	t->pr.spill = spill;
	t->out = (struct output){.original = out, .stream = out, .aside = env->stdout_taken};
	return &t->sink;
}

struct output *sink_text_output(struct sink *s)
{
	return &text_of(s)->out;
}
