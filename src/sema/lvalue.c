// SPDX-License-Identifier: Apache-2.0
/*
 * Checks that a program may write to an object: D's variables, their members and the characters of
 * strings, and scratch memory.  A pointer that may lead there or elsewhere is checked when the
 * program runs.
 */
#include "sema/hint.h"
#include "sema/sema_int.h"

#include <string.h>

#include "base/arena.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"

/* What is known about where a pointer leads. */
enum origin {
	ELSEWHERE, /* not to scratch memory */
	SCRATCH,
	UNJUDGED, /* it was computed, or loaded from memory that a program writes */
};

static enum origin origin(const struct expr *e);

static bool is_alloc(const struct expr *e)
{
	return e->info && e->info->ref == REF_FUNC &&
		(e->info->func->id == FUNC_alloca || e->info->func->id == FUNC_copyin);
}

static bool is_var(const struct expr *e)
{
	return (e->kind == EXPR_VAR || e->kind == EXPR_INDEX) && e->info && e->info->ref == REF_VAR;
}

/* ---- objects ---- */

/* Returns the pointer or array through which object E is reached; NULL if E is not a part. */
static const struct expr *base_of(const struct expr *e)
{
	if (is_var(e))
		return NULL;
	return e->kind == EXPR_MEMBER || e->kind == EXPR_INDEX ||
			(e->kind == EXPR_UNARY && e->op == TOK_MUL)
		? e->a
		: NULL;
}

/* Returns where the object that E names lies. */
static enum origin object_origin(const struct expr *e)
{
	const struct expr *base = base_of(e);

	if (!base)
		return ELSEWHERE;
	return sema_is_ptr(base->type) ? origin(base) : object_origin(base);
}

bool sema_is_pointed(const struct expr *e)
{
	const struct expr *base;

	while ((base = base_of(e)) != NULL && !sema_is_ptr(base->type))
		e = base;
	return base != NULL;
}

/* True if object E is D's own variable or a part of it. */
static bool in_variable(const struct expr *e)
{
	while (base_of(e) && !sema_is_ptr(e->a->type))
		e = e->a;
	return is_var(e);
}

/* ---- pointers ---- */

static enum origin variable_origin(const struct variable *v)
{
	if (v->unjudged || !(v->scratch || v->nonscratch))
		return UNJUDGED;
	return v->scratch ? SCRATCH : ELSEWHERE;
}

/* True if integer E may have been made of an address of scratch memory. */
static bool may_be_address(void *arg, const struct expr *e)
{
	return is_var(e) || (e->kind == EXPR_CALL && is_alloc(e)) ||
		(e->info && (e->info->ref == REF_INLINED || e->info->ref == REF_PARAM));
}

static enum origin cast_origin(const struct expr *e)
{
	const struct type *t = type_resolve(e->type);

	if (t->kind != TYPE_PTR)
		return ELSEWHERE;
	if (!sema_is_int(e->a->type))
		return origin(e->a);
	return !t->is_user && sema_any_expr(e->a, may_be_address, NULL, NULL) ? UNJUDGED
									      : ELSEWHERE;
}

/* Of two pointers, one of which E is, or of which E was computed. */
static enum origin either(const struct expr *a, const struct expr *b)
{
	enum origin x = origin(a), y = origin(b);

	if (sema_is_zero(a) || sema_is_zero(b))
		return sema_is_zero(a) ? y : x;
	return x == y ? x : UNJUDGED;
}

/* Of a pointer that is loaded from object E. */
static enum origin loaded_origin(const struct expr *e)
{
	return in_variable(e) || object_origin(e) != ELSEWHERE ? UNJUDGED : ELSEWHERE;
}

static enum origin unary_origin(const struct expr *e)
{
	if (e->op == TOK_AND)
		return object_origin(e->a);
	if (e->op == TOK_INC || e->op == TOK_DEC)
		return origin(e->a);
	return e->op == TOK_MUL ? loaded_origin(e) : ELSEWHERE;
}

static enum origin origin(const struct expr *e)
{
	if (!e->type)
		return ELSEWHERE;
	if (type_resolve(e->type)->kind == TYPE_ARRAY)
		return object_origin(e);
	if (is_var(e))
		return sema_is_ptr(e->type) ? variable_origin(e->info->var) : ELSEWHERE;
	switch (e->kind) {
	case EXPR_CALL:
		if (e->info && e->info->ref == REF_INLINED)
			return sema_is_ptr(e->type) ? variable_origin(e->info->result) : ELSEWHERE;
		return is_alloc(e) ? SCRATCH : ELSEWHERE;
	case EXPR_MEMBER:
	case EXPR_INDEX:
		return loaded_origin(e);
	case EXPR_CAST:
		return cast_origin(e);
	case EXPR_UNARY:
		return unary_origin(e);
	case EXPR_POSTFIX:
		return origin(e->a);
	case EXPR_BINARY:
		if (!sema_is_ptr(e->type))
			return ELSEWHERE;
		return origin(sema_is_int(e->a->type) ? e->b : e->a);
	case EXPR_ASSIGN:
		return origin(e->a);
	case EXPR_COMMA:
		return origin(e->b);
	case EXPR_COND:
		return either(e->b, e->c);
	default:
		return e->info && e->info->ref == REF_PARAM ? UNJUDGED : ELSEWHERE;
	}
}

