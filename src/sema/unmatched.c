// SPDX-License-Identifier: Apache-2.0
/* Defines what clauses assign that match no probe and are not checked. */
#include "sema/unmatched.h"

#include <string.h>

#include "base/diag.h"
#include "base/strmap.h"
#include "lang/ast.h"
#include "sema/names.h"
#include "sema/sema_int.h"
#include "sema/typed.h"
#include "types/types.h"

/* ---- what can be checked ---- */

/* Check the statements of C one by one: those without an error define names with their types. */
static void try_statements(struct sema *s, const struct clause *c)
{
	stmt_vec all = sema_clone_stmts(s->arena, &c->stmts);
	const struct sema clean = *s;
	uint32_t errors = s->diags->list.len;

	for (uint32_t i = 0; i < all.len; i++) {
		stmt_vec one = {.data = &all.data[i], .len = 1};

		sema_statements(s, &one);
		sema_leave(s, &clean);
		s->diags->list.len = errors;
	}
}

/* ---- what cannot ---- */

/* True if NAME means something that cannot be assigned to. */
static bool is_taken(struct sema *s, const struct expr *e)
{
	return e->scope == SCOPE_GLOBAL &&
		(builtin_find(e->name) || strmap_get(&s->inlines, e->name) ||
			strmap_get(&s->functions, e->name));
}

/* Returns the type that assigning VALUE gives a variable as far as its form shows; NULL: unknown.
 */
static const struct type *type_by_form(struct sema *s, const struct expr *value)
{
	const struct function *f;

	if (!value)
		return NULL;
	if (value->kind == EXPR_STRING || (value->kind == EXPR_UNARY && value->op == TOK_STRINGOF))
		return basic(s, T_STRING);
	if (value->kind != EXPR_CALL || value->a->kind != EXPR_VAR)
		return NULL;
	f = function_find(value->a->name);
	return f && f->klass == CLASS_SUBR && f->result && !strcmp(f->result, "string")
		? basic(s, T_STRING)
		: NULL;
}

static void define_variable(struct sema *s, const struct expr *to, const struct expr *value)
{
	const struct expr *name = to->kind == EXPR_INDEX ? to->a : to;
	const struct type *t = type_by_form(s, value);
	struct variable *v;

	if (name->kind != EXPR_VAR || is_taken(s, name))
		return;
	if (name != to && (name->scope == SCOPE_THIS || to->args.len > SEMA_MAX_KEYS))
		return;
	v = strmap_get(&s->names[name->scope], name->name);
	if (v && (name == to || v->nkeys)) /* without keys it is an array that has failed */
		return;
	if (!v)
		v = sema_new_variable(s, name->scope, name->name, t ? t : basic(s, T_INT64));
	v->supposed = v->untyped = !t;
	if (name == to)
		return;
	v->is_assoc = v->supposed = true;
	v->nkeys = to->args.len;
	for (uint32_t i = 0; i < v->nkeys; i++)
		v->keys[i] = basic(s, T_INT64);
}

static void define_aggregation(struct sema *s, const struct expr *e)
{
	const struct expr *call = e->b;
	const struct function *f = call->kind == EXPR_CALL && call->a->kind == EXPR_VAR
		? function_find(call->a->name)
		: NULL;
	struct aggregation *a;

	if (!f || f->klass != CLASS_AGG || !sema_agg_name(s, sema_clone(s->arena, e->a), true, &a))
		return;
	/* its programs may be loaded while those of the others run */
	if (s->clause->late)
		a->awaited = a->in_irq = a->in_task = true;
	if (a->func)
		return;
	a->func = f;
	a->supposed = true;
	if (!sema_agg_params(s, sema_clone(s->arena, call), &a->params))
		a->func = function_find("count");
	if (a->keyed || e->a->args.len > SEMA_MAX_KEYS)
		return;
	a->nkeys = e->a->args.len;
	for (uint32_t i = 0; i < a->nkeys; i++)
		a->keys[i] = basic(s, T_INT64);
}

static void define_assigned(struct sema *s, const struct expr *e, unsigned depth)
{
	if (!e || depth > SEMA_MAX_DEPTH)
		return;
	if (e->kind == EXPR_ASSIGN && e->a->kind == EXPR_AGG)
		define_aggregation(s, e);
	else if (e->kind == EXPR_ASSIGN)
		define_variable(s, e->a, e->op == TOK_ASSIGN ? e->b : NULL);
	else if ((e->kind == EXPR_UNARY || e->kind == EXPR_POSTFIX) &&
		(e->op == TOK_INC || e->op == TOK_DEC))
		define_variable(s, e->a, NULL);
	define_assigned(s, e->a, depth + 1);
	define_assigned(s, e->b, depth + 1);
	define_assigned(s, e->c, depth + 1);
	for (uint32_t i = 0; i < e->args.len; i++)
		define_assigned(s, e->args.data[i], depth + 1);
}

static void define_in_statements(struct sema *s, const stmt_vec *v)
{
	for (uint32_t i = 0; i < v->len; i++) {
		const struct stmt *st = &v->data[i];

		define_assigned(s, st->expr, 0);
		define_assigned(s, st->init, 0);
		define_assigned(s, st->step, 0);
		define_in_statements(s, &st->body);
		define_in_statements(s, &st->orelse);
	}
}

void unmatched_define(struct sema *s, const struct clause *c)
{
	try_statements(s, c);
	define_assigned(s, c->predicate, 0);
	define_in_statements(s, &c->stmts);
}
