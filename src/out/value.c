// SPDX-License-Identifier: Apache-2.0
/*
 * value: print(), a value of any C type as lines that look like a C initialiser.
 *
 * Members and elements whose bytes are all zero are left out.  Only the first bytes may have been
 * recorded; where they end there is a line "...", then what is open is closed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "out/print.h"
#include "types/type.h"

#define INDENT	  44
#define MAX_DEPTH 10

struct image {
	struct buf *b;
	const uint8_t *bytes;
	size_t have;
	bool cut; /* the end of what was recorded has been shown */
};

/* A value within the image. */
struct spot {
	const char *name; /* of a member, NULL or "" = none */
	const struct type *type;
	uint64_t bit;  /* where it begins */
	uint32_t bits; /* of a bit-field, else 0 */
	unsigned depth;
};

static uint64_t spot_bits(const struct spot *s)
{
	return s->bits ? s->bits : 8 * s->type->size;
}

static bool is_recorded(const struct image *im, const struct spot *s)
{
	uint64_t all = 8 * (uint64_t)im->have;

	if (s->bits)
		return s->bit + s->bits <= all;
	return s->type->size <= im->have && s->bit <= all - 8 * s->type->size;
}

/* N bits from BIT on, at most 64, in the byte order of x86-64. */
static uint64_t take_bits(const struct image *im, uint64_t bit, uint32_t n)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < n; i++, bit++)
		value |= (uint64_t)(im->bytes[bit / 8] >> bit % 8 & 1) << i;
	return value;
}

static uint64_t spot_unsigned(const struct image *im, const struct spot *s)
{
	uint64_t bits = spot_bits(s);

	return take_bits(im, s->bit, bits < 64 ? (uint32_t)bits : 64);
}

static int64_t spot_signed(const struct image *im, const struct spot *s)
{
	uint64_t value = spot_unsigned(im, s), bits = spot_bits(s);
	unsigned unused = bits < 64 ? 64 - (unsigned)bits : 0;

	return (int64_t)(value << unused) >> unused;
}

static bool is_zero(const struct image *im, const struct spot *s)
{
	const uint8_t *p = im->bytes + s->bit / 8;

	if (s->bits)
		return !spot_unsigned(im, s);
	for (uint64_t i = 0; i < s->type->size; i++)
		if (p[i])
			return false;
	return true;
}

/* ---- scalars ---- */

static void put_uint128(struct buf *b, unsigned __int128 value)
{
	if (value > 9)
		put_uint128(b, value / 10);
	buf_putc(b, (char)('0' + (int)(value % 10)));
}

static void put_int128(struct image *im, const struct spot *s, bool is_signed)
{
	unsigned __int128 value = take_bits(im, s->bit + 64, 64);

	value = value << 64 | take_bits(im, s->bit, 64);
	if (is_signed && value >> 127) {
		buf_putc(im->b, '-');
		value = -value;
	}
	put_uint128(im->b, value);
}

static void put_char(struct image *im, unsigned char c)
{
	buf_putc(im->b, '\'');
	print_escaped(im->b, c, '\'');
	buf_putc(im->b, '\'');
}

static void put_int(struct image *im, const struct spot *s, const struct type *t)
{
	if (spot_bits(s) > 64)
		put_int128(im, s, t->is_signed);
	else if (t->is_char && !s->bits)
		put_char(im, (unsigned char)spot_unsigned(im, s));
	else if (t->is_signed)
		buf_printf(im->b, "%" PRId64, spot_signed(im, s));
	else
		buf_printf(im->b, "%" PRIu64, spot_unsigned(im, s));
}

struct enumerator {
	int64_t value;
	const char *name;
};

static bool is_it(void *arg, const char *name, int64_t value)
{
	struct enumerator *e = arg;

	if (value != e->value)
		return false;
	e->name = name;
	return true;
}

static void put_enum(struct image *im, const struct spot *s, const struct type *t)
{
	struct enumerator e = {
		t->is_signed ? spot_signed(im, s) : (int64_t)spot_unsigned(im, s), NULL};

	type_enumerators(t, is_it, &e);
	if (e.name)
		buf_puts(im->b, e.name);
	else if (t->size > sizeof(int32_t))
		buf_printf(im->b, "%" PRId64, e.value);
	else
		buf_printf(im->b, "%" PRId32, (int32_t)e.value);
}

/* The shortest text that reads back as the same number. */
static void put_float(struct image *im, const struct spot *s)
{
	const uint8_t *p = im->bytes + s->bit / 8;
	long double value = 0;
	char text[64];
	double dbl;
	float flt;
	int prec = 6;

	if (s->type->size == sizeof(flt)) {
		memcpy(&flt, p, sizeof(flt));
		do
			snprintf(text, sizeof(text), "%.*g", prec, (double)flt);
		while (strtof(text, NULL) != flt && prec++ < 9);
	} else if (s->type->size == sizeof(dbl)) {
		memcpy(&dbl, p, sizeof(dbl));
		do
			snprintf(text, sizeof(text), "%.*g", prec, dbl);
		while (strtod(text, NULL) != dbl && prec++ < 17);
	} else {
		memcpy(&value, p, s->type->size < sizeof(value) ? s->type->size : sizeof(value));
		do
			snprintf(text, sizeof(text), "%.*Lg", prec, value);
		while (strtold(text, NULL) != value && prec++ < 21);
	}
	buf_puts(im->b, text);
}

static void put_text(struct buf *b, const char *text, size_t len)
{
	buf_putc(b, '"');
	for (size_t i = 0; i < len; i++)
		print_escaped(b, (unsigned char)text[i], '"');
	buf_putc(b, '"');
}

