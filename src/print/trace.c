// SPDX-License-Identifier: Apache-2.0
/* Prints trace(). */
#include <string.h>

#include "dtrace/data.h"
#include "print/print.h"

#define STRING_WIDTH 33

/* Returns the width of a traced integer: as many columns as its longest value takes. */
static uint32_t int_width(const struct dtrace_value *v)
{
	switch (v->size) {
	case 1:
		return 3;
	case 2:
		return 5;
	case 4:
		return 10;
	default:
		return v->is_signed ? 19 : 20;
	}
}

static void trace_int(struct printer *pr, const struct dtrace_value *v)
{
	uint32_t width = pr->opts.quiet ? 0 : int_width(v);

	if (!pr->opts.quiet)
		buf_putc(&pr->buf, ' ');
	if (v->is_signed)
		print_signed(&pr->buf, (int64_t)v->number, width);
	else
		print_unsigned(&pr->buf, v->number, width);
}

static void trace_text(struct printer *pr, const struct dtrace_value *v, bool literal)
{
	struct buf *b = &pr->buf;
	size_t from;

	if (!pr->opts.quiet)
		buf_puts(b, "  ");
	from = b->len;
	buf_put(b, v->bytes, v->len);
	if (!literal)
		print_safe(pr, from);
	if (!pr->opts.quiet)
		print_pad(pr, from, STRING_WIDTH);
}

/* Returns the bytes of integer V; a damaged file can say anything. */
static uint32_t int_size(const struct dtrace_value *v)
{
	return v->size == 1 || v->size == 2 || v->size == 4 ? v->size : sizeof(v->number);
}

/* Returns the bytes of integer V, as they are in memory. */
static const void *bytes_of(const struct dtrace_value *v)
{
	const char *bytes = (const char *)&v->number;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	bytes += sizeof(v->number) - int_size(v);
#endif
	return bytes;
}

/* Prints the bytes of the value, for option rawbytes; a string has all those of its type. */
static void trace_raw(struct printer *pr, const struct dtrace_value *v)
{
	if (v->kind == DTRACE_KIND_STRING)
		print_hex_string(pr, v->bytes, v->len, v->size);
	else if (v->kind == DTRACE_KIND_INT || v->kind == DTRACE_KIND_POINTER)
		print_hexdump(pr, bytes_of(v), int_size(v));
	else
		print_hexdump(pr, v->bytes, v->len);
}

void print_trace(struct printer *pr, const struct dtrace_value *v, bool literal)
{
	switch (v->kind) {
	case DTRACE_KIND_STACK:
	case DTRACE_KIND_USTACK:
		print_stack(pr, v, pr->opts.stackindent);
		return;
	case DTRACE_KIND_SYMBOL:
	case DTRACE_KIND_USYMBOL:
		print_sym(pr, v);
		return;
	case DTRACE_KIND_INT:
	case DTRACE_KIND_POINTER:
		if (pr->opts.rawbytes)
			break;
		trace_int(pr, v);
		return;
	case DTRACE_KIND_STRING:
		if (pr->opts.rawbytes)
			break;
		trace_text(pr, v, literal);
		return;
	default:
		break;
	}
	trace_raw(pr, v);
}
