// SPDX-License-Identifier: Apache-2.0
/*
 * Writes aggregations as tables of comma-separated values, quoted as in RFC 4180.
 *
 * A table has a header and a line for each row, of a distribution for each bucket.  In a stream
 * tables are separated by an empty line.  In a folder each has a file: NAME.csv of an aggregation,
 * records-N.csv of what clause N records, and records-N-2.csv and so on if it records other values
 * at other times.  Lines end with a newline alone, as other programs here expect.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* asprintf() */
#endif
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/heapvec.h"
#include "base/interrupt.h"
#include "base/vec.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"
#include "formats/json.h"
#include "formats/writer.h"
#include "formats/writers.h"
#include "print/kinds.h"

/* A file of a folder.  of: which table it has. */
struct csv_file {
	char *of, *path;
	struct stream s;
};

struct csv {
	struct stream s;
	struct buf keys;		/* of the row */
	bool any;			/* table */
	const char *folder;		/* NULL: all tables go to the stream */
	HEAPVEC(struct csv_file) files; /* of the folder */
	struct buf row;			/* values of the record */
	unsigned nvalues;
	struct buf name;
	struct writer_info info;
};

/* Tells the user that WHAT failed with the file PATH, and returns ERR. */
static int failed(const struct csv *c, const char *what, const char *path, int err)
{
	writer_say(&c->info, "cannot %s %s: %s", what, path, strerror(-err));
	return err;
}

/* Appends the file of the table OF, which is opened as FOLDER/NAME.csv. */
static int add_file(struct csv *c, const char *of, const char *name, struct csv_file **out)
{
	struct csv_file f = {.of = strdup(of)};
	int err;

	if (!f.of || asprintf(&f.path, "%s%s.csv", c->folder, name) < 0) {
		free(f.of);
		return -ENOMEM;
	}
	f.s.out = fopen(f.path, "we");
	if (f.s.out && !heapvec_push(&c->files, f)) {
		*out = &vec_last(&c->files);
		return 0;
	}
	err = f.s.out ? -ENOMEM : failed(c, "open", f.path, -errno);
	if (f.s.out)
		fclose(f.s.out);
	free(f.of);
	free(f.path);
	return err;
}

static struct csv_file *find_file(struct csv *c, const char *of)
{
	for (uint32_t i = 0; i < c->files.len; i++)
		if (!strcmp(c->files.data[i].of, of))
			return &c->files.data[i];
	return NULL;
}

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

static void put_header(struct csv *c, struct stream *s, const struct dtrace_aggregation *a)
{
	struct buf *b = &s->buf;

	if (c->any)
		buf_putc(b, '\n');
	c->any = !c->folder;
	put_literal(b, "name");
	for (unsigned i = 0; i < a->nkeys; i++) {
		put_literal(b, ",key");
		json_put_unsigned(b, i + 1);
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
		writer_put_value_text(b, &row->keys[i]);
		quote(b, from);
	}
	buf_putc(b, ',');
}

static void put_row(struct csv *c, struct stream *s, const struct dtrace_agg_value *v)
{
	struct buf *b = &s->buf, *keys = &c->keys;

	b->failed |= keys->failed;
	if (!aggregation_is_distribution(v->aggregation)) {
		buf_put(b, keys->data, keys->len);
		writer_put_agg_number(b, v);
		buf_putc(b, '\n');
		return;
	}
	for (unsigned i = 0; i < v->nbuckets; i++) {
		buf_put(b, keys->data, keys->len);
		json_put_signed(b, v->buckets[i].low);
		buf_putc(b, ',');
		json_put_signed(b, v->buckets[i].high);
		buf_putc(b, ',');
		json_put_signed(b, writer_bucket_shown(v, v->buckets[i].count));
		buf_putc(b, '\n');
	}
}

/* Finds or adds the file of aggregation A of a folder; *OUT is its stream. */
static int aggregation_file(struct csv *c, const struct dtrace_aggregation *a, struct stream **out)
{
	struct csv_file *f;
	int err;

	/* a name of D cannot begin with this, so no other table is called so */
	c->name.len = 0;
	buf_printf(&c->name, "@%s", a->name);
	buf_putc(&c->name, 0);
	if (c->name.failed)
		return -ENOMEM;
	f = find_file(c, c->name.data);
	if (f) {
		*out = &f->s;
		return 0;
	}
	err = add_file(c, c->name.data, a->name, &f);
	if (err)
		return err;
	*out = &f->s;
	put_header(c, *out, a);
	return 0;
}

/* Writes aggregation number I of those that T joins, with its rows. */
static int put_aggregation(struct csv *c, const struct dtrace_table *t, unsigned i)
{
	const struct dtrace_aggregation *a = &t->aggregations[i];
	const unsigned requests = interrupt_count();
	struct stream *s = NULL;
	int err = 0;

	for (unsigned k = 0; !err && k < t->nrows && interrupt_count() == requests; k++) {
		const struct dtrace_row *row = dtrace_table_row(t, k);

		if (!row)
			return -ENOMEM;
		if (!row->values[i].present)
			continue;
		if (!s && c->folder) {
			err = aggregation_file(c, a, &s);
			if (err)
				return err;
		} else if (!s) {
			s = &c->s;
			put_header(c, s, a);
		}
		put_keys(c, row, a);
		put_row(c, s, &row->values[i]);
		err = stream_relieve(s);
	}
	return err;
}

