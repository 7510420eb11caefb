// SPDX-License-Identifier: Apache-2.0
/*
 * Writes aggregations as tables of comma-separated values, quoted as in RFC 4180.
 *
 * A table has a header and a line for each row, of a distribution for each bucket.  Tables are
 * separated by an empty line.  Lines end with a newline alone, as other programs here expect.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"
#include "out/json.h"
#include "out/writer.h"
#include "out/writers.h"

struct csv {
	struct stream s;
	struct buf keys; /* of the row */
	bool any;	 /* table */
};

/* Quote what follows FROM if that is needed. */
static void quote(struct buf *b, size_t from)
{
	struct buf text = {0};

	if (b->failed || b->len == from ||
		(!memchr(b->data + from, ',', b->len - from) &&
			!memchr(b->data + from, '"', b->len - from) &&
			!memchr(b->data + from, '\n', b->len - from) &&
			!memchr(b->data + from, '\r', b->len - from)))
		return;
	buf_put(&text, b->data + from, b->len - from);
	b->failed |= text.failed;
	b->len = from;
	buf_putc(b, '"');
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '"')
			buf_putc(b, '"');
		buf_putc(b, text.data[i]);
	}
	buf_putc(b, '"');
	buf_free(&text);
}

static void put_header(struct csv *c, const struct dtrace_aggregation *a)
{
	struct buf *b = &c->s.buf;

	if (c->any)
		buf_putc(b, '\n');
	c->any = true;
	put_literal(b, "name");
	for (unsigned i = 0; i < a->nkeys; i++) {
		put_literal(b, ",key");
		put_unsigned(b, i + 1);
	}
	buf_puts(b, aggregation_is_distribution(a) ? ",low,high,count\n" : ",value\n");
}

/* Writes the fields that are the same on each line of a row. */
static void put_keys(
	struct csv *c, const struct dtrace_row *row, const struct dtrace_aggregation *a)
{
	struct buf *b = &c->keys;

	b->len = 0;
	buf_puts(b, a->name);
	for (unsigned i = 0; i < a->nkeys; i++) {
		size_t from;

		buf_putc(b, ',');
		from = b->len;
		put_value_text(b, &row->keys[i]);
		quote(b, from);
	}
	buf_putc(b, ',');
	c->s.buf.failed |= b->failed;
}

static void put_row(struct csv *c, const struct dtrace_agg_value *v)
{
	struct buf *b = &c->s.buf, *keys = &c->keys;

	if (!aggregation_is_distribution(v->aggregation)) {
		buf_put(b, keys->data, keys->len);
		put_agg_number(b, v);
		buf_putc(b, '\n');
		return;
	}
	for (unsigned i = 0; i < v->nbuckets; i++) {
		buf_put(b, keys->data, keys->len);
		put_signed(b, v->buckets[i].low);
		buf_putc(b, ',');
		put_signed(b, v->buckets[i].high);
		buf_putc(b, ',');
		put_signed(b, bucket_shown(v, v->buckets[i].count));
		buf_putc(b, '\n');
	}
}

/* Writes aggregation number I of those that T joins, with its rows. */
static int put_aggregation(struct csv *c, const struct dtrace_table *t, unsigned i)
{
	const struct dtrace_aggregation *a = &t->aggregations[i];
	bool begun = false;
	int err = 0;

	for (unsigned k = 0; !err && k < t->nrows; k++) {
		const struct dtrace_row *row = dtrace_table_row(t, k);

		if (!row)
			return -ENOMEM;
		if (!row->values[i].present)
			continue;
		if (!begun)
			put_header(c, a);
		begun = true;
		put_keys(c, row, a);
		put_row(c, &row->values[i]);
		err = stream_relieve(&c->s);
	}
	return err;
}

static int csv_table(void *arg, const struct dtrace_table *t)
{
	struct csv *c = arg;
	int err = 0;

	for (unsigned i = 0; !err && i < t->naggregations; i++)
		err = put_aggregation(c, t, i);
	return err ? err : stream_write(&c->s);
}

static int csv_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	return i->action == DTRACE_ACTION_PRINTA ? csv_table(arg, i->table) : 0;
}

static int csv_flush(void *arg)
{
	struct csv *c = arg;

	return stream_flush(&c->s);
}

static void csv_release(void *arg)
{
	struct csv *c = arg;

	buf_free(&c->s.buf);
	buf_free(&c->keys);
	free(c);
}

int csv_open(FILE *out, const struct writer_info *info, struct writer *w)
{
	struct csv *c = calloc(1, sizeof(*c));

	if (!c)
		return -ENOMEM;
	c->s.out = out;
	*w = (struct writer){
		.consumer =
			{
				.arg = c,
				.item = csv_item,
				.table = csv_table,
				.finish = csv_flush,
				.flush = csv_flush,
			},
		.release = csv_release,
	};
	return 0;
}
