// SPDX-License-Identifier: Apache-2.0
/* Prints records and tables as dtrace(8) does: the consumer of the text output. */
#include "print/text.h"

#include <errno.h>
#include <string.h>

#include "abi/action.h"
#include "dtrace/data.h"

/* Write what was gathered. */
static int write_out(struct text_output *t)
{
	struct buf *b = &t->pr->buf;
	size_t len = b->len;

	if (b->failed)
		return -ENOMEM;
	b->len = 0;
	return output_write(&t->out, b->data, len);
}

static int spill(void *arg)
{
	return write_out(arg);
}

/* ---- the columns that begin a record ---- */

static void put_header(struct text_output *t)
{
	const struct print_options *o = &t->pr->opts;
	struct buf *b = &t->pr->buf;

	if (!print_has_columns(t->pr))
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

static void put_name(struct text_output *t, const struct dtrace_probe *p)
{
	struct buf *b = &t->pr->buf;
	size_t from, len;

	if (!t->pr->opts.noprefix) {
		print_unsigned(b, p->id, 6);
		buf_putc(b, ' ');
	}
	from = b->len;
	buf_puts(b, p->function);
	buf_putc(b, ':');
	buf_puts(b, p->name);
	print_name_safe(t->pr, from);
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

int text_put_prefix(struct text_output *t, const struct dtrace_record *r)
{
	const struct print_options *o = &t->pr->opts;
	struct buf *b = &t->pr->buf;
	size_t from;
	int err;

	if (!print_has_columns(t->pr))
		return 0;
	if (!o->noprefix) {
		print_unsigned(b, r->cpu, 3);
		buf_putc(b, ' ');
	}
	if (!o->flowindent) {
		put_name(t, r->probe);
		return 0;
	}
	from = b->len;
	err = flow_text(&t->flow, r, b);
	print_name_safe(t->pr, from);
	print_pad(t->pr, from, 41);
	buf_putc(b, ' ');
	return err;
}

/* ---- packets ---- */

/* Appends P to the file that freopen() named. */
static int capture(struct text_output *t, const struct packet *p)
{
	int err = output_capture(&t->out, p);
	char why[128];

	if (err != -EPROTOTYPE)
		return err;
	snprintf(why, sizeof(why), "couldn't pcap() to a file of link type %u: packet has %u",
		t->out.link, p->link);
	if (t->hooks)
		t->hooks->failed(t->hooks->arg, why);
	return 0;
}

/* To a file as packets; else as text, which tshark makes from them, or as bytes. */
static int put_pcap(struct text_output *t, const struct dtrace_item *i)
{
	struct packet p;
	int err;

	if (!pcap_packet(i, &p))
		return 0;
	err = write_out(t);
	if (!err && output_redirected(&t->out))
		return capture(t, &p);
	if (!err && fileno(t->out.stream) >= 0)
		err = output_flush(&t->out);
	if (err)
		return err;
	if (fileno(t->out.stream) < 0 || viewers_show(&t->viewers, &p, fileno(t->out.stream)))
		print_hexdump(t->pr, p.bytes, p.len);
	return 0;
}

/* ---- actions ---- */

static int put_formatted(struct text_output *t, const struct dtrace_item *i)
{
	if (t->hooks)
		return t->hooks->format(t->hooks->arg, t->pr);
	if (i->text)
		buf_put(&t->pr->buf, i->text, i->text_len);
	return 0;
}

static int put_trace(struct text_output *t, const struct dtrace_item *i)
{
	const struct dtrace_value *v = i->values;

	if (!strcmp(i->name, "tracesys")) /* a line of its own, without the columns of trace() */
		buf_put(&t->pr->buf, v->bytes, v->len);
	else
		print_trace(t->pr, v, t->hooks && t->hooks->literal(t->hooks->arg));
	return 0;
}

/* The table of printa(). */
static int put_table(struct text_output *t, const struct dtrace_table *table)
{
	struct print_options opts = t->pr->opts;
	int err;

	if (output_redirected(&t->out)) /* to a file by freopen() */
		t->pr->opts.width = t->pr->opts.termsafe = 0;
	err = print_table(t->pr, table, 0, table->nrows);
	t->pr->opts = opts;
	return err;
}

int text_put_item(struct text_output *t, const struct dtrace_record *r, const struct dtrace_item *i)
{
	switch (action_public(i->action)->shape) {
	case SHAPE_VALUE:
		return put_trace(t, i);
	case SHAPE_BYTES:
		print_hexdump(t->pr, i->values->bytes, i->values->len);
		return 0;
	case SHAPE_FORMAT:
		return put_formatted(t, i);
	case SHAPE_TABLE:
		return put_table(t, i->table);
	case SHAPE_TYPED:
		print_value(t->pr, i->values, i->nvalues > 1 ? &i->values[1] : NULL);
		return 0;
	default: /* a packet goes to a file or to tshark, not into the buffer */
		return 0;
	}
}

/* ---- the consumer ---- */

static int on_begin(void *arg, const struct dtrace_record *r)
{
	struct text_output *t = arg;

	if (!t->begun)
		put_header(t);
	t->begun = true;
	return text_put_prefix(t, r);
}

static int on_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	if (i->action == DTRACE_ACTION_PCAP)
		return put_pcap(arg, i);
	return text_put_item(arg, r, i);
}

static int on_end(void *arg, const struct dtrace_record *r)
{
	struct text_output *t = arg;

	if (!t->pr->opts.quiet)
		buf_putc(&t->pr->buf, '\n');
	return write_out(t);
}

static int on_table(void *arg, const struct dtrace_table *table)
{
	struct text_output *t = arg;
	int err = put_table(t, table);

	return err ? err : write_out(t);
}

static int on_flush(void *arg)
{
	struct text_output *t = arg;
	int err = write_out(t);

	return err ? err : output_flush(&t->out);
}

int text_newline(struct text_output *t)
{
	viewers_finish(&t->viewers);
	buf_putc(&t->pr->buf, '\n');
	return write_out(t);
}

void text_output_begin(
	struct text_output *t, struct printer *pr, FILE *out, const struct text_hooks *hooks)
{
	*t = (struct text_output){
		.pr = pr, .out = {.original = out, .stream = out}, .hooks = hooks};
	if (out) {
		pr->spill = spill;
		pr->spill_arg = t;
	}
}

void text_output_end(struct text_output *t)
{
	flow_free(&t->flow);
	viewers_finish(&t->viewers);
	if (t->out.original)
		output_close(&t->out);
}

struct dtrace_consumer text_consumer(struct text_output *t)
{
	return (struct dtrace_consumer){
		.arg = t,
		.begin = on_begin,
		.item = on_item,
		.end = on_end,
		.table = on_table,
		.flush = on_flush,
	};
}