bool sema_is_scratch(const struct expr *e)
{
	return origin(e) == SCRATCH;
}

bool sema_is_scratch_call(const struct expr *e)
{
	if (e->kind != EXPR_CALL || !e->info || e->info->ref != REF_FUNC)
		return false;
	switch (e->info->func->id) {
	case FUNC_alloca:
	case FUNC_bcopy:
	case FUNC_copyin:
	case FUNC_copyinto:
		return true;
	default:
		return false;
	}
}

bool sema_is_elsewhere(const struct expr *e)
{
	return origin(e) == ELSEWHERE;
}

/* True if E is a choice between a pointer to scratch memory and one that leads elsewhere. */
static bool is_mixed(const struct expr *e)
{
	enum origin b, c;

	switch (e->kind) {
	case EXPR_COND:
		b = origin(e->b);
		c = origin(e->c);
		return is_mixed(e->b) || is_mixed(e->c) ||
			(!sema_is_zero(e->b) && !sema_is_zero(e->c) && b != c && b != UNJUDGED &&
				c != UNJUDGED);
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
	enum origin o;

	if (!sema_is_ptr(v->type) || sema_is_zero(value))
		return true;
	o = origin(value);
	if (is_mixed(value) || (o == SCRATCH && v->nonscratch) || (o == ELSEWHERE && v->scratch))
		return sema_error(s, value->loc, "D_ALLOCA_INCOMPAT",
			"%s may not hold both pointers to scratch memory (from alloca( ) or copyin( )) and others",
			v->name);
	v->scratch |= o == SCRATCH;
	v->unjudged |= o == UNJUDGED;
	v->nonscratch |= o == ELSEWHERE;
	return true;
}

/* ---- what may be written ---- */

static bool not_writable(struct sema *s, const struct expr *e, enum token_kind op)
{
	return sema_error(s, e->loc, "D_OP_WRITE",
		       "operator %s can only be applied to a writable variable",
		       lex_token_spelling(op)) ||
		hint_assigned(s, op);
}

static bool not_lvalue(struct sema *s, const struct expr *e, enum token_kind op)
{
	return sema_error(s, e->loc, "D_OP_LVAL", "operator %s can only be applied to an lvalue",
		       lex_token_spelling(op)) ||
		(e->kind == EXPR_AGG && op == TOK_INC && hint_text(s, "use = count( )")) ||
		hint_assigned(s, op);
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

/* True if a program may write to E, a part of an object. */
static bool is_writable(const struct expr *e)
{
	return sema_is_pointed(e) ? object_origin(e) != ELSEWHERE : base_of(e) && in_variable(e);
}

/* Turns *s into s[0], and *(s + n) into s[n], if s is a string. */
static bool subscript(struct sema *s, struct expr *e)
{
	struct expr *at = e->a, *n;

	if (e->kind != EXPR_UNARY || !sema_is_string(at->type))
		return true;
	if (at->kind == EXPR_BINARY) {
		n = sema_is_string(at->a->type) ? at->b : at->a;
		at = n == at->b ? at->a : at->b;
	} else {
		n = arena_new_obj(s->arena, struct expr);
		n->loc = e->loc;
		sema_make_int(n, 0, basic(s, T_LONG));
	}
	e->kind = EXPR_INDEX;
	e->a = at;
	vec_push(s->arena, &e->args, n);
	return true;
}

/* Checks the assignment of a character of string E: a variable, or a member of a writable object.
 */
static bool writable_string(struct sema *s, const struct expr *e, enum token_kind op)
{
	if (is_var(e))
		e->info->var->subscripted = true;
	return is_var(e) || is_writable(e) || not_writable(s, e, op);
}

bool sema_writable(struct sema *s, struct expr *e, enum token_kind op)
{
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
	if (!sema_expr(s, e) || !subscript(s, e))
		return false;
	if (e->kind == EXPR_INDEX && sema_is_string(e->a->type))
		return writable_string(s, e->a, op);
	return is_writable(e) || not_writable(s, e, op);
}
