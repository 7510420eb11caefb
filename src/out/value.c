// SPDX-License-Identifier: Apache-2.0
/*
 * Prints a value of any C type for print(), as lines that look like a C initialiser.
 *
 * Members and elements whose bytes are all zero are left out; the next element has its index then.
 * Only the first bytes may have been recorded; where they end there is a line "...", then what is
 * open is closed.
 */
#include <inttypes.h>

#include "out/image.h"
#include "out/print.h"
#include "types/type.h"

struct lines {
	struct printer *pr;
	struct buf *b;
	struct value_image im;
	bool in_array; /* what is shown is an element .. */
	uint64_t next; /* .. and this is the index after the last one shown */
};

/* ---- lines ---- */

void print_value_indent(struct printer *pr, unsigned depth)
{
	buf_printf(&pr->buf, "%*s", (print_has_columns(pr) ? PRINT_INDENT : 0) + (int)depth, "");
}

void print_value_index(struct buf *b, uint64_t index, uint64_t expected)
{
	if (index != expected)
		buf_printf(b, "[%" PRIu64 "] = ", index);
}

/* "[.member = | [index] = ](type)" */
static void put_start(struct lines *l, const struct spot *s)
{
	char name[512];

	if (s->depth) /* whoever prints the outermost has seen to its column */
		print_value_indent(l->pr, s->depth);
	if (s->name && *s->name)
		buf_printf(l->b, ".%s = ", s->name);
	else if (l->in_array)
		print_value_index(l->b, s->index, l->next);
	buf_printf(l->b, "(%s)", type_name(s->type, name, sizeof(name)));
}

static void put_dots(struct lines *l, unsigned depth)
{
	print_value_indent(l->pr, depth);
	buf_puts(l->b, "...\n");
}

static void put_value(struct lines *l, const struct spot *s);

static void put_inner(
	void *arg, struct value_image *im, const struct spot *inner, enum spot_fate fate)
{
	struct lines *l = arg;

	if (fate == SPOT_CUT) {
		put_dots(l, inner->depth);
		return;
	}
	put_value(l, inner);
	l->next = inner->index + 1;
}

static void put_aggregate(struct lines *l, const struct spot *s, const struct type *t)
{
	bool array = t->kind == TYPE_ARRAY, outer = l->in_array;

	l->in_array = array;
	l->next = 0;
	buf_puts(l->b, array ? " [\n" : " {\n");
	if (s->depth + 1 >= IMAGE_MAX_DEPTH)
		put_dots(l, s->depth + 1);
	else
		spot_each(&l->im, s, put_inner, l);
	print_value_indent(l->pr, s->depth);
	buf_putc(l->b, array ? ']' : '}');
	l->in_array = outer;
	buf_puts(l->b, s->depth ? ",\n" : "\n");
}

static void put_value(struct lines *l, const struct spot *s)
{
	const struct type *t = type_resolve(s->type);
	struct spot_text string;
	const char *text;
	size_t len;

	put_start(l, s);
	if (spot_is_string(&l->im, s, &string)) {
		image_put_text(l->b, string.text, string.len);
		buf_puts(l->b, string.cut ? "...,\n" : ",\n");
	} else if (spot_is_text(&l->im, s, &text, &len)) {
		image_put_text(l->b, text, len);
		buf_puts(l->b, ",\n");
	} else if (image_is_aggregate(t)) {
		put_aggregate(l, s, t);
	} else {
		spot_put(l->b, &l->im, s);
		buf_puts(l->b, ",\n");
	}
}

/* ---- the action ---- */

/*
 * Prints the address of the value.  Without one the value begins on the line of the record's
 * columns, if there are any; they are as wide as the indentation.
 */
static void put_address(
	struct printer *pr, const struct rec_action *act, const struct rec_view *src)
{
	struct buf *b = &pr->buf;
	size_t line = b->len;
	uint64_t addr;

	if (act->ndata > 1 && datum_unsigned(&act->data[1], src, &addr)) {
		buf_printf(b, "0x%" PRIx64 " = *\n", addr);
		line = b->len;
	}
	if (!print_has_columns(pr))
		return;
	while (line && b->data[line - 1] != '\n')
		line--;
	print_pad(pr, line, PRINT_INDENT);
}

static void put_string(struct printer *pr, const struct type *type, const char *text, size_t len)
{
	char name[512];

	buf_printf(&pr->buf, "(%s)", type_name(type, name, sizeof(name)));
	image_put_text(&pr->buf, text, len);
	buf_puts(&pr->buf, ",\n");
}

void print_typed(struct printer *pr, const struct rec_action *act, const struct rec_view *src)
{
	const struct datum *d = &act->data[0];
	struct lines l = {.pr = pr,
		.b = &pr->buf,
		.im = {.bytes = datum_bytes(d, src),
			.have = d->size,
			.raw = pr->opts.rawbytes,
			.act = act,
			.record = src->base}};
	const struct spot whole = {.type = act->ctype};
	struct datum_room room;
	const char *text;
	size_t len;
	bool nul;

	put_address(pr, act, src);
	if (d->kind == DATUM_VALUE) {
		print_saved_value(pr, d->value);
		return;
	}
	text = type_resolve(act->ctype)->kind == TYPE_STRING
		? datum_text(pr, d, src, &room, &len, &nul)
		: NULL;
	if (text) { /* it may not be among the bytes of the record */
		put_string(pr, act->ctype, text, len);
		return;
	}
	if (pr->opts.printsize && l.im.have > pr->opts.printsize)
		l.im.have = pr->opts.printsize;
	if (image_is_aggregate(type_resolve(act->ctype)) || spot_is_recorded(&l.im, &whole))
		put_value(&l, &whole);
	else
		buf_puts(&pr->buf, "...\n");
}
