// SPDX-License-Identifier: Apache-2.0
/*
 * Writes one line a stack, as flame graph tools read it: frames outermost first with ';' between
 * them, a blank and a number.
 *
 * Rows of aggregations are written as they come.  Stacks that records hold count as one each;
 * they are added up and written at the end.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"
#include "formats/json.h"
#include "formats/writer.h"
#include "formats/writers.h"
#include "print/kinds.h"

struct folded_line {
	struct folded_line *next;  /* of the same slot */
	struct folded_line *after; /* in order of first appearance */
	uint64_t hash, count;
	size_t len;
	char line[];
};

struct folded {
	struct stream s;
	struct buf user, kernel, line; /* of the record under way */
	bool has_user, has_kernel;
	struct folded_line **slots, *first, **last;
	size_t nslots, nentries; /* slots: a power of two */
};

/* ---- frames ---- */

/* Replaces the separators of frames and lines in a name. */
static void clean(struct buf *b, size_t from)
{
	for (size_t i = from; !b->failed && i < b->len; i++) {
		if (b->data[i] == ';')
			b->data[i] = ':';
		else if (b->data[i] == '\n' || b->data[i] == '\r' || !b->data[i])
			b->data[i] = ' ';
	}
}

/* Begins a further frame. */
static size_t separate(struct buf *b)
{
	if (b->len)
		buf_putc(b, ';');
	return b->len;
}

static void put_stack(struct buf *b, const struct dtrace_value *v)
{
	for (unsigned i = v->nframes; i--;) {
		size_t from = separate(b);

		writer_put_frame_name(b, &v->frames[i]);
		clean(b, from);
	}
}

/* Lines without a frame are no use to anybody, but the number must not be lost. */
static void put_count_start(struct buf *b)
{
	if (!b->len)
		put_literal(b, "[no stack]");
	buf_putc(b, ' ');
}

/* ---- aggregations ---- */

static bool has_stack(const struct dtrace_row *row, unsigned nkeys)
{
	for (unsigned i = 0; i < nkeys; i++)
		if (value_is_stack(&row->keys[i]))
			return true;
	return false;
}

static void put_keys(struct buf *b, const struct dtrace_row *row, unsigned nkeys)
{
	for (unsigned i = 0; i < nkeys; i++) {
		size_t from;

		if (value_is_stack(&row->keys[i]))
			continue;
		from = separate(b);
		writer_put_value_text(b, &row->keys[i]);
		clean(b, from);
	}
	/* the kernel is called by the program */
	for (unsigned i = 0; i < nkeys; i++)
		if (row->keys[i].kind == DTRACE_KIND_USTACK)
			put_stack(b, &row->keys[i]);
	for (unsigned i = 0; i < nkeys; i++)
		if (row->keys[i].kind == DTRACE_KIND_STACK)
			put_stack(b, &row->keys[i]);
}

static void put_number(struct buf *b, const struct dtrace_agg_value *v)
{
	int64_t total = 0;

	if (!aggregation_is_distribution(v->aggregation)) {
		writer_put_agg_number(b, v);
		return;
	}
	for (unsigned i = 0; i < v->nbuckets; i++)
		total = (int64_t)((uint64_t)total + (uint64_t)v->buckets[i].count);
	json_put_signed(b, writer_bucket_shown(v, total));
}

static int folded_table(void *arg, const struct dtrace_table *t)
{
	struct folded *f = arg;
	struct buf *b = &f->line;
	unsigned nkeys = t->aggregations[0].nkeys;

	for (unsigned i = 0; i < t->nrows; i++) {
		const struct dtrace_row *row = dtrace_table_row(t, i);
		int err;

		if (!row)
			return -ENOMEM;
		if (!has_stack(row, nkeys)) /* nor has any other row */
			break;
		b->len = 0;
		put_keys(b, row, nkeys);
		put_count_start(b);
		put_number(b, &row->values[0]);
		buf_putc(b, '\n');
		f->s.buf.failed |= b->failed;
		buf_put(&f->s.buf, b->data, b->len);
		err = stream_relieve(&f->s);
		if (err)
			return err;
	}
	return stream_write(&f->s);
}

/* ---- records ---- */

static uint64_t hash_of(const char *p, size_t len)
{
	uint64_t h = 14695981039346656037u;

	while (len--)
		h = (h ^ (unsigned char)*p++) * 1099511628211u;
	return h;
}

