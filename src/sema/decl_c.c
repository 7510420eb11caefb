// SPDX-License-Identifier: Apache-2.0
/* Checks what C headers declare and D does not: attributes of layouts, and records defined twice.
 */
#include "sema/decl_c.h"
#include "sema/sema_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/strmap.h"
#include "lang/ast.h"
#include "types/define.h"
#include "types/type.h"
#include "types/types.h"

#define MOST_ALIGN 16 /* of x86-64, without vectors */

bool sema_alignment(struct sema *s, const struct c_attributes *a, uint32_t *out)
{
	uint64_t n;

	*out = 0;
	if (!a->aligned)
		return true;
	if (!a->align) {
		*out = MOST_ALIGN;
		return true;
	}
	if (!sema_expr(s, a->align))
		return false;
	n = a->align->value;
	if (a->align->kind != EXPR_INT || !n || n > 1 << 28 || (n & (n - 1)))
		return sema_error(
			s, a->align->loc, "D_DECL_ARRSUB", "an alignment is a power of two");
	*out = (uint32_t)n;
	return true;
}

static const struct type *vector(struct sema *s, struct expr *bytes, const struct type *t)
{
	uint64_t size = type_resolve(t)->size;

	if (!sema_expr(s, bytes))
		return NULL;
	if (bytes->kind != EXPR_INT || !size || bytes->value % size || bytes->value > 1 << 16) {
		sema_error(
			s, bytes->loc, "D_DECL_ARRSUB", "a vector has a whole number of elements");
		return NULL;
	}
	return types_array(s->types, t, (uint32_t)(bytes->value / size));
}

/* Returns the type of machine mode NAME that is signed as T is; NULL: there is none (gccint). */
static const struct type *scalar_mode(struct sema *s, const char *name, const struct type *t)
{
	static const struct {
		const char *name;
		unsigned size;
	} modes[] = {{"QI", 1}, {"byte", 1}, {"HI", 2}, {"SI", 4}, {"DI", 8}, {"word", 8},
		{"pointer", 8}, {"unwind_word", 8}};

	for (unsigned i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(name, modes[i].name))
			return types_int(s->types, modes[i].size, !sema_is_unsigned(t));
	if (!strcmp(name, "TI"))
		return types_lookup(s->types, SPACE_ORDINARY,
			sema_is_unsigned(t) ? "unsigned __int128" : "__int128");
	return !strcmp(name, "SF")    ? basic(s, T_FLOAT)
		: !strcmp(name, "DF") ? basic(s, T_DOUBLE)
				      : NULL;
}

/* "V4SF" is four of SF. */
static const struct type *of_mode(
	struct sema *s, const struct declarator *d, const char *mode, const struct type *t)
{
	char *rest = (char *)mode;
	unsigned long n = *mode == 'V' ? strtoul(mode + 1, &rest, 10) : 1;
	const struct type *of = n && n <= 64 ? scalar_mode(s, rest, t) : NULL;

	if (!of) {
		sema_error(s, d->loc, "D_DECL_COMBO", "unknown machine mode: %s", mode);
		return NULL;
	}
	if (*mode != 'V')
		return of;
	of = types_array(s->types, of, (uint32_t)n);
	return types_aligned(s->types, d->name, of, (uint32_t)of->size);
}

const struct type *sema_typedef_layout(struct sema *s, const struct type_spec *spec,
	const struct declarator *d, const struct type *t)
{
	const struct c_attributes *all[] = {&d->attrs, &spec->other_attrs};

	for (unsigned i = 0; t && i < 2; i++) {
		uint32_t align;

		if (all[i]->mode)
			t = of_mode(s, d, all[i]->mode, t);
		if (t && all[i]->vector) {
			t = vector(s, all[i]->vector, t);
			if (!t)
				return NULL;
			t = types_aligned(s->types, d->name, t, (uint32_t)t->size);
		}
		if (!t || !sema_alignment(s, all[i], &align))
			return NULL;
		if (align)
			t = types_aligned(s->types, d->name, t, align);
	}
	return t;
}

bool sema_layout(struct sema *s, const struct type_spec *sp, const struct decl *in,
	const struct declarator *d, struct type_member_def *m)
{
	const struct c_attributes *all[] = {&d->attrs, &in->spec->other_attrs};

	m->packed = sp->attrs.packed;
	m->most = sp->attrs.pack;
	for (unsigned i = 0; i < 2; i++) {
		uint32_t align;

		if (all[i]->mode)
			m->type = of_mode(s, d, all[i]->mode, m->type);
		if (m->type && all[i]->vector)
			m->type = vector(s, all[i]->vector, m->type);
		if (!m->type || !sema_alignment(s, all[i], &align))
			return false;
		m->packed |= all[i]->packed;
		m->align = align > m->align ? align : m->align;
	}
	return true;
}

#define MOST_LEVELS 20

static bool same_unnamed(const struct type *a, const struct type *b, unsigned level);

/* True if A and B have the same members in the same places. */
static bool same_members(const struct type *a, const struct type *b, unsigned level)
{
	const struct member *x, *y;
	uint32_t n = 0, m = 0;

	x = type_members(a, &n);
	y = type_members(b, &m);
	if (n != m || a->size != b->size)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (strcmp(x[i].name, y[i].name) || x[i].bit_offset != y[i].bit_offset ||
			x[i].bit_size != y[i].bit_size ||
			!same_unnamed(x[i].type, y[i].type, level + 1))
			return false;
	return true;
}

static bool same_unnamed(const struct type *a, const struct type *b, unsigned level)
{
	if (type_same(a, b))
		return true;
	if (level == MOST_LEVELS)
		return false;
	a = type_resolve(a);
	b = type_resolve(b);
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case TYPE_PTR:
		return same_unnamed(a->ref, b->ref, level + 1);
	case TYPE_ARRAY:
		return a->nelems == b->nelems && same_unnamed(a->ref, b->ref, level + 1);
	case TYPE_ENUM: /* the constants were compared when they were defined */
		return !a->name && !b->name && a->size == b->size;
	case TYPE_STRUCT:
	case TYPE_UNION:
		return !a->name && !b->name && same_members(a, b, level);
	default:
		return false;
	}
}

bool sema_same_c(const struct type *a, const struct type *b)
{
	return same_unnamed(a, b, 0);
}

const struct type *sema_same_record(
	struct sema *s, const struct type_spec *sp, const struct type_member_def *defs, uint32_t n)
{
	enum type_space space = sp->tag_kind == TOK_UNION ? SPACE_UNION : SPACE_STRUCT;
	const struct type *t = types_lookup(s->types, space, sp->name);
	const struct member *list;
	uint32_t have = 0, k = 0;

	if (!t)
		return NULL;
	list = type_members(t, &have);
	for (uint32_t i = 0; i < n; i++) {
		const char *name = defs[i].name ? defs[i].name : "";

		if (defs[i].is_bits && !defs[i].name)
			continue;
		if (k == have || strcmp(list[k].name, name) ||
			list[k].bit_size != (defs[i].is_bits ? defs[i].bits : 0) ||
			!sema_same_c(list[k].type, defs[i].type))
			return NULL;
		k++;
	}
	return k == have ? t : NULL;
}

bool sema_has_value(struct sema *s, const char *name, int64_t v)
{
	const struct inline_def *in = strmap_get(&s->inlines, name);

	return in && in->constant && (int64_t)in->value->value == v;
}
