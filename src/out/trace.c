// SPDX-License-Identifier: Apache-2.0
/* Prints trace() and tracemem(). */
#include "out/print.h"

#include "abi/record.h"
#include "calls/call.h"

#define STRING_WIDTH 33

/* Returns the width of a traced integer: as many columns as its longest value takes. */
static uint32_t int_width(const struct datum *d, bool is_signed)
{
	switch (d->size) {
	case 1:
		return 3;
	case 2:
		return 5;
	case 4:
		return 10;
	default:
		return is_signed ? 19 : 20;
	}
}

static bool trace_int(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	bool is_signed = d->kind == DATUM_INT && d->is_signed;
	uint32_t width = pr->opts.quiet ? 0 : int_width(d, is_signed);
	uint64_t u;
	int64_t s;

	if (!(is_signed ? datum_signed(d, src, &s) : datum_unsigned(d, src, &u)))
		return false;
	if (!pr->opts.quiet)
		buf_putc(&pr->buf, ' ');
	if (is_signed)
		print_signed(&pr->buf, s, width);
	else
		print_unsigned(&pr->buf, u, width);
	return true;
}

static void trace_text(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	struct buf *b = &pr->buf;
	struct datum_room room;
	bool nul;
	size_t len, from;
	const char *text = datum_text(pr, d, src, &room, &len, &nul);

	if (!pr->opts.quiet)
		buf_puts(b, "  ");
	from = b->len;
	buf_put(b, text, len);
	if (d->kind != DATUM_LITERAL) /* the program's own may move the cursor */
		print_safe(pr, from);
	if (!pr->opts.quiet)
		print_pad(pr, from, STRING_WIDTH);
}

/*
 * Prints the bytes of the value, for option rawbytes; a string has all those of its type, however
 * many are in the record.
 */
static void trace_raw(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	struct datum_room room;
	bool nul;
	size_t len;
	const char *text =
		d->kind == DATUM_CHARS ? NULL : datum_text(pr, d, src, &room, &len, &nul);

	if (!text)
		print_hexdump(pr, datum_bytes(d, src), d->size);
	else
		print_hex_string(pr, text, len, datum_string_size(d, len));
}

void print_trace(struct printer *pr, const struct datum *d, const struct rec_view *src)
{
	if (datum_is_stack(d)) {
		print_stack(pr, d, src, pr->opts.stackindent);
		return;
	}
	if (datum_is_sym(d)) {
		print_sym(pr, d, src);
		return;
	}
	if (d->kind == DATUM_SYSCALL) { /* no columns, as of print() */
		call_print(&pr->buf, datum_bytes(d, src));
		return;
	}
	if (pr->opts.rawbytes) {
		trace_raw(pr, d, src);
		return;
	}
	switch (d->kind) {
	case DATUM_INT:
	case DATUM_PTR:
	case DATUM_PROBEID:
		if (trace_int(pr, d, src))
			return;
		break;
	case DATUM_STRING:
	case DATUM_FLAGS:
	case DATUM_LITERAL:
	case DATUM_PROBEPROV:
	case DATUM_PROBEMOD:
	case DATUM_PROBEFUNC:
	case DATUM_PROBENAME:
	case DATUM_PROBEFILE:
		trace_text(pr, d, src);
		return;
	case DATUM_CHARS:
		if (!datum_is_all_text(pr, d, src))
			break;
		trace_text(pr, d, src);
		return;
	default:
		break;
	}
	print_hexdump(pr, datum_bytes(d, src), d->size);
}

/* Returns the number of bytes to show: data[1] if there is one; all if it is negative. */
size_t tracemem_size(const struct rec_action *act, const struct rec_view *src)
{
	const struct datum *d = &act->data[0];
	size_t len = d->size;
	int64_t show;

	if (act->ndata > 1 && datum_signed(&act->data[1], src, &show)) {
		/* an unsigned count above INT64_MAX is as much "all" as a negative one */
		if (show >= 0 && (uint64_t)show < len)
			len = (size_t)show;
	}
	return len;
}

void print_tracemem(struct printer *pr, const struct rec_action *act, const struct rec_view *src)
{
	print_hexdump(pr, datum_bytes(&act->data[0], src), tracemem_size(act, src));
}