static int grow(struct folded *f)
{
	size_t n = f->nslots ? 2 * f->nslots : 1024;
	struct folded_line **slots = calloc(n, sizeof(struct folded_line *));

	if (!slots)
		return -ENOMEM;
	for (struct folded_line *e = f->first; e; e = e->after) {
		e->next = slots[e->hash & (n - 1)];
		slots[e->hash & (n - 1)] = e;
	}
	free(f->slots);
	f->slots = slots;
	f->nslots = n;
	return 0;
}

static int add_entry(struct folded *f, uint64_t hash)
{
	struct folded_line *e;

	if (f->nentries >= f->nslots && grow(f))
		return -ENOMEM;
	e = malloc(sizeof(*e) + f->line.len);
	if (!e)
		return -ENOMEM;
	*e = (struct folded_line){.hash = hash, .count = 1, .len = f->line.len};
	memcpy(e->line, f->line.data, f->line.len);
	e->next = f->slots[hash & (f->nslots - 1)];
	f->slots[hash & (f->nslots - 1)] = e;
	*f->last = e;
	f->last = &e->after;
	f->nentries++;
	return 0;
}

/* The stacks that were gathered are one more of their kind. */
static int count_stacks(struct folded *f)
{
	struct buf *b = &f->line;
	uint64_t hash;

	if (!f->has_user && !f->has_kernel)
		return 0;
	b->len = 0;
	buf_put(b, f->user.data, f->user.len);
	if (f->user.len && f->kernel.len)
		buf_putc(b, ';');
	buf_put(b, f->kernel.data, f->kernel.len);
	put_count_start(b);
	f->has_user = f->has_kernel = false;
	if (b->failed || f->user.failed || f->kernel.failed)
		return -ENOMEM;
	hash = hash_of(b->data, b->len);
	for (struct folded_line *e = f->nslots ? f->slots[hash & (f->nslots - 1)] : NULL; e;
		e = e->next)
		if (e->hash == hash && e->len == b->len && !memcmp(e->line, b->data, b->len)) {
			e->count++;
			return 0;
		}
	return add_entry(f, hash);
}

static int folded_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *i)
{
	struct folded *f = arg;
	const struct dtrace_value *v = i->values;
	bool user;
	int err = 0;

	if (i->action == DTRACE_ACTION_PRINTA)
		return folded_table(f, i->table);
	for (unsigned k = 0; !err && k < i->nvalues; k++) {
		if (!value_is_stack(&v[k]))
			continue;
		user = v[k].kind == DTRACE_KIND_USTACK;
		/* stack() and ustack() are one line, a second one of a kind begins the next */
		if (user ? f->has_user : f->has_kernel)
			err = count_stacks(f);
		if (!f->has_user && !f->has_kernel)
			f->user.len = f->kernel.len = 0;
		put_stack(user ? &f->user : &f->kernel, &v[k]);
		*(user ? &f->has_user : &f->has_kernel) = true;
	}
	return err;
}

static int folded_end(void *arg, const struct dtrace_record *r)
{
	return count_stacks(arg);
}

/* ---- the rest ---- */

static int folded_finish(void *arg)
{
	struct folded *f = arg;
	int err = 0;

	for (struct folded_line *e = f->first; !err && e; e = e->after) {
		buf_put(&f->s.buf, e->line, e->len);
		json_put_unsigned(&f->s.buf, e->count);
		buf_putc(&f->s.buf, '\n');
		err = stream_relieve(&f->s);
	}
	return err ? err : stream_flush(&f->s);
}

static int folded_flush(void *arg)
{
	struct folded *f = arg;

	return stream_flush(&f->s);
}

static void folded_release(void *arg)
{
	struct folded *f = arg;
	struct folded_line *next;

	for (struct folded_line *e = f->first; e; e = next) {
		next = e->after;
		free(e);
	}
	free(f->slots);
	buf_free(&f->s.buf);
	buf_free(&f->user);
	buf_free(&f->kernel);
	buf_free(&f->line);
	free(f);
}

int folded_open(FILE *out, const struct writer_info *info, struct writer *w)
{
	struct folded *f = calloc(1, sizeof(*f));

	if (!f)
		return -ENOMEM;
	f->s.out = out;
	f->last = &f->first;
	*w = (struct writer){
		.consumer =
			{
				.arg = f,
				.item = folded_item,
				.end = folded_end,
				.table = folded_table,
				.finish = folded_finish,
				.flush = folded_flush,
			},
		.release = folded_release,
	};
	return 0;
}
