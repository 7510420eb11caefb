// SPDX-License-Identifier: Apache-2.0
/* Answers questions about types, and converts as C does. */
#include "sema/sema_int.h"

#include <string.h>

#include "base/arena.h"
#include "base/strmap.h"
#include "lang/ast.h"
#include "types/type.h"
#include "types/types.h"

static enum type_kind kind_of(const struct type *t)
{
	return t ? type_resolve(t)->kind : TYPE_DYN;
}

bool sema_is_int(const struct type *t)
{
	return kind_of(t) == TYPE_INT || kind_of(t) == TYPE_ENUM;
}

bool sema_is_ptr(const struct type *t)
{
	return kind_of(t) == TYPE_PTR;
}

bool sema_is_scalar(const struct type *t)
{
	return sema_is_int(t) || sema_is_ptr(t);
}

bool sema_is_stack(const struct type *t)
{
	return kind_of(t) == TYPE_STACK;
}

bool sema_is_truth(const struct expr *e)
{
	return sema_is_scalar(e->type) || (sema_is_stack(e->type) && e->kind != EXPR_CALL);
}

bool sema_is_string(const struct type *t)
{
	return kind_of(t) == TYPE_STRING;
}

static bool is_char(const struct type *t)
{
	t = type_resolve(t);
	return t->kind == TYPE_INT && t->size == 1 && !t->is_bool;
}

bool sema_is_stringy(const struct type *t)
{
	t = type_resolve(t);
	if (t->kind == TYPE_STRING)
		return true;
	return (t->kind == TYPE_PTR || t->kind == TYPE_ARRAY) && is_char(t->ref);
}

bool sema_is_void(const struct type *t)
{
	return kind_of(t) == TYPE_VOID;
}

bool sema_is_dyn(const struct type *t)
{
	return kind_of(t) == TYPE_DYN;
}

bool sema_is_unsigned(const struct type *t)
{
	t = type_resolve(t);
	return t->kind == TYPE_PTR ||
		((t->kind == TYPE_INT || t->kind == TYPE_ENUM) && !t->is_signed);
}

bool sema_is_zero(const struct expr *e)
{
	return e->kind == EXPR_INT && e->value == 0;
}

bool sema_is_null(const struct expr *e)
{
	return sema_is_zero(e) && e->name && !strcmp(e->name, "NULL");
}

const char *sema_type_text(struct sema *s, const struct type *t)
{
	char buf[256];

	return t ? arena_strdup(s->arena, type_name(t, buf, sizeof(buf))) : "<unknown>";
}

const struct type *sema_promote(struct sema *s, const struct type *t)
{
	const struct type *r = type_resolve(t);

	if (r->kind == TYPE_ENUM)
		return basic(s, r->size > 4 ? (r->is_signed ? T_LONG : T_ULONG) : T_INT);
	if (r->kind == TYPE_INT && r->size < 4)
		return basic(s, T_INT);
	return t;
}

const struct type *sema_usual(struct sema *s, const struct type *a, const struct type *b)
{
	const struct type *ra, *rb;

	a = sema_promote(s, a);
	b = sema_promote(s, b);
	ra = type_resolve(a);
	rb = type_resolve(b);
	if (ra->size != rb->size)
		return ra->size > rb->size ? a : b;
	return sema_is_unsigned(rb) && !sema_is_unsigned(ra) ? b : a;
}

bool sema_compatible(const struct type *to, const struct expr *e)
{
	const struct type *t = type_resolve(to), *f = type_resolve(e->type);

	if (t->kind == TYPE_ENUM && f->kind == TYPE_ENUM)
		return type_same(t, f);
	if (t->kind == TYPE_INT || t->kind == TYPE_ENUM)
		return sema_is_int(f);
	if (t->kind == TYPE_STRING)
		return sema_is_stringy(f) || sema_is_zero(e);
	if (t->kind == TYPE_STACK)
		return type_same(t, f) || sema_is_zero(e);
	if (t->kind == TYPE_PTR) {
		if (sema_is_zero(e))
			return true;
		if (f->kind == TYPE_STRING)
			return is_char(t->ref);
		if (f->kind != TYPE_PTR && f->kind != TYPE_ARRAY)
			return false;
		return sema_is_void(t->ref) || sema_is_void(f->ref) || type_same(t->ref, f->ref) ||
			(sema_is_int(t->ref) && sema_is_int(f->ref) &&
				type_resolve(t->ref)->size == type_resolve(f->ref)->size);
	}
	return type_same(t, f);
}

const struct type *sema_spelled_type(struct sema *s, const char *spelling)
{
	size_t n = strlen(spelling);
	const struct type *t;

	if (n > 2 && !strcmp(spelling + n - 2, " *")) {
		t = sema_spelled_type(s, arena_strndup(s->arena, spelling, n - 2));
		return t ? types_ptr(s->types, t) : NULL;
	}
	if (!strcmp(spelling, "stack"))
		return basic(s, T_STACK);
	if (!strcmp(spelling, "ustack"))
		return basic(s, T_USTACK);
	if (!strcmp(spelling, "_symaddr"))
		return basic(s, T_SYMADDR);
	if (!strcmp(spelling, "_usymaddr"))
		return basic(s, T_USYMADDR);
	if (!strcmp(spelling, "string"))
		return basic(s, T_STRING);
	if (!strncmp(spelling, "struct ", 7)) {
		bool unknown;

		/* the kernel's, whatever the program calls by that name */
		t = types_lookup_in(s->types, "vmlinux", SPACE_STRUCT, spelling + 7, &unknown);
		return t ? t : types_lookup(s->types, SPACE_STRUCT, spelling + 7);
	}
	t = strmap_get(&s->typedefs, spelling);
	return t ? t : types_lookup(s->types, SPACE_ORDINARY, spelling);
}
