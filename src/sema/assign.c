// SPDX-License-Identifier: Apache-2.0
/* Checks assignments, and defines the variables that they make. */
#include "sema/hint.h"

#include <string.h>

#include "base/arena.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "sema/names.h"
#include "sema/sema_int.h"
#include "sema/typed.h"
#include "types/type.h"
#include "types/types.h"

static bool incompatible(struct sema *s, const struct expr *e)
{
	return sema_error(s, e->loc, "D_OP_INCOMPAT",
		       "operands have incompatible types: \"%s\" %s \"%s\"",
		       sema_type_text(s, e->a->type), lex_token_spelling(e->op),
		       sema_type_text(s, e->b->type)) ||
		hint_compared(s, e->a, e->b);
}

static bool dynamic(struct sema *s, const struct expr *e)
{
	return sema_error(s, e->loc, "D_OP_DYN",
		"operator %s cannot be applied to an operand of undetermined type",
		lex_token_spelling(e->op));
}

struct variable *sema_new_variable(
	struct sema *s, enum var_scope scope, const char *name, const struct type *type)
{
	struct variable *v = arena_new_obj(s->arena, struct variable);

	v->name = name;
	v->scope = scope;
	v->type = type;
	v->id = s->session.vars.len;
	strmap_put(s->arena, &s->names[scope], name, v);
	vec_push(s->arena, &s->session.vars, v);
	return v;
}

/*
 * Returns the type of a variable that an assignment of type T defines: of an array of char, a
 * string. NULL: it cannot hold one.
 */
static const struct type *storable(struct sema *s, struct expr *at, const struct type *t)
{
	const struct type *r = type_resolve(t);

	switch (r->kind) {
	case TYPE_INT:
	case TYPE_ENUM:
	case TYPE_PTR:
		return t;
	case TYPE_STRING:
	case TYPE_STACK:
		return t;
	case TYPE_ARRAY:
		if (type_resolve(r->ref)->is_char)
			return basic(s, T_STRING);
		sema_error(s, at->loc, "D_OP_ARRFUN",
			"array or function may not be assigned: use a pointer or stringof( )");
		return NULL;
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_FLOAT:
		return t;
	case TYPE_FUNC:
		sema_error(s, at->loc, "D_OP_ARRFUN",
			"array or function may not be assigned: use its address");
		return NULL;
	case TYPE_DYN:
		sema_error(
			s, at->loc, "D_OP_DYN", "a value of undetermined type may not be assigned");
		return NULL;
	default:
		sema_error(s, at->loc, "D_OP_INCOMPAT",
			"a value of type \"%s\" may not be assigned", sema_type_text(s, t));
		return NULL;
	}
}

/*
 * Returns the variable NAME, which expression AT defines with type CREATE: a new one, or one that
 * was only supposed so far, which keeps its type where CREATE is NULL.  NULL: an error.
 */
static struct variable *shaped(
	struct sema *s, const struct expr *name, struct expr *at, const struct type *create)
{
	struct variable *v = strmap_get(&s->names[name->scope], name->name);

	if (create || !v)
		create = storable(s, at, create);
	if (!create && !v)
		return NULL;
	if (!v)
		return sema_new_variable(s, name->scope, name->name, create);
	v->untyped = !create;
	v->type = create ? create : v->type;
	v->supposed = false;
	return v;
}

static struct variable *element(struct sema *s, struct expr *e, const struct type *create)
{
	struct expr *base = e->a;
	struct variable *v = strmap_get(&s->names[base->scope], base->name);
	bool fixed = v && !v->supposed;

	if (fixed && !v->is_assoc) {
		sema_error(s, e->loc, "D_ARR_BADREF", "%s is not an associative array", base->name);
		return NULL;
	}
	if (!fixed && base->scope == SCOPE_THIS) {
		sema_error(s, e->loc, "D_ARR_LOCAL",
			"cannot use this->%s as an associative array: it would be clause-local",
			base->name);
		return NULL;
	}
	if (!fixed) {
		v = shaped(s, base, e, create);
		if (!v)
			return NULL;
		v->is_assoc = true;
	}
	if (base->scope == SCOPE_GLOBAL && !sema_use_named(s, e->loc, base->name))
		return NULL;
	if (!sema_keys(s, e, base->name, v->keys, &v->nkeys, &fixed, false))
		return NULL;
	sema_info(s, e)->ref = REF_VAR;
	sema_info(s, e)->var = v;
	return v;
}

struct variable *sema_variable(struct sema *s, struct expr *e, const struct type *create)
{
	struct variable *v;

