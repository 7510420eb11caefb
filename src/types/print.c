// SPDX-License-Identifier: Apache-2.0
/*
 * Prints the C spelling of a type.
 *
 * A declarator wraps around its name: what stands before it ("int (*") is written on the way in,
 * what stands after it (")[4]") on the way out.
 */
#include <stdio.h>
#include <string.h>

#include "types/table.h"

#define MAX_LEFT 500 /* stars of a pointer that are worth printing */

struct out {
	char *buf;
	size_t size, len; /* len < size: there is always room for the NUL */
	unsigned depth;
};

static void put_type(struct out *o, const struct type *type);

static void put_text(struct out *o, const char *s)
{
	size_t n = strlen(s), room = o->size - 1 - o->len;

	if (n > room)
		n = room;
	memcpy(o->buf + o->len, s, n);
	o->len += n;
	o->buf[o->len] = '\0';
}

/* A space, unless what comes next may follow directly. */
static void put_space(struct out *o, const char *no_space_after)
{
	if (o->len && !strchr(no_space_after, o->buf[o->len - 1]))
		put_text(o, " ");
}

static bool full(const struct out *o)
{
	return o->len + 1 >= o->size;
}

static void put_tag(struct out *o, const char *keyword, const struct type *type)
{
	put_text(o, keyword);
	if (type->name) {
		put_text(o, " ");
		put_text(o, type->name);
	}
}

static const char *qual_word(const struct type *type)
{
	return type->qual == 'c' ? "const" : type->qual == 'v' ? "volatile" : "restrict";
}

/* Returns the type that a qualifier applies to: it stands after a pointer's star, else in front. */
static const struct type *qualified(const struct type *type)
{
	while (type->kind == TYPE_QUAL || type->kind == TYPE_ARRAY)
		type = type->ref;
	return type;
}

/* True if an array's qualifier is its elements' too: C has one place for both (C11 6.7.3). */
static bool is_said_again(const struct type *type)
{
	const struct type *elem = type->ref;

	while (elem->kind == TYPE_ARRAY)
		elem = elem->ref;
	return type->ref->kind == TYPE_ARRAY && elem->kind == TYPE_QUAL && elem->qual == type->qual;
}

static bool wraps(const struct type *ptr)
{
	return ptr->ref->kind == TYPE_ARRAY || ptr->ref->kind == TYPE_FUNC;
}

static void put_left(struct out *o, const struct type *type, unsigned depth)
{
	if (full(o))
		return;
	if (depth > MAX_LEFT) {
		put_text(o, "...");
		return;
	}
	switch (type->kind) {
	case TYPE_PTR:
		put_left(o, type->ref, depth + 1);
		put_space(o, "*(");
		put_text(o, wraps(type) ? "(*" : "*");
		return;
	case TYPE_ARRAY:
	case TYPE_FUNC:
		put_left(o, type->ref, depth + 1);
		return;
	case TYPE_QUAL:
		if (qualified(type)->kind == TYPE_PTR) {
			put_left(o, type->ref, depth + 1);
			put_space(o, "*(");
			put_text(o, qual_word(type));
		} else {
			/* DWARF says it of an array and of its elements */
			if (!is_said_again(type)) {
				put_text(o, qual_word(type));
				put_text(o, " ");
			}
			put_left(o, type->ref, depth + 1);
		}
		return;
	case TYPE_STRUCT:
		put_tag(o, "struct", type);
		return;
	case TYPE_UNION:
		put_tag(o, "union", type);
		return;
	case TYPE_FWD:
		put_tag(o, type->is_union ? "union" : "struct", type);
		return;
	case TYPE_ENUM:
		put_tag(o, "enum", type);
		return;
	default:
		put_text(o, type->name ? type->name : "?");
	}
}

static void put_params(struct out *o, const struct type *func)
{
	bool variadic;
	uint32_t n = func_nparams(func, &variadic);

	put_space(o, "*)");
	put_text(o, "(");
	for (uint32_t i = 0; i < n && !full(o); i++) {
		const struct type *p = func_param(func, i, NULL);

		put_text(o, i ? ", " : "");
		if (p)
			put_type(o, p);
	}
	put_text(o, variadic ? n ? ", ..." : "..." : n ? "" : "void");
	put_text(o, ")");
}

static void put_right(struct out *o, const struct type *type)
{
	char dim[24];

	for (; !full(o); type = type->ref) {
		switch (type->kind) {
		case TYPE_PTR:
			put_text(o, wraps(type) ? ")" : "");
			break;
		case TYPE_ARRAY:
			snprintf(dim, sizeof(dim), type->nelems ? "[%u]" : "[]", type->nelems);
			put_space(o, "*)]");
			put_text(o, dim);
			break;
		case TYPE_FUNC:
			put_params(o, type);
			break;
		case TYPE_QUAL:
			break;
		default:
			return;
		}
	}
}

static void put_type(struct out *o, const struct type *type)
{
	/* Only corrupt prototypes, which take themselves, come near this. */
	if (o->depth++ < TYPE_MAX_DEPTH) {
		put_left(o, type, 0);
		put_right(o, type);
	}
	o->depth--;
}

char *type_name(const struct type *type, char *buf, size_t size)
{
	struct out o = {buf, size, 0, 0};

	if (!size)
		return buf;
	buf[0] = '\0';
	put_type(&o, type);
	return buf;
}