/* Writes what the streams have gathered, and passes it on to the system if FLUSH. */
static int write_all(struct csv *c, bool flush)
{
	int err;

	if (!c->folder)
		return flush ? stream_flush(&c->s) : stream_write(&c->s);
	for (uint32_t i = 0; i < c->files.len; i++) {
		struct csv_file *f = &c->files.data[i];

		err = flush ? stream_flush(&f->s) : stream_write(&f->s);
		if (err)
			return failed(c, "write", f->path, err);
	}
	return 0;
}

static int csv_table(void *arg, const struct dtrace_table *t)
{
	struct csv *c = arg;
	int err = 0;

	for (unsigned i = 0; !err && i < t->naggregations; i++)
		err = put_aggregation(c, t, i);
	return err ? err : write_all(c, false);
}

static int csv_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	return i->action == DTRACE_ACTION_PRINTA ? csv_table(arg, i->table) : 0;
}

/* ---- records, in a folder ---- */

/* Finds or adds the file of records that are as R: of its clause, with as many values. */
static int record_file(
	struct csv *c, const struct dtrace_record *r, unsigned nvalues, struct csv_file **out)
{
	char of[64], name[64];
	unsigned others = 0;
	size_t len;
	int err;

	len = (size_t)snprintf(of, sizeof(of), "%u ", r->clause + 1);
	for (uint32_t i = 0; i < c->files.len; i++)
		others += !strncmp(c->files.data[i].of, of, len);
	snprintf(of + len, sizeof(of) - len, "%u", nvalues);
	*out = find_file(c, of);
	if (*out)
		return 0;
	if (others)
		snprintf(name, sizeof(name), "records-%u-%u", r->clause + 1, others + 1);
	else
		snprintf(name, sizeof(name), "records-%u", r->clause + 1);
	err = add_file(c, of, name, out);
	if (err)
		return err;
	put_literal(&(*out)->s.buf, "time,cpu,probe");
	for (unsigned i = 0; i < nvalues; i++) {
		put_literal(&(*out)->s.buf, ",value");
		json_put_unsigned(&(*out)->s.buf, i + 1);
	}
	buf_putc(&(*out)->s.buf, '\n');
	return 0;
}

static int csv_record_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct csv *c = arg;
	struct buf *b = &c->row;

	if (i->action == DTRACE_ACTION_PRINTA)
		return csv_table(arg, i->table);
	if (i->table || i->action == DTRACE_ACTION_EXIT)
		return 0;
	for (unsigned k = 0; k < i->nvalues; k++) {
		size_t from;

		buf_putc(b, ',');
		from = b->len;
		writer_put_value_text(b, &i->values[k]);
		quote(b, from);
		c->nvalues++;
	}
	return 0;
}

static int csv_begin(void *arg, const struct dtrace_record *r)
{
	struct csv *c = arg;

	c->row.len = 0;
	c->nvalues = 0;
	return 0;
}

/* A record without values is no row: only that it has fired would be in it. */
static int csv_end(void *arg, const struct dtrace_record *r)
{
	const struct dtrace_probe *p = r->probe;
	struct csv *c = arg;
	struct csv_file *f;
	struct buf *b;
	size_t from;
	int err;

	if (!c->nvalues)
		return 0;
	err = record_file(c, r, c->nvalues, &f);
	if (err)
		return err;
	b = &f->s.buf;
	json_put_unsigned(b, r->time);
	buf_putc(b, ',');
	json_put_unsigned(b, r->cpu);
	buf_putc(b, ',');
	from = b->len;
	buf_printf(b, "%s:%s:%s:%s", p->provider, p->module, p->function, p->name);
	quote(b, from);
	buf_put(b, c->row.data, c->row.len);
	b->failed |= c->row.failed;
	buf_putc(b, '\n');
	err = stream_relieve(&f->s);
	return err ? failed(c, "write", f->path, err) : 0;
}

/* ---- the writer ---- */

static int csv_flush(void *arg)
{
	return write_all(arg, true);
}

static void csv_release(void *arg)
{
	struct csv *c = arg;

	for (uint32_t i = 0; i < c->files.len; i++) {
		struct csv_file *f = &c->files.data[i];

		fclose(f->s.out);
		buf_free(&f->s.buf);
		free(f->of);
		free(f->path);
	}
	heapvec_free(&c->files);
	buf_free(&c->s.buf);
	buf_free(&c->keys);
	buf_free(&c->row);
	buf_free(&c->name);
	free(c);
}

int csv_open(FILE *out, const struct writer_info *info, struct writer *w)
{
	struct csv *c = calloc(1, sizeof(*c));

	if (!c)
		return -ENOMEM;
	c->s.out = out;
	c->folder = out ? NULL : info->path;
	c->info = *info;
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
	if (c->folder) {
		w->consumer.begin = csv_begin;
		w->consumer.item = csv_record_item;
		w->consumer.end = csv_end;
	}
	return 0;
}