	if (e->kind == EXPR_INDEX)
		return element(s, e, create);
	if (sema_bind(s, e))
		return e->info->var;
	v = strmap_get(&s->names[e->scope], e->name);
	if (!v || v->supposed) {
		v = shaped(s, e, e, create);
		if (!v)
			return NULL;
		v->is_assoc = false;
	}
	if (v->is_assoc) {
		sema_error(s, e->loc, "D_IDENT_BADREF",
			"%s may not be assigned without an index: it is an associative array",
			e->name);
		return NULL;
	}
	if (e->scope == SCOPE_GLOBAL && !sema_use_named(s, e->loc, e->name))
		return NULL;
	sema_info(s, e)->ref = REF_VAR;
	sema_info(s, e)->var = v;
	return v;
}

/* Checks a op= b as the expression a op b, for its types only; A is not evaluated twice. */
static bool compound(struct sema *s, struct expr *e)
{
	static const struct {
		enum token_kind assign, op;
	} ops[] = {
		{TOK_ADD_ASSIGN, TOK_ADD},
		{TOK_SUB_ASSIGN, TOK_SUB},
		{TOK_MUL_ASSIGN, TOK_MUL},
		{TOK_DIV_ASSIGN, TOK_DIV},
		{TOK_MOD_ASSIGN, TOK_MOD},
		{TOK_AND_ASSIGN, TOK_AND},
		{TOK_OR_ASSIGN, TOK_OR},
		{TOK_XOR_ASSIGN, TOK_XOR},
		{TOK_SHL_ASSIGN, TOK_SHL},
		{TOK_SHR_ASSIGN, TOK_SHR},
	};
	struct expr *sum = arena_new_obj(s->arena, struct expr);
	enum token_kind outer = s->compound;
	bool ok;

	if (e->a->kind == EXPR_VAR && e->a->scope == SCOPE_GLOBAL && !e->a->info &&
		!sema_bind(s, e->a) && !strmap_get(&s->names[SCOPE_GLOBAL], e->a->name))
		return sema_error(s, e->loc, "D_VAR_UNDEF",
			       "%s has not yet been declared or assigned", e->a->name) ||
			hint_variable(s, e->a);
	if (!sema_expr(s, e->a))
		return false;
	if (sema_is_translated(e->a))
		return dynamic(s, e);
	if (!sema_is_scalar(e->a->type))
		return sema_error(s, e->loc, "D_OP_INCOMPAT",
			"operator %s cannot be applied to a value of type \"%s\"",
			lex_token_spelling(e->op), sema_type_text(s, e->a->type));
	if (sema_is_ptr(e->a->type) && (e->op == TOK_ADD_ASSIGN || e->op == TOK_SUB_ASSIGN) &&
		!type_resolve(type_resolve(e->a->type)->ref)->size)
		return sema_error(s, e->loc, "D_OP_VFPTR",
			"operator %s requires a pointer to an object of known size",
			lex_token_spelling(e->op));
	sum->kind = EXPR_BINARY;
	sum->loc = e->loc;
	sum->text = e->text;
	sum->text_len = e->text_len;
	for (unsigned i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
		if (ops[i].assign == e->op)
			sum->op = ops[i].op;
	if (sema_is_ptr(e->a->type) && sum->op != TOK_ADD && sum->op != TOK_SUB)
		return sema_error(s, e->loc,
			sum->op == TOK_MUL || sum->op == TOK_DIV ? "D_OP_ARITH" : "D_OP_INT",
			"operator %s requires operands of integral type",
			lex_token_spelling(e->op));
	sum->a = e->a;
	sum->b = e->b;
	s->compound = e->op;
	ok = sema_operator(s, sum);
	s->compound = outer;
	if (!ok)
		return false;
	/* a member of a translated object cannot be checked twice, so this comes after it */
	if ((sum->op == TOK_ADD || sum->op == TOK_SUB) && sema_is_int(e->a->type) &&
		!sema_is_int(e->b->type))
		return incompatible(s, e);
	e->type = e->a->type;
	e->c = sum; /* the value to store, converted to the target's type by the code generator */
	sema_convert(s, &e->c, e->type);
	return true;
}

/*
 * True if E names a variable or an element of an associative array, which an assignment may make,
 * rather than a part of one or scratch memory.
 */
static bool is_place(struct sema *s, struct expr *e)
{
	const struct variable *v;

	if (e->kind == EXPR_VAR)
		return true;
	if (e->kind != EXPR_INDEX || e->a->kind != EXPR_VAR)
		return false;
	if (sema_bind(s, e->a))
		return false;
	v = strmap_get(&s->names[e->a->scope], e->a->name);
	if (!v)
		return e->a->scope != SCOPE_GLOBAL || !builtin_find(e->a->name);
	return v->is_assoc;
}

static bool variable_exists(struct sema *s, const struct expr *e)
{
	const struct expr *base = e->kind == EXPR_INDEX ? e->a : e;
	const struct variable *v = strmap_get(&s->names[base->scope], base->name);

	return (base->info && base->info->ref == REF_VAR) || (v && !v->supposed);
}

/* True if an assignment of 0 deletes: elements and thread-locals, whatever their type. */
static bool deletes(const struct variable *v, const struct expr *value)
{
	return sema_is_zero(value) && (v->is_assoc || v->scope == SCOPE_SELF) &&
		(type_resolve(v->type)->kind == TYPE_STRUCT ||
			type_resolve(v->type)->kind == TYPE_UNION);
}

/*
 * Gives V, which has only been NULL so far, the type of VALUE if it is as large as the one that V
 * was read with in the meantime.
 */
static void adopt_type(struct sema *s, struct variable *v, const struct expr *value)
{
	if (sema_is_null(value))
		return;
	v->untyped = false;
	if ((sema_is_scalar(value->type) || sema_is_stack(value->type)) &&
		type_resolve(value->type)->size == 8)
		v->type = value->type;
}

/* Converts the right side, typed, to the type of the left; V is the variable or NULL. */
static bool assign_value(struct sema *s, struct expr *e, struct variable *v)
{
	const struct type *t = type_resolve(e->a->type);

	if (t->kind == TYPE_ARRAY || t->kind == TYPE_FUNC ||
		type_resolve(e->b->type)->kind == TYPE_FUNC)
		return sema_error(s, e->loc, "D_OP_ARRFUN",
			"array or function may not be assigned: use a pointer or its elements");
	if (v && deletes(v, e->b))
		return true;
	if (!sema_compatible(e->a->type, e->b))
		return incompatible(s, e);
	if (sema_is_translated(e->b) && type_same(t, e->b->type)) {
		if (!v && t->kind == TYPE_PTR)
			return sema_error(s, e->loc, "D_OP_INCOMPAT",
				"a pointer to a translated object may only be assigned to a variable or an element of an associative array");
		if (v)
			sema_hold(s, v, e->b);
		return true;
	}
	if (v && !sema_note_pointer(s, v, e->b))
		return false;
	sema_convert(s, &e->b, e->a->type);
	return true;
}

/* Checks x.m = v, a[i] = v of a C array, *p = v: the left side has a type already. */
static bool assign_object(struct sema *s, struct expr *e)
{
	if (!sema_expr(s, e->b) || !sema_writable(s, e->a, e->op))
		return false;
	if (sema_is_action(s, e->b) || sema_is_void(e->b->type))
		return sema_error(s, e->loc, "D_OP_INCOMPAT",
			"a value of type \"%s\" may not be assigned",
			sema_type_text(s, e->b->type));
	e->type = e->a->type;
	return assign_value(s, e, NULL);
}

bool sema_assign(struct sema *s, struct expr *e)
{
	struct variable *v;
	bool is_new;

	if (e->a->kind == EXPR_AGG)
		return sema_error(s, e->loc, "D_AGG_FUNC",
			"@%s must be assigned the result of an aggregating function, as a statement",
			e->a->name);
	if (e->a->kind == EXPR_ASSIGN && e->a->a->kind == EXPR_AGG)
		return sema_error(s, e->loc, "D_AGG_FUNC",
			"@%s must be assigned the result of an aggregating function, as a statement",
			e->a->a->name);
	if (e->op != TOK_ASSIGN)
		return sema_writable(s, e->a, e->op) && compound(s, e);
	/* the right side first: it may give a name its type */
	if (!is_place(s, e->a))
		return assign_object(s, e);
	if (!sema_writable(s, e->a, e->op) || !sema_expr(s, e->b))
		return false;
	if (sema_is_action(s, e->b) || sema_is_void(e->b->type))
		return sema_error(s, e->loc, "D_OP_INCOMPAT",
			"a value of type \"%s\" may not be assigned",
			sema_type_text(s, e->b->type));
	is_new = !variable_exists(s, e->a);
	v = sema_variable(s, e->a, is_new && sema_is_null(e->b) ? basic(s, T_INT64) : e->b->type);
	if (!v)
		return false;
	v->untyped |= is_new && sema_is_null(e->b);
	if (v->untyped)
		adopt_type(s, v, e->b);
	e->a->type = e->type = v->type;
	return assign_value(s, e, v);
}

/* The type of x++ on a name that nothing has typed yet is int64_t. */
bool sema_increment(struct sema *s, struct expr *e)
{
	struct variable *v;

	if (!sema_writable(s, e->a, e->op))
		return false;
	if (is_place(s, e->a)) {
		v = sema_variable(s, e->a, basic(s, T_INT64));
		if (!v)
			return false;
		e->a->type = v->type;
	}
	e->type = e->a->type;
	if (sema_is_translated(e->a))
		return dynamic(s, e);
	if (!sema_is_scalar(e->type))
		return sema_error(s, e->loc, "D_OP_SCALAR",
			"operator %s requires operands of scalar type", lex_token_spelling(e->op));
	if (sema_is_ptr(e->type) && !type_resolve(type_resolve(e->type)->ref)->size)
		return sema_error(s, e->loc, "D_OP_VFPTR",
			"operator %s requires a pointer to an object of known size",
			lex_token_spelling(e->op));
	return true;
}