static void put_scalar(struct image *im, const struct spot *s)
{
	const struct type *t = type_resolve(s->type);
	const char *text;

	switch (t->kind) {
	case TYPE_INT:
		put_int(im, s, t);
		break;
	case TYPE_ENUM:
		put_enum(im, s, t);
		break;
	case TYPE_FLOAT:
		put_float(im, s);
		break;
	case TYPE_STRING:
		text = (const char *)im->bytes + s->bit / 8;
		put_text(im->b, text, strnlen(text, t->size));
		break;
	default: /* a pointer, or an address of D's own types */
		buf_printf(im->b, "0x%" PRIx64, spot_unsigned(im, s));
	}
}

/* ---- lines ---- */

static void put_indent(struct image *im, unsigned depth)
{
	buf_printf(im->b, "%*s", INDENT + (int)depth, "");
}

/* "[.member = ](type)" */
static void put_start(struct image *im, const struct spot *s)
{
	char name[512];

	if (s->depth) /* whoever prints the outermost has seen to its column */
		put_indent(im, s->depth);
	if (s->name && *s->name)
		buf_printf(im->b, ".%s = ", s->name);
	buf_printf(im->b, "(%s)", type_name(s->type, name, sizeof(name)));
}

static void put_dots(struct image *im, unsigned depth)
{
	put_indent(im, depth);
	buf_puts(im->b, "...\n");
}

static void put_value(struct image *im, const struct spot *s);

static bool is_aggregate(const struct type *t)
{
	return t->kind == TYPE_STRUCT || t->kind == TYPE_UNION || t->kind == TYPE_ARRAY;
}

/* A member or element: what is zero is left out, the first that was not recorded ends it all. */
static void put_inner(struct image *im, const struct spot *s)
{
	bool recorded = is_recorded(im, s);

	if (!s->type->size)
		return;
	if (!recorded &&
		(!is_aggregate(type_resolve(s->type)) || s->bit >= 8 * (uint64_t)im->have)) {
		put_dots(im, s->depth);
		im->cut = true;
	} else if (!recorded || !is_zero(im, s)) {
		put_value(im, s);
	}
}

static void put_members(struct image *im, const struct spot *s)
{
	uint32_t n;
	const struct member *m = type_members(s->type, &n);

	for (uint32_t i = 0; i < n && !im->cut; i++) {
		const struct spot inner = {
			.name = m[i].name,
			.type = m[i].type,
			.bit = s->bit + m[i].bit_offset,
			.bits = m[i].bit_size,
			.depth = s->depth + 1,
		};

		put_inner(im, &inner);
	}
}

/* Characters end at the first NUL. */
static void put_elements(struct image *im, const struct spot *s, const struct type *array)
{
	const struct type *elem = type_resolve(array->ref);
	struct spot inner = {.type = array->ref, .bit = s->bit, .depth = s->depth + 1};

	if (!array->ref->size)
		return;
	for (uint32_t i = 0; i < array->nelems && !im->cut; i++) {
		if (elem->kind == TYPE_INT && elem->is_char && is_recorded(im, &inner) &&
			is_zero(im, &inner))
			return;
		put_inner(im, &inner);
		inner.bit += 8 * array->ref->size;
	}
}

static void put_aggregate(struct image *im, const struct spot *s, const struct type *t)
{
	bool array = t->kind == TYPE_ARRAY;

	buf_puts(im->b, array ? " [\n" : " {\n");
	if (s->depth + 1 >= MAX_DEPTH)
		put_dots(im, s->depth + 1);
	else if (array)
		put_elements(im, s, t);
	else
		put_members(im, s);
	put_indent(im, s->depth);
	buf_putc(im->b, array ? ']' : '}');
	buf_puts(im->b, s->depth ? ",\n" : "\n");
}

static void put_value(struct image *im, const struct spot *s)
{
	const struct type *t = type_resolve(s->type);

	put_start(im, s);
	if (is_aggregate(t)) {
		put_aggregate(im, s, t);
	} else {
		put_scalar(im, s);
		buf_puts(im->b, ",\n");
	}
}

/* ---- the action ---- */

/*
 * Where the value begins.  Without an address it stands on the line that has the record's columns;
 * they are as wide as the indentation.
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
	while (line && b->data[line - 1] != '\n')
		line--;
	print_pad(pr, line, INDENT);
}

static void put_string(struct printer *pr, const struct type *type, const char *text, size_t len)
{
	char name[512];

	buf_printf(&pr->buf, "(%s)", type_name(type, name, sizeof(name)));
	put_text(&pr->buf, text, len);
	buf_puts(&pr->buf, ",\n");
}

void print_typed(struct printer *pr, const struct rec_action *act, const struct rec_view *src)
{
	const struct datum *d = &act->data[0];
	struct image im = {.b = &pr->buf, .bytes = datum_bytes(d, src), .have = d->size};
	const struct spot whole = {.type = act->ctype};
	enum type_kind kind = type_resolve(act->ctype)->kind;
	const char *text;
	size_t len;
	bool nul;

	put_address(pr, act, src);
	text = kind == TYPE_STRING ? datum_text(pr, d, src, &len, &nul) : NULL;
	if (text) { /* it may not be among the bytes of the record */
		put_string(pr, act->ctype, text, len);
		return;
	}
	if (pr->opts.printsize && im.have > pr->opts.printsize)
		im.have = pr->opts.printsize;
	if (is_aggregate(type_resolve(act->ctype)) || is_recorded(&im, &whole))
		put_value(&im, &whole);
	else
		buf_puts(&pr->buf, "...\n");
}
