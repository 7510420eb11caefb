// SPDX-License-Identifier: Apache-2.0
/* Prints the keys of a row in columns. */
#include "abi/record.h"
#include "consume/event.h"
#include "out/print.h"

#define STRING_WIDTH 50

/* The width of keys other than integers, in a picture. */
#define PACKED_WIDTH 16

static void key_text(struct printer *pr, const char *text, size_t len, bool packed)
{
	size_t from;

	if (packed) {
		buf_putc(&pr->buf, ' ');
		if (len < PACKED_WIDTH)
			print_pad(pr, pr->buf.len, PACKED_WIDTH - len);
		buf_put(&pr->buf, text, len);
		return;
	}
	buf_puts(&pr->buf, "  ");
	from = pr->buf.len;
	buf_put(&pr->buf, text, len);
	print_pad(pr, from, STRING_WIDTH);
}

static void key_string(
	struct printer *pr, const struct datum *d, const struct rec_view *src, bool packed)
{
	bool nul;
	size_t len;
	const char *text = datum_text(pr, d, src, &len, &nul);

	if (print_is_text(text, len) && !pr->opts.rawbytes)
		key_text(pr, text, len, packed);
	else if (d->kind == DATUM_CHARS)
		print_hexdump(pr, text, d->size);
	else
		print_hex_string(pr, text, len, datum_string_size(d, len));
}

/* Bytes of no known type are text where they look like it: printable, then NULs only. */
static void key_bytes(
	struct printer *pr, const struct datum *d, const struct rec_view *src, bool packed)
{
	const char *p = datum_bytes(d, src);
	size_t len = 0, tail;

	while (len < d->size && p[len])
		len++;
	for (tail = len; tail < d->size && !p[tail]; tail++)
		;
	if (len && tail == d->size && print_is_text(p, len) && !pr->opts.rawbytes)
		key_text(pr, p, len, packed);
	else
		print_hexdump(pr, p, d->size);
}

/* The short ones are shown unsigned, the long ones signed, whatever their type. */
static bool key_int(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	uint64_t n;

	if (!datum_unsigned(d, src, &n))
		return false;
	buf_putc(&pr->buf, ' ');
	switch (d->size) {
	case 1:
		print_unsigned(&pr->buf, n, 3);
		return true;
	case 2:
		print_unsigned(&pr->buf, n, 5);
		return true;
	case 4:
		print_signed(&pr->buf, (int32_t)n, 8);
		return true;
	default:
		print_signed(&pr->buf, (int64_t)n, 16);
		return true;
	}
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
	len = b->len - from;
	print_pad(pr, from, PACKED_WIDTH);
	if (b->failed || len >= PACKED_WIDTH)
		return;
	memmove(b->data + b->len - len, b->data + from, len);
	memset(b->data + from, ' ', PACKED_WIDTH - len);
}

static void print_key(
	struct printer *pr, const struct datum *d, const struct rec_view *src, bool packed)
{
	switch (d->kind) {
	case DATUM_INT:
	case DATUM_PTR:
		if (!key_int(pr, d, src))
			key_bytes(pr, d, src, packed);
		break;
	case DATUM_FLOAT:
	case DATUM_BYTES:
		key_bytes(pr, d, src, packed);
		break;
	case DATUM_STACK_ID:
	case DATUM_USTACK_ID:
		print_stack(pr, d, src, pr->opts.stackindent);
		break;
	case DATUM_SYM:
	case DATUM_MOD:
	case DATUM_USYM:
	case DATUM_UADDR:
	case DATUM_UMOD:
		if (packed)
			key_sym_packed(pr, d, src);
		else
			print_sym(pr, d, src);
		break;
	default:
		key_string(pr, d, src, packed);
		break;
	}
}

void print_keys(struct printer *pr, const struct agg_row *row)
{
	const struct rec_view src = {.base = row->key};

	for (uint32_t i = 0; i < row->desc->nkeys; i++)
		print_key(pr, &row->desc->keys[i], &src, false);
}

/* ---- in pictures ---- */

static uint32_t packed_width(const struct datum *d)
{
	if (d->kind != DATUM_INT && d->kind != DATUM_PTR)
		return PACKED_WIDTH;
	return d->size == 1 ? 3 : d->size == 2 ? 5 : d->size == 4 ? 8 : PACKED_WIDTH;
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
		print_key(pr, &row->desc->keys[i], &src, true);
		width += 1 + packed_width(&row->desc->keys[i]);
		if (b->len && b->data[b->len - 1] == '\n')
			print_pad(pr, b->len, width);
	}
}
