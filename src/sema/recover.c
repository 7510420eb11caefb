// SPDX-License-Identifier: Apache-2.0
/* Suppresses errors that only follow from an earlier error. */
#include "sema/recover.h"

#include <string.h>

#include "base/arena.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "sema/sema_int.h"

static const char *const prefixes[] = {
	[SCOPE_GLOBAL] = "", [SCOPE_SELF] = "self->", [SCOPE_THIS] = "this->"};

static void lose(struct sema *s, const char *prefix, const char *name)
{
	if (name)
		strmap_put(
			s->arena, &s->lost.names, arena_printf(s->arena, "%s%s", prefix, name), s);
}

/* ---- what a clause assigns ---- */

static void lose_target(struct sema *s, const struct expr *e)
{
	if (e->kind == EXPR_INDEX)
		e = e->a;
	if (e->kind == EXPR_VAR)
		lose(s, prefixes[e->scope], e->name);
	else if (e->kind == EXPR_AGG)
		lose(s, "@", e->name);
}

static void lose_assigned(struct sema *s, const struct expr *e, unsigned depth)
{
	if (!e || depth > SEMA_MAX_DEPTH)
		return;
	if (e->kind == EXPR_ASSIGN)
		lose_target(s, e->a);
	lose_assigned(s, e->a, depth + 1);
	lose_assigned(s, e->b, depth + 1);
	lose_assigned(s, e->c, depth + 1);
	for (uint32_t i = 0; i < e->args.len; i++)
		lose_assigned(s, e->args.data[i], depth + 1);
}

static void lose_in_statements(struct sema *s, const stmt_vec *v)
{
	for (uint32_t i = 0; i < v->len; i++) {
		const struct stmt *st = &v->data[i];

		lose_assigned(s, st->expr, 0);
		lose_assigned(s, st->init, 0);
		lose_assigned(s, st->step, 0);
		lose_in_statements(s, &st->body);
		lose_in_statements(s, &st->orelse);
	}
}

/* ---- what a declaration declares ---- */

static void lose_declared(struct sema *s, const struct decl *d)
{
	const struct type_spec *sp = d->spec;
	enum var_scope scope = sp->storage == STORAGE_SELF ? SCOPE_SELF
		: sp->storage == STORAGE_THIS		   ? SCOPE_THIS
							   : SCOPE_GLOBAL;

	s->lost.types |= sp->has_body || sp->storage == STORAGE_TYPEDEF;
	for (uint32_t i = 0; i < sp->enumerators.len; i++)
		lose(s, "", sp->enumerators.data[i].name);
	for (uint32_t i = 0; i < d->names.len; i++)
		lose(s, prefixes[scope], d->names.data[i]->name);
}

void recover_from(struct sema *s, const struct item *it)
{
	switch (it->kind) {
	case ITEM_CLAUSE:
		lose_assigned(s, it->clause->predicate, 0);
		lose_in_statements(s, &it->clause->stmts);
		break;
	case ITEM_DECL:
	case ITEM_INLINE:
	case ITEM_FUNCTION:
		lose_declared(s, it->decl);
		break;
	case ITEM_TRANSLATOR:
		s->lost.translators = true;
		break;
	case ITEM_PROVIDER:
		break;
	}
}

void recover_name(struct sema *s, const char *prefix, const char *name)
{
	s->lost.consequence =
		strmap_get(&s->lost.names, arena_printf(s->arena, "%s%s", prefix, name));
}

static bool is_one_of(const char *tag, const char *const *tags)
{
	for (; *tags; tags++)
		if (!strcmp(tag, *tags))
			return true;
	return false;
}

bool recover_is_consequence(struct sema *s)
{
	static const char *const type_tags[] = {
		"D_DECL_IDENT", "D_DECL_INCOMPLETE", "D_OP_INCOMPLETE", NULL};
	static const char *const translator_tags[] = {"D_XLATE_NONE", "D_ARGS_XLATOR", NULL};
	const char *tag = s->diags->list.len ? vec_last(&s->diags->list).tag : "";

	return s->lost.consequence || (s->lost.types && is_one_of(tag, type_tags)) ||
		(s->lost.translators && is_one_of(tag, translator_tags));
}
