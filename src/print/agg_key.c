// SPDX-License-Identifier: Apache-2.0
/* Prints the keys of a row in columns. */
#include <string.h>

#include "dtrace/data.h"
#include "print/kinds.h"
#include "print/print.h"

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

static void key_string(struct printer *pr, const struct dtrace_value *v, enum key_layout layout)
{
	if (pr->opts.rawbytes)
		print_hex_string(pr, v->bytes, v->len, v->size);
	else
		key_text(pr, v->bytes, v->len, layout);
}

/* Prints an array of integers of a byte that is not text as a whole. */
static void key_chars(struct printer *pr, const struct dtrace_value *v, enum key_layout layout)
{
	size_t len = strnlen(v->bytes, v->len);

	if ((print_is_text(v->bytes, len) || pr->opts.termsafe) && !pr->opts.rawbytes)
		key_text(pr, v->bytes, len, layout);
	else
		print_hexdump(pr, v->bytes, v->len);
}

/* Bytes of no known type are text where they look like it: printable, then NULs only. */
static void key_bytes(struct printer *pr, const struct dtrace_value *v, enum key_layout layout)
{
	const char *p = v->bytes;
	size_t len = strnlen(p, v->len), tail = len;

	while (tail < v->len && !p[tail])
		tail++;
	if (len && tail == v->len && print_is_text(p, len) && !pr->opts.rawbytes)
		key_text(pr, p, len, layout);
	else
		print_hexdump(pr, p, v->len);
}

/* Returns the columns of an integer of SIZE bytes. */
static uint32_t int_width(uint32_t size)
{
	return size == 1 ? 3 : size == 2 ? 5 : size == 4 ? 8 : 16;
}

static void key_int(struct printer *pr, const struct dtrace_value *v, enum key_layout layout)
{
	uint32_t width = layout == PLAIN ? 0 : int_width(v->size);

	if (layout != PLAIN)
		buf_putc(&pr->buf, ' ');
	if (v->is_signed)
		print_signed(&pr->buf, (int64_t)v->number, width);
	else
		print_unsigned(&pr->buf, v->number, width);
}

/*
 * Prints a symbol in a picture.  Its text comes from the symbol table into the buffer; the blanks
 * are inserted before it.
 */
static void key_sym_packed(struct printer *pr, const struct dtrace_value *v)
{
	struct buf *b = &pr->buf;
	size_t from, len;

	buf_putc(b, ' ');
	from = b->len;
	print_sym_text(pr, v);
	print_name_safe(pr, from);
	len = b->len - from;
	print_pad(pr, from, PACKED_WIDTH);
	if (b->failed || len >= PACKED_WIDTH)
		return;
	memmove(b->data + b->len - len, b->data + from, len);
	memset(b->data + from, ' ', PACKED_WIDTH - len);
}

static void key_sym(struct printer *pr, const struct dtrace_value *v, enum key_layout layout)
{
	size_t from = pr->buf.len;

	switch (layout) {
	case PLAIN:
		print_sym_text(pr, v);
		print_name_safe(pr, from);
		break;
	case PACKED:
		key_sym_packed(pr, v);
		break;
	case WIDE:
		print_sym(pr, v);
		break;
	}
}

static void print_key(struct printer *pr, const struct dtrace_value *v, enum key_layout layout)
{
	switch (v->kind) {
	case DTRACE_KIND_STACK:
	case DTRACE_KIND_USTACK:
		print_stack(pr, v, pr->opts.stackindent);
		break;
	case DTRACE_KIND_SYMBOL:
	case DTRACE_KIND_USYMBOL:
		key_sym(pr, v, layout);
		break;
	case DTRACE_KIND_INT:
	case DTRACE_KIND_POINTER:
		key_int(pr, v, layout);
		break;
	case DTRACE_KIND_STRING:
		key_string(pr, v, layout);
		break;
	default:
		if (v->is_char)
			key_chars(pr, v, layout);
		else
			key_bytes(pr, v, layout);
		break;
	}
}

void print_keys(struct printer *pr, const struct dtrace_value *keys, unsigned nkeys)
{
	for (unsigned i = 0; i < nkeys; i++)
		print_key(pr, &keys[i], WIDE);
}

void print_key_text(struct printer *pr, const struct dtrace_value *key)
{
	size_t from = pr->buf.len;

	print_key(pr, key, PLAIN);
	print_safe(pr, from); /* also names of functions */
}

/* ---- in pictures ---- */

static uint32_t packed_width(const struct dtrace_value *v)
{
	if (!value_is_number(v))
		return PACKED_WIDTH;
	return int_width(v->size);
}

uint32_t keys_packed_width(const struct dtrace_value *keys, unsigned nkeys)
{
	uint32_t width = 0;

	for (unsigned i = 0; i < nkeys; i++)
		width += 1 + packed_width(&keys[i]);
	return width;
}

/*
 * A key with lines of its own, a stack or a dump, leaves its column empty, so that the rest of the
 * line is aligned with the other rows.
 */
void print_keys_packed(struct printer *pr, const struct dtrace_value *keys, unsigned nkeys)
{
	struct buf *b = &pr->buf;
	uint32_t width = 0;

	for (unsigned i = 0; i < nkeys; i++) {
		print_key(pr, &keys[i], PACKED);
		width += 1 + packed_width(&keys[i]);
		if (b->len && b->data[b->len - 1] == '\n')
			print_pad(pr, b->len, width);
	}
}
