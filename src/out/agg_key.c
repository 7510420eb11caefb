// SPDX-License-Identifier: Apache-2.0
/* Prints the keys of a row in columns. */
#include "abi/record.h"
#include "consume/event.h"
#include "out/print.h"

#define STRING_WIDTH 50

/* The width of keys other than integers, in a picture. */
#define PACKED_WIDTH 16

/* Columns of tables, narrow ones of pictures, or the text alone. */
enum key_layout { WIDE, PACKED, PLAIN };

static void key_text(struct printer *pr, const char *text, size_t len, enum key_layout layout)
{
	struct buf *b = &pr->buf;
	size_t from;

	if (layout != PLAIN)
		buf_puts(b, layout == PACKED ? " " : "  ");
	from = b->len;
	buf_put(b, text, len);
	/* bytes that are no text are escaped: the rest of it still says which key this is */
	if (!print_is_text(text, len))
		print_unsafe_escaped(b, from);
	else
		print_safe(pr, from);
	len = b->len - from;
	if (layout == PACKED && len < PACKED_WIDTH && !b->failed) {
		buf_fill(b, ' ', PACKED_WIDTH - len);
		if (b->failed)
			return;
		memmove(b->data + from + PACKED_WIDTH - len, b->data + from, len);
		memset(b->data + from, ' ', PACKED_WIDTH - len);
	} else if (layout == WIDE)
		print_pad(pr, from, STRING_WIDTH);
}

static void key_string(struct printer *pr, const struct datum *d, const struct rec_view *src,
	enum key_layout layout)
{
	struct datum_room room;
	bool nul;
	size_t len;
	const char *text = datum_text(pr, d, src, &room, &len, &nul);

	if ((d->kind != DATUM_CHARS || print_is_text(text, len) || pr->opts.termsafe) &&
		!pr->opts.rawbytes)
		key_text(pr, text, len, layout);
	else if (d->kind == DATUM_CHARS)
		print_hexdump(pr, text, d->size);
	else
		print_hex_string(pr, text, len, datum_string_size(d, len));
}

/* Bytes of no known type are text where they look like it: printable, then NULs only. */
static void key_bytes(struct printer *pr, const struct datum *d, const struct rec_view *src,
	enum key_layout layout)
{
	const char *p = datum_bytes(d, src);
	size_t len = 0, tail;

	while (len < d->size && p[len])
		len++;
	for (tail = len; tail < d->size && !p[tail]; tail++)
		;
	if (len && tail == d->size && print_is_text(p, len) && !pr->opts.rawbytes)
		key_text(pr, p, len, layout);
	else
		print_hexdump(pr, p, d->size);
}

/* Returns the columns of an integer of SIZE bytes. */
static uint32_t int_width(uint32_t size)
{
	return size == 1 ? 3 : size == 2 ? 5 : size == 4 ? 8 : 16;
}

static bool key_int(struct printer *pr, const struct datum *d, const struct rec_view *src,
	enum key_layout layout)
{
	uint32_t width = layout == PLAIN ? 0 : int_width(d->size);
	uint64_t n;
	int64_t s;

	if (!datum_unsigned(d, src, &n) || !datum_signed(d, src, &s))
		return false;
	if (layout != PLAIN)
		buf_putc(&pr->buf, ' ');
	if (d->kind == DATUM_INT && d->is_signed)
		print_signed(&pr->buf, s, width);
	else
		print_unsigned(&pr->buf, n, width);
	return true;
}

/*
 * Prints a symbol in a picture.  Its text comes from the symbol table into the buffer; the blanks
 * are inserted before it.
 */
static void key_sym_packed(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	struct buf *b = &pr->buf;
	size_t from, len;

	buf_putc(b, ' ');
	from = b->len;
	print_sym_text(pr, d, src);
	print_name_safe(pr, from);
	len = b->len - from;
	print_pad(pr, from, PACKED_WIDTH);
	if (b->failed || len >= PACKED_WIDTH)
		return;
	memmove(b->data + b->len - len, b->data + from, len);
	memset(b->data + from, ' ', PACKED_WIDTH - len);
}

static void print_key(struct printer *pr, const struct datum *d, const struct rec_view *src,
	enum key_layout layout)
{
	if (datum_is_stack(d)) {
		print_stack(pr, d, src, pr->opts.stackindent);
		return;
	}
	if (datum_is_sym(d)) {
		if (layout == PLAIN) {
			size_t from = pr->buf.len;

			print_sym_text(pr, d, src);
			print_name_safe(pr, from);
		} else if (layout == PACKED)
			key_sym_packed(pr, d, src);
		else
			print_sym(pr, d, src);
		return;
	}
	switch (d->kind) {
	case DATUM_INT:
	case DATUM_PTR:
		if (!key_int(pr, d, src, layout))
			key_bytes(pr, d, src, layout);
		break;
	case DATUM_FLOAT:
	case DATUM_BYTES:
		key_bytes(pr, d, src, layout);
		break;
	default:
		key_string(pr, d, src, layout);
		break;
	}
}

void print_keys(struct printer *pr, const struct agg_row *row)
{
	const struct rec_view src = {.base = row->key};

	for (uint32_t i = 0; i < row->desc->nkeys; i++)
		print_key(pr, &row->desc->keys[i], &src, WIDE);
}

void print_key_text(struct printer *pr, const struct agg_row *row, uint32_t i)
{
	const struct rec_view src = {.base = row->key};
	size_t from = pr->buf.len;

	print_key(pr, &row->desc->keys[i], &src, PLAIN);
	print_safe(pr, from); /* also names of functions */
}

/* ---- in pictures ---- */

static uint32_t packed_width(const struct datum *d)
{
	if (d->kind != DATUM_INT && d->kind != DATUM_PTR)
		return PACKED_WIDTH;
	return int_width(d->size);
}

uint32_t keys_packed_width(const struct agg_desc *desc)
{
	uint32_t width = 0;

	for (uint32_t i = 0; i < desc->nkeys; i++)
		width += 1 + packed_width(&desc->keys[i]);
	return width;
}

/*
 * Prints the keys of a row in a picture.  A key with lines of its own, a stack or a dump, leaves
 * its column empty, so that the rest of the line is aligned with the other rows.
 */
void print_keys_packed(struct printer *pr, const struct agg_row *row)
{
	const struct rec_view src = {.base = row->key};
	struct buf *b = &pr->buf;
	uint32_t width = 0;

	for (uint32_t i = 0; i < row->desc->nkeys; i++) {
		print_key(pr, &row->desc->keys[i], &src, PACKED);
		width += 1 + packed_width(&row->desc->keys[i]);
		if (b->len && b->data[b->len - 1] == '\n')
			print_pad(pr, b->len, width);
	}
}
