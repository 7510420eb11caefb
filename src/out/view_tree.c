// SPDX-License-Identifier: Apache-2.0
/* Converts a C value into a tree of members. */
#include <string.h>

#include "abi/record.h"
#include "base/arena.h"
#include "dtrace/data.h"
#include "out/image.h"
#include "out/print.h"
#include "out/view.h"
#include "types/type.h"

struct tree {
	struct view *v;
	struct dtrace_value *out; /* the aggregate that is being filled */
	struct dtrace_member *members;
	unsigned room;
};

static const char *type_text(struct view *v, const struct type *t)
{
	char name[512];

	return arena_strdup(v->arena, type_name(t, name, sizeof(name)));
}

static void fill_value(
	struct view *v, struct value_image *im, const struct spot *s, struct dtrace_value *out);

static struct dtrace_member *add_member(struct tree *t)
{
	if (t->out->nmembers == t->room) {
		unsigned room = t->room ? 2 * t->room : 8;
		struct dtrace_member *more =
			arena_new_array(t->v->arena, struct dtrace_member, room);

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
	m->name = inner->name ? arena_strdup(t->v->arena, inner->name) : "";
	m->index = inner->index;
	fill_value(t->v, im, inner, &m->value);
}

static void scalar(struct view *v, const struct value_image *im, const struct spot *s,
	struct dtrace_value *out)
{
	const struct type *t = type_resolve(s->type);
	size_t from = v->pr->buf.len;
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
		out->bytes = name ? arena_strdup(v->arena, name) : "";
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

		view_value(v, &d, &at, out);
		out->type = type;
	} else if (t->size > 8) { /* all digits of an integer of 128 bits count */
		spot_put(&v->pr->buf, im, s);
		out->bytes = view_text(v, from, &out->len);
	}
}

static void fill_value(
	struct view *v, struct value_image *im, const struct spot *s, struct dtrace_value *out)
{
	const struct type *t = type_resolve(s->type);
	struct tree inner = {.v = v, .out = out};
	struct spot_text string;

	*out = (struct dtrace_value){
		.type = type_text(v, s->type),
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
		scalar(v, im, s, out);
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

void view_typed(struct view *v, const struct rec_action *act, const struct rec_view *src,
	struct dtrace_value *out)
{
	const struct datum *d = &act->data[0];
	struct value_image im = {.bytes = datum_bytes(d, src),
		.have = d->size,
		.raw = v->pr->opts.rawbytes,
		.act = act,
		.record = src->base};
	const struct spot whole = {.type = act->ctype};
	struct datum_room room;
	bool nul;

	if (type_resolve(act->ctype)->kind == TYPE_STRING) {
		*out = (struct dtrace_value){.kind = DTRACE_KIND_STRING,
			.type = type_text(v, act->ctype),
			.size = (uint32_t)act->ctype->size};
		out->bytes = datum_text(v->pr, d, src, &room, &out->len, &nul);
		if (out->bytes)
			return;
	}
	if (v->pr->opts.printsize && im.have > v->pr->opts.printsize)
		im.have = v->pr->opts.printsize;
	if (image_is_aggregate(type_resolve(act->ctype)) || spot_is_recorded(&im, &whole)) {
		fill_value(v, &im, &whole, out);
		return;
	}
	*out = (struct dtrace_value){.kind = DTRACE_KIND_BYTES,
		.type = type_text(v, act->ctype),
		.size = (uint32_t)act->ctype->size,
		.cut = true,
		.bytes = (const char *)im.bytes,
		.len = im.have};
}
