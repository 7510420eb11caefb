// SPDX-License-Identifier: Apache-2.0
/*
 * Fits the columns of a table to what is in them and to a window: option width.
 *
 * Two blanks, or one before a number, separate columns.  If the whole is too wide, the widest
 * texts are cut first.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <dtrace/dtrace.h>

#include "dtrace/data.h"
#include "print/kinds.h"
#include "print/print.h"

#define MIN_VALUE 8 /* columns of a value */
#define MIN_TEXT  8 /* columns that a text keeps */
#define GAP	  2 /* blanks before a key */
#define CUT	  "..."
#define CUT_LEN	  3

/* Columns of UTF-8: one for each character. */
static uint32_t columns_of(const char *text, size_t len)
{
	uint32_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

/* Returns the bytes of the first N characters of TEXT. */
static size_t bytes_of(const char *text, size_t len, uint32_t n)
{
	size_t i = 0;

	while (i < len && (n || ((unsigned char)text[i] & 0xc0) == 0x80)) {
		n -= ((unsigned char)text[i] & 0xc0) != 0x80;
		i++;
	}
	return i;
}

static bool has_lines(const char *text, size_t len)
{
	return len && text[len - 1] == '\n';
}

static uint32_t largest(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* ---- measuring ---- */

static int measure_row(struct printer *pr, const struct dtrace_table *t,
	const struct dtrace_row *row, struct fit *f)
{
	struct buf *b = &pr->buf;
	size_t from = b->len;

	for (unsigned i = 0; i < f->nkeys; i++) {
		if (value_is_stack(&row->keys[i]))
			continue;
		print_key_text(pr, &row->keys[i]);
		if (b->failed)
			return -ENOMEM;
		if (!has_lines(b->data + from, b->len - from))
			f->keys[i] = largest(f->keys[i], columns_of(b->data + from, b->len - from));
		b->len = from;
	}
	for (unsigned i = 0; i < t->naggregations; i++) {
		if (aggregation_is_distribution(&t->aggregations[i]))
			continue;
		print_signed(b, row->values[i].number, 0);
		f->values[i] = largest(f->values[i], (uint32_t)(b->len - from));
		b->len = from;
	}
	return b->failed ? -ENOMEM : 0;
}

static int measure_rows(
	struct printer *pr, const struct dtrace_table *t, unsigned first, unsigned n, struct fit *f)
{
	for (unsigned i = 0; i < n; i++) {
		const struct dtrace_row *row = dtrace_table_row(t, first + i);

		if (!row || measure_row(pr, t, row, f))
			return -ENOMEM;
	}
	return 0;
}

/* ---- cutting ---- */

/* Returns the widest text of all KEYS; NULL: none can be cut. */
static uint32_t *widest(const struct dtrace_value *keys, struct fit *f)
{
	uint32_t *found = NULL;

	for (unsigned i = 0; i < f->nkeys; i++)
		if (!value_is_number(&keys[i]) && f->keys[i] > MIN_TEXT &&
			(!found || f->keys[i] > *found))
			found = &f->keys[i];
	return found;
}

static uint32_t sum_keys(const struct fit *f)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < f->nkeys; i++)
		n += f->keys[i] ? GAP + f->keys[i] : 0;
	return n;
}

/* Cuts columns until they fit beside OTHERS.  ROW is any: their keys are of the same kinds. */
static void cut_columns(
	const struct printer *pr, const struct dtrace_row *row, uint32_t others, struct fit *f)
{
	uint32_t *cut;

	while (f->key_columns + others > pr->opts.width && (cut = widest(row->keys, f))) {
		--*cut;
		f->key_columns--;
	}
}

int fit_table(struct printer *pr, const struct dtrace_table *t, unsigned first, unsigned n,
	uint32_t picture, struct fit *out)
{
	const struct dtrace_row *row;
	uint32_t others = picture;

	*out = (struct fit){.nkeys = t->aggregations->nkeys};
	if (!pr->opts.width || !n || !out->nkeys)
		return 0;
	out->keys = calloc(out->nkeys, sizeof(*out->keys));
	out->values = calloc(t->naggregations + 1ul, sizeof(*out->values));
	if (!out->keys || !out->values)
		return -ENOMEM;
	for (unsigned i = 0; !picture && i < t->naggregations; i++)
		if (!aggregation_is_distribution(&t->aggregations[i]))
			out->values[i] = MIN_VALUE;
	if (measure_rows(pr, t, first, n, out))
		return -ENOMEM;
	for (unsigned i = 0; !picture && i < t->naggregations; i++)
		others += out->values[i] ? 1 + out->values[i] : 0;
	out->key_columns = sum_keys(out);
	row = dtrace_table_row(t, first);
	if (!row)
		return -ENOMEM;
	cut_columns(pr, row, others, out);
	return 0;
}

void fit_free(struct fit *f)
{
	free(f->keys);
	free(f->values);
	*f = (struct fit){0};
}

/* ---- printing ---- */

/* Cuts what was printed from byte FROM on to COLUMNS; paths and C++ names differ at either end. */
static void cut_text(struct printer *pr, size_t from, uint32_t columns)
{
	struct buf *b = &pr->buf;
	char *text = b->data + from;
	size_t len = b->len - from, head, tail;
	uint32_t all = columns_of(text, len), kept = columns - CUT_LEN;

	if (all <= columns)
		return;
	head = bytes_of(text, len, kept - kept / 2);
	tail = bytes_of(text, len, all - kept / 2);
	memcpy(text + head, CUT, CUT_LEN);
	memmove(text + head + CUT_LEN, text + tail, len - tail);
	b->len = from + head + CUT_LEN + len - tail;
}

/* Appends N blanks, or inserts them at byte FROM. */
static void pad(struct printer *pr, size_t from, uint32_t n, bool before)
{
	struct buf *b = &pr->buf;
	size_t len = b->len - from;

	buf_fill(b, ' ', n);
	if (b->failed || !before)
		return;
	memmove(b->data + from + n, b->data + from, len);
	memset(b->data + from, ' ', n);
}

static void print_key_fit(struct printer *pr, const struct dtrace_value *key, uint32_t columns)
{
	struct buf *b = &pr->buf;
	size_t from = b->len;
	uint32_t n;

	print_key_text(pr, key);
	if (b->failed || has_lines(b->data + from, b->len - from))
		return;
	cut_text(pr, from, columns);
	n = columns_of(b->data + from, b->len - from);
	if (n < columns)
		pad(pr, from, columns - n, value_is_number(key));
	pad(pr, from, GAP, true);
}

void print_keys_fit(struct printer *pr, const struct dtrace_value *keys, const struct fit *f)
{
	for (unsigned i = 0; i < f->nkeys; i++)
		print_key_fit(pr, &keys[i], f->keys[i]);
}
