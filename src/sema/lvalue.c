// SPDX-License-Identifier: Apache-2.0
/*
 * Checks that a program may write to an object: D's variables and their members, and scratch
 * memory, through pointers from alloca() and copyin().
 */
#include "sema/sema_int.h"

#include <string.h>

#include "base/strmap.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"

static bool is_alloc(const struct expr *e)
{
	return e->info && e->info->ref == REF_FUNC &&
		(e->info->func->id == FUNC_alloca || e->info->func->id == FUNC_copyin);
}

/* True if the object that E names lies in scratch memory. */
static bool object_in_scratch(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_MEMBER:
		return e->op == TOK_ARROW ? sema_is_scratch(e->a) : object_in_scratch(e->a);
	case EXPR_INDEX:
		if (e->info && e->info->ref == REF_VAR)
			return false;
		return type_resolve(e->a->type)->kind == TYPE_PTR ? sema_is_scratch(e->a)
								  : object_in_scratch(e->a);
	case EXPR_UNARY:
		return e->op == TOK_MUL && sema_is_scratch(e->a);
	default:
		return false;
	}
}

bool sema_is_scratch(const struct expr *e)
{
	if (e->type && type_resolve(e->type)->kind == TYPE_ARRAY)
		return object_in_scratch(e);
	switch (e->kind) {
	case EXPR_CALL:
		if (e->info && e->info->ref == REF_INLINED)
			return e->info->result && e->info->result->scratch;
		return is_alloc(e);
	case EXPR_VAR:
	case EXPR_INDEX:
		return e->info && e->info->ref == REF_VAR && e->info->var->scratch;
	case EXPR_CAST:
		return sema_is_ptr(e->type) && sema_is_scratch(e->a);
	case EXPR_UNARY:
		if (e->op == TOK_AND)
			return object_in_scratch(e->a);
		return (e->op == TOK_INC || e->op == TOK_DEC) && sema_is_scratch(e->a);
	case EXPR_POSTFIX:
		return sema_is_scratch(e->a);
	case EXPR_BINARY:
		return sema_is_ptr(e->type) && (sema_is_scratch(e->a) || sema_is_scratch(e->b));
	case EXPR_ASSIGN:
	case EXPR_COMMA:
		return sema_is_scratch(e->kind == EXPR_ASSIGN ? e->a : e->b);
	case EXPR_COND: /* where the branches differ it is an address like any other */
		return (sema_is_scratch(e->b) || sema_is_zero(e->b)) &&
			(sema_is_scratch(e->c) || sema_is_zero(e->c)) &&
			(sema_is_scratch(e->b) || sema_is_scratch(e->c));
	default:
		return false;
	}
}

/* True if E is a choice between a pointer to scratch memory and another one. */
static bool is_mixed(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_COND:
		return is_mixed(e->b) || is_mixed(e->c) ||
			(!sema_is_zero(e->b) && !sema_is_zero(e->c) &&
				sema_is_scratch(e->b) != sema_is_scratch(e->c));
	case EXPR_CAST:
		return is_mixed(e->a);
	case EXPR_COMMA:
	case EXPR_ASSIGN:
		return is_mixed(e->b);
	default:
		return false;
	}
}

bool sema_note_pointer(struct sema *s, struct variable *v, const struct expr *value)
{
	bool scratch, was;

	if (!sema_is_ptr(v->type) || sema_is_zero(value))
		return true;
	scratch = sema_is_scratch(value);
	was = v->scratch || v->nonscratch;
	if (is_mixed(value) || (was && scratch != v->scratch))
		return sema_error(s, value->loc, "D_ALLOCA_INCOMPAT",
			"%s may not hold both pointers to scratch memory (from alloca( ) or "
			"copyin( )) and others",
			v->name);
	v->scratch |= scratch;
	v->nonscratch |= !scratch;
	return true;
}

static bool not_writable(struct sema *s, const struct expr *e, enum token_kind op)
{
	return sema_error(s, e->loc, "D_OP_WRITE",
		"operator %s can only be applied to a writable variable", token_spelling(op));
}

static bool not_lvalue(struct sema *s, const struct expr *e, enum token_kind op)
{
	return sema_error(s, e->loc, "D_OP_LVAL", "operator %s can only be applied to an lvalue",
		token_spelling(op));
}

static bool writable_name(struct sema *s, struct expr *e, enum token_kind op)
{
	const struct inline_def *in = NULL;

	for (const struct scope *sc = s->scope; sc && e->scope == SCOPE_GLOBAL; sc = sc->outer) {
		if (strcmp(sc->name, e->name))
			continue;
		return sc->var || (sc->value && !sc->var ? not_lvalue(s, e, op) : !sc->value);
	}
	if (e->scope != SCOPE_GLOBAL)
		return true;
	if (builtin_find(e->name))
		return not_writable(s, e, op);
	if (sema_is_function(e->name))
		return sema_error(s, e->loc, "D_IDENT_BADREF",
			"%s is a function: it may not be assigned", e->name);
	in = strmap_get(&s->inlines, e->name);
	return (!in && strcmp(e->name, "NULL")) || not_lvalue(s, e, op);
}

bool sema_writable(struct sema *s, struct expr *e, enum token_kind op)
{
	struct expr *base = e;

	switch (e->kind) {
	case EXPR_VAR:
		return writable_name(s, e, op);
	case EXPR_INDEX:
		if (e->a->kind == EXPR_VAR) {
			const struct variable *v = strmap_get(&s->names[e->a->scope], e->a->name);

			if (!writable_name(s, e->a, op))
				return false;
			if (!v || v->is_assoc) /* an element, or one that this creates */
				return true;
		}
		break;
	case EXPR_MEMBER:
		break;
	case EXPR_UNARY:
		if (e->op == TOK_MUL)
			break;
		return not_lvalue(s, e, op);
	case EXPR_SYMBOL:
		return not_writable(s, e, op);
	default:
		return not_lvalue(s, e, op);
	}
	if (!sema_expr(s, e))
		return false;
	if (object_in_scratch(e))
		return true;
	/* down to the variable that the object is part of */
	while ((base->kind == EXPR_MEMBER && base->op == TOK_DOT) ||
		(base->kind == EXPR_INDEX && !(base->info && base->info->ref == REF_VAR) &&
			type_resolve(base->a->type)->kind == TYPE_ARRAY))
		base = base->a;
	if (base->info && base->info->ref == REF_VAR && base != e)
		return true;
	return not_writable(s, e, op);
}
