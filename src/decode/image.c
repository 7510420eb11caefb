// SPDX-License-Identifier: Apache-2.0
/* Reads the members and elements of a recorded C value, and prints its scalars. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decode/image.h"

#include "abi/record.h"
#include "base/buf.h"
#include "print/print.h"
#include "types/cxx.h"
#include "types/type.h"

static uint64_t spot_bits(const struct spot *s)
{
	return s->bits ? s->bits : 8 * s->type->size;
}

bool spot_is_recorded(const struct value_image *im, const struct spot *s)
{
	uint64_t all = 8 * (uint64_t)im->have;

	if (s->bits)
		return s->bit + s->bits <= all;
	return s->type->size <= im->have && s->bit <= all - 8 * s->type->size;
}

/* N bits from BIT on, at most 64, in the byte order of x86-64. */
static uint64_t take_bits(const struct value_image *im, uint64_t bit, uint32_t n)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < n; i++, bit++)
		value |= (uint64_t)(im->bytes[bit / 8] >> bit % 8 & 1) << i;
	return value;
}

uint64_t spot_unsigned(const struct value_image *im, const struct spot *s)
{
	uint64_t bits = spot_bits(s);

	return take_bits(im, s->bit, bits < 64 ? (uint32_t)bits : 64);
}

int64_t spot_signed(const struct value_image *im, const struct spot *s)
{
	uint64_t value = spot_unsigned(im, s), bits = spot_bits(s);
	unsigned unused = bits < 64 ? 64 - (unsigned)bits : 0;

	return (int64_t)(value << unused) >> unused;
}

/* True if all its bytes are zero. */
static bool spot_is_zero(const struct value_image *im, const struct spot *s)
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

void spot_put_int128(struct buf *b, const struct value_image *im, const struct spot *s)
{
	bool is_signed = type_resolve(s->type)->is_signed;
	unsigned __int128 value = take_bits(im, s->bit + 64, 64);

	value = value << 64 | take_bits(im, s->bit, 64);
	if (is_signed && value >> 127) {
		buf_putc(b, '-');
		value = -value;
	}
	put_uint128(b, value);
}

struct enumerator_name {
	int64_t value;
	const char *name;
};

static bool is_value(void *arg, const char *name, int64_t value)
{
	struct enumerator_name *e = arg;

	if (value != e->value)
		return false;
	e->name = name;
	return true;
}

const char *spot_enumerator(const struct value_image *im, const struct spot *s)
{
	const struct type *t = type_resolve(s->type);
	struct enumerator_name e = {
		t->is_signed ? spot_signed(im, s) : (int64_t)spot_unsigned(im, s), NULL};

	type_enumerators(t, is_value, &e);
	return e.name;
}

/* Returns what was read of the string S; NULL: it is none, or could not be read. */
static const struct rec_text *text_of(
	const struct value_image *im, const struct spot *s, uint32_t *len)
{
	for (uint32_t i = 0; im->act && i < im->act->ntexts; i++) {
		const struct rec_text *t = &im->act->texts[i];
		struct cxx_string string;

		if (8ull * t->at != s->bit || !cxx_is_string(s->type, &string))
			continue;
		memcpy(len, im->record + t->offset, sizeof(*len));
		return *len == DT_TEXT_UNREAD ? NULL : t;
	}
	return NULL;
}

bool spot_is_string(const struct value_image *im, const struct spot *s, struct spot_text *out)
{
	uint32_t len;
	const struct rec_text *t = text_of(im, s, &len);
	uint32_t more;

	if (!t || im->raw || !spot_is_recorded(im, s))
		return false;
	memcpy(&more, im->record + t->offset + sizeof(len), sizeof(more));
	out->text = (const char *)im->record + t->offset + 8;
	out->len = len < t->most ? len : t->most;
	out->cut = more != 0;
	return true;
}

bool spot_is_text(
	const struct value_image *im, const struct spot *s, const char **text, size_t *len)
{
	const struct type *t = type_resolve(s->type);
	uint64_t at = s->bit / 8;
	size_t room;

	if (im->raw || t->kind != TYPE_ARRAY || !type_resolve(t->ref)->is_char || at >= im->have)
		return false;
	room = im->have - at < t->size ? im->have - at : t->size;
	*text = (const char *)im->bytes + at;
	*len = strnlen(*text, room);
	return (*len < room || room == t->size) && print_is_text(*text, *len);
}

/* ---- inside ---- */

bool image_is_aggregate(const struct type *t)
{
	return t->kind == TYPE_STRUCT || t->kind == TYPE_UNION || t->kind == TYPE_ARRAY;
}

static enum spot_fate spot_fate(struct value_image *im, const struct spot *s)
{
	bool recorded = spot_is_recorded(im, s);

	if (!s->type->size)
		return SPOT_LEFT_OUT;
	if (!recorded &&
		(!image_is_aggregate(type_resolve(s->type)) || s->bit >= 8 * (uint64_t)im->have)) {
		im->cut = true;
		return SPOT_CUT;
	}
	return !recorded || !spot_is_zero(im, s) ? SPOT_SHOWN : SPOT_LEFT_OUT;
}

typedef void (*visit_spot)(
	void *arg, struct value_image *im, const struct spot *inner, enum spot_fate fate);

static void visit_inner(
	struct value_image *im, const struct spot *inner, visit_spot visit, void *arg)
{
	enum spot_fate fate = spot_fate(im, inner);

	if (fate != SPOT_LEFT_OUT)
		visit(arg, im, inner, fate);
}

static void each_member(struct value_image *im, const struct spot *s, visit_spot visit, void *arg)
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

		visit_inner(im, &inner, visit, arg);
	}
}

/* Characters end at the first NUL. */
static void each_element(struct value_image *im, const struct spot *s, const struct type *array,
	visit_spot visit, void *arg)
{
	const struct type *elem = type_resolve(array->ref);
	struct spot inner = {.type = array->ref, .bit = s->bit, .depth = s->depth + 1};

	if (!array->ref->size)
		return;
	for (; inner.index < array->nelems && !im->cut; inner.index++) {
		if (elem->kind == TYPE_INT && elem->is_char && spot_is_recorded(im, &inner) &&
			spot_is_zero(im, &inner))
			return;
		visit_inner(im, &inner, visit, arg);
		inner.bit += 8 * array->ref->size;
	}
}

void spot_each(struct value_image *im, const struct spot *s, visit_spot visit, void *arg)
{
	const struct type *t = type_resolve(s->type);

	if (t->kind == TYPE_ARRAY)
		each_element(im, s, t, visit, arg);
	else
		each_member(im, s, visit, arg);
}
