// SPDX-License-Identifier: Apache-2.0
/* Converts a C value into a tree of members. */
#include <string.h>

#include "abi/record.h"
#include "base/arena.h"
#include "decode/datum.h"
#include "decode/decode.h"
#include "decode/image.h"
#include "dtrace/data.h"
#include "print/print.h"
#include "types/type.h"

struct tree {
	struct decoder *dec;
	struct dtrace_value *out; /* the aggregate that is being filled */
	struct dtrace_member *members;
	unsigned room;
};

static const char *type_text(struct decoder *dec, const struct type *t)
{
	char name[512];

	return arena_strdup(dec->arena, type_name(t, name, sizeof(name)));
}

static void fill_value(struct decoder *dec, struct value_image *im, const struct spot *s,
	struct dtrace_value *out);

static struct dtrace_member *add_member(struct tree *t)
{
	if (t->out->nmembers == t->room) {
		unsigned room = t->room ? 2 * t->room : 8;
		struct dtrace_member *more =
			arena_new_array(t->dec->arena, struct dtrace_member, room);

		if (t->out->nmembers)
			memcpy(more, t->members, t->out->nmembers * sizeof(*more));
		t->members = more;
		t->room = room;
		t->out->members = more;
	}
	return &t->members[t->out->nmembers++];
}

static void visit_spot(
	void *arg, struct value_image *im, const struct spot *inner, enum spot_fate fate)
{
	struct tree *t = arg;
	struct dtrace_member *m;

	if (fate == SPOT_CUT) {
		t->out->cut = true;
		return;
	}
	m = add_member(t);
	m->name = inner->name ? arena_strdup(t->dec->arena, inner->name) : "";
	m->index = inner->index;
	fill_value(t->dec, im, inner, &m->value);
}

static void scalar(struct decoder *dec, const struct value_image *im, const struct spot *s,
	struct dtrace_value *out)
{
	const struct type *t = type_resolve(s->type);
	size_t from = dec->pr->buf.len;
	const char *name;

	out->number = t->is_signed ? (uint64_t)spot_signed(im, s) : spot_unsigned(im, s);
	switch (t->kind) {
	case TYPE_INT:
		out->kind = DTRACE_KIND_INT;
		out->is_char = t->is_char && !s->bits;
		break;
	case TYPE_ENUM:
		out->kind = DTRACE_KIND_ENUM;
		name = spot_enumerator(im, s);
		out->bytes = name ? arena_strdup(dec->arena, name) : "";
		out->len = strlen(out->bytes);
		return;
	case TYPE_FLOAT:
		out->kind = DTRACE_KIND_FLOAT;
		break;
	case TYPE_STRING:
		out->kind = DTRACE_KIND_STRING;
		out->bytes = (const char *)im->bytes + s->bit / 8;
		out->len = strnlen(out->bytes, t->size);
		return;
	default:
		out->kind = DTRACE_KIND_POINTER;
		return;
	}
	if (t->kind == TYPE_FLOAT) {
		const struct datum d = {.kind = DATUM_FLOAT, .size = (uint32_t)t->size};
		const struct rec_view at = {.base = im->bytes + s->bit / 8};
		const char *type = out->type;

		decode_value(dec, &d, &at, out);
		out->type = type;
	} else if (t->size > 8) { /* all digits of an integer of 128 bits count */
		spot_put_int128(&dec->pr->buf, im, s);
		out->bytes = decode_text(dec, from, &out->len);
	}
}

static void fill_value(
	struct decoder *dec, struct value_image *im, const struct spot *s, struct dtrace_value *out)
{
	const struct type *t = type_resolve(s->type);
	struct tree inner = {.dec = dec, .out = out};
	struct spot_text string;

	*out = (struct dtrace_value){
		.type = type_text(dec, s->type),
		.size = (uint32_t)t->size,
		.is_signed = t->is_signed,
		.bytes = "",
	};
	if (spot_is_string(im, s, &string)) {
		out->kind = DTRACE_KIND_STRING;
		out->bytes = string.text;
		out->len = string.len;
		out->cut = string.cut;
		return;
	}
	if (spot_is_text(im, s, &out->bytes, &out->len)) {
		out->kind = DTRACE_KIND_STRING;
		out->is_char = true;
		return;
	}
	out->bytes = "";
	out->len = 0;
	if (!image_is_aggregate(t)) {
		scalar(dec, im, s, out);
		return;
	}
	out->kind = t->kind == TYPE_ARRAY ? DTRACE_KIND_ARRAY
		: t->kind == TYPE_UNION	  ? DTRACE_KIND_UNION
					  : DTRACE_KIND_STRUCT;
	if (s->depth + 1 >= IMAGE_MAX_DEPTH)
		out->cut = true;
	else
		spot_each(im, s, visit_spot, &inner);
}

void decode_typed(struct decoder *dec, const struct rec_action *act, const struct rec_view *src,
	struct dtrace_value *out)
{
	const struct datum *d = &act->data[0];
	struct value_image im = {.bytes = datum_bytes(d, src),
		.have = d->size,
		.raw = dec->pr->opts.rawbytes,
		.act = act,
		.record = src->base};
	const struct spot whole = {.type = act->ctype};

	if (type_resolve(act->ctype)->kind == TYPE_STRING) {
		decode_value(dec, d, src, out); /* it may not be among the bytes of the record */
		out->type = type_text(dec, act->ctype);
		out->size = (uint32_t)act->ctype->size;
		if (out->kind == DTRACE_KIND_STRING)
			return;
	}
	if (dec->pr->opts.printsize && im.have > dec->pr->opts.printsize)
		im.have = dec->pr->opts.printsize;
	if (image_is_aggregate(type_resolve(act->ctype)) || spot_is_recorded(&im, &whole)) {
		fill_value(dec, &im, &whole, out);
		return;
	}
	*out = (struct dtrace_value){.kind = DTRACE_KIND_BYTES,
		.type = type_text(dec, act->ctype),
		.size = (uint32_t)act->ctype->size,
		.cut = true,
		.bytes = (const char *)im.bytes,
		.len = im.have};
}
