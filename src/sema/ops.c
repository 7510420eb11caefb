// SPDX-License-Identifier: Apache-2.0
/* Checks operators and gives them types. */
#include "sema/hint.h"
#include "sema/sema_int.h"

#include <string.h>

#include "base/strmap.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "sema/typed.h"
#include "types/type.h"
#include "types/types.h"

/* Returns the operator as written: that of a compound assignment, not the one it stands for. */
static const char *spelled(const struct sema *s, const struct expr *e)
{
	return lex_token_spelling(s->compound ? s->compound : e->op);
}

static bool incompatible(struct sema *s, const struct expr *e)
{
	return sema_error(s, e->loc, "D_OP_INCOMPAT",
		       "operands have incompatible types: \"%s\" %s \"%s\"",
		       sema_type_text(s, e->a->type), spelled(s, e),
		       sema_type_text(s, e->b->type)) ||
		hint_compared(s, e->a, e->b);
}

static bool want(struct sema *s, const struct expr *e, bool ok, const char *tag, const char *what)
{
	return ok ||
		sema_error(s, e->loc, tag, "operator %s requires operands of %s type",
			spelled(s, e), what);
}

static bool dynamic(struct sema *s, const struct expr *e)
{
	return sema_error(s, e->loc, "D_OP_DYN",
		"operator %s cannot be applied to an operand of undetermined type",
		lex_token_spelling(e->op));
}

/* ---- unary ---- */

static bool check_deref(struct sema *s, struct expr *e)
{
	const struct type *t = type_resolve(e->a->type);

	if (t->kind == TYPE_STRING) {
		e->type = basic(s, T_CHAR);
		return true;
	}
	if (t->kind != TYPE_PTR && t->kind != TYPE_ARRAY)
		return sema_error(s, e->loc, "D_DEREF_NONPTR",
			"cannot dereference non-pointer type: %s", sema_type_text(s, e->a->type));
	if (sema_is_void(t->ref))
		return sema_error(s, e->loc, "D_DEREF_VOID", "cannot dereference pointer to void");
	if (type_resolve(t->ref)->kind == TYPE_FUNC)
		return sema_error(
			s, e->loc, "D_DEREF_FUNC", "cannot dereference pointer to function");
	if (e->a->info && e->a->info->ref == REF_XLATE)
		sema_put_definition(e, e->a, NULL); /* *xlate<T *>(x) is xlate<T>(x) */
	e->type = t->ref;
	return true;
}

static bool is_memory(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_MEMBER:
		return true;
	case EXPR_INDEX:
		return !(e->info && e->info->ref == REF_VAR);
	case EXPR_UNARY:
		return e->op == TOK_MUL;
	default:
		return false;
	}
}

static bool check_addr(struct sema *s, struct expr *e)
{
	const struct expr *a = e->a;

	if (a->info && (a->info->ref == REF_VAR || a->info->ref == REF_AGG))
		return sema_error(
			s, e->loc, "D_ADDROF_VAR", "cannot take address of dynamic variable");
	if (a->kind == EXPR_SYMBOL) {
		e->type = types_ptr(s->types, a->type);
		return true;
	}
	if (!is_memory(a) || (a->kind == EXPR_INDEX && a->info))
		return sema_error(
			s, e->loc, "D_ADDROF_LVAL", "unary & must be applied to an lvalue");
	if (a->kind == EXPR_MEMBER && a->info->member.bit_size)
		return sema_error(
			s, e->loc, "D_ADDROF_BITFIELD", "cannot take address of a bit-field");
	e->type = types_ptr(s->types, a->type);
	return true;
}

/* A bit-field all of whose values fit an int is one in arithmetic (C11 6.3.1.1). */
static void promote_bits(struct sema *s, struct expr **e)
{
	uint32_t bits = (*e)->kind == EXPR_MEMBER ? (*e)->info->member.bit_size : 0;

	if (bits && bits < 32 && type_resolve((*e)->type)->size <= 4)
		sema_retype(s, e, basic(s, T_INT));
}

static bool check_unary(struct sema *s, struct expr *e)
{
	const struct type *t;

	if (e->op == TOK_AND && e->a->kind == EXPR_AGG)
		return sema_error(
			s, e->loc, "D_ADDROF_VAR", "cannot take address of dynamic variable");
	if (!sema_expr(s, e->a))
		return false;
	if (e->op == TOK_ADD || e->op == TOK_SUB || e->op == TOK_NOT)
		promote_bits(s, &e->a);
	if (e->op == TOK_LNOT)
		sema_decay_rest(s, &e->a);
	t = e->a->type;
	if (sema_is_dynamic(e->a) && !(sema_is_ptr(t) && (e->op == TOK_LNOT || e->op == TOK_MUL)))
		return dynamic(s, e);
	switch (e->op) {
	case TOK_ADD:
	case TOK_SUB:
		if (!want(s, e, sema_is_int(t), "D_OP_ARITH", "arithmetic"))
			return false;
		e->type = sema_promote(s, t);
		break;
	case TOK_NOT:
		if (!want(s, e, sema_is_int(t), "D_OP_INT", "integral"))
			return false;
		e->type = sema_promote(s, t);
		break;
	case TOK_LNOT:
		if (!want(s, e, sema_is_truth(e->a), "D_OP_SCALAR", "scalar"))
			return false;
		e->type = basic(s, T_INT);
		return sema_fold(s, e);
	case TOK_MUL:
		return check_deref(s, e);
	case TOK_AND:
		return check_addr(s, e);
	case TOK_STRINGOF:
		if (!sema_is_scalar(t) && !sema_is_stringy(t))
			return sema_error(s, e->loc, "D_STRINGOF_TYPE",
				"cannot apply stringof to a value of type %s",
				sema_type_text(s, t));
		e->kind = EXPR_CAST;
		e->type = basic(s, T_STRING);
		return true;
	default:
		return false;
	}
	sema_retype(s, &e->a, e->type);
	return sema_fold(s, e);
}

/* ---- binary ---- */

/* An array used as a value is a pointer to its first element. */
static const struct type *decayed(struct sema *s, const struct type *t)
{
	const struct type *r = type_resolve(t);

	if (r->kind == TYPE_STRING)
		return types_ptr(s->types, basic(s, T_CHAR));
	if (r->kind == TYPE_FUNC)
		return types_ptr(s->types, r);
	return r->kind == TYPE_ARRAY ? types_ptr(s->types, r->ref) : t;
}

/*
 * Checks string + integer, in either order: what is left of the string from there on.  A constant
 * that is negative makes a pointer, as in C.
 */
static bool string_rest(struct sema *s, struct expr *e)
{
	bool first = sema_is_string(e->a->type);
	struct expr **n = first ? &e->b : &e->a;

	if (e->op != TOK_ADD || !sema_is_int((*n)->type) ||
		!sema_is_string(first ? e->a->type : e->b->type) ||
		((*n)->kind == EXPR_INT && (int64_t)(*n)->value < 0))
		return false;
	sema_retype(s, n, basic(s, T_LONG));
	e->type = first ? e->a->type : e->b->type;
	return true;
}

void sema_decay_rest(struct sema *s, struct expr **e)
{
	if ((*e)->kind == EXPR_BINARY && sema_is_string((*e)->type))
		sema_convert(s, e, types_ptr(s->types, basic(s, T_CHAR)));
}

static bool pointer_arith(struct sema *s, struct expr *e)
{
	const struct type *a = decayed(s, e->a->type), *b = decayed(s, e->b->type), *p;

	if (string_rest(s, e))
		return true;
	if (sema_is_ptr(a) && sema_is_ptr(b)) {
		if ((sema_is_scratch(e->a) && sema_is_elsewhere(e->b)) ||
			(sema_is_elsewhere(e->a) && sema_is_scratch(e->b)))
			return incompatible(s, e);
		if (e->op != TOK_SUB || !type_same(type_resolve(a)->ref, type_resolve(b)->ref))
			return incompatible(s, e);
		p = a;
		e->type = basic(s, T_PTRDIFF);
	} else if (sema_is_ptr(a) && sema_is_int(b)) {
		p = e->type = a;
		sema_retype(s, &e->b, basic(s, T_LONG));
	} else if (sema_is_int(a) && sema_is_ptr(b) && e->op == TOK_ADD) {
		p = e->type = b;
		sema_retype(s, &e->a, basic(s, T_LONG));
	} else {
		return incompatible(s, e);
	}
	if (sema_is_string(e->a->type))
		sema_convert(s, &e->a, a);
	if (sema_is_string(e->b->type))
		sema_convert(s, &e->b, b);
	p = type_resolve(type_resolve(p)->ref);
	if (p->kind == TYPE_VOID || p->kind == TYPE_FUNC || !p->size)
		return incompatible(s, e);
	return true;
}

static bool check_arith(struct sema *s, struct expr *e)
{
	bool plus = e->op == TOK_ADD || e->op == TOK_SUB;

	if (sema_is_int(e->a->type) && sema_is_int(e->b->type)) {
		e->type = sema_usual(s, e->a->type, e->b->type);
		sema_retype(s, &e->a, e->type);
		sema_retype(s, &e->b, e->type);
		return sema_fold(s, e);
	}
	if (!plus)
		return e->op == TOK_MUL || e->op == TOK_DIV
			? want(s, e, false, "D_OP_ARITH", "arithmetic")
			: want(s, e, false, "D_OP_INT", "integral");
	return pointer_arith(s, e);
}

static bool check_shift(struct sema *s, struct expr *e)
{
	if (!want(s, e, sema_is_int(e->a->type) && sema_is_int(e->b->type), "D_OP_INT", "integral"))
		return false;
	e->type = sema_promote(s, e->a->type);
	sema_retype(s, &e->a, e->type);
	sema_retype(s, &e->b, basic(s, T_LONG));
	return sema_fold(s, e);
}

/* Stacks are equal or not, and are compared with 0, but have no order. */
static bool check_stacks(struct sema *s, struct expr *e)
{
	bool equality = e->op == TOK_EQ || e->op == TOK_NE;

	if (sema_is_action(s, e->a) || sema_is_action(s, e->b))
		equality = false;
	return (equality &&
		       (sema_compatible(e->a->type, e->b) || sema_compatible(e->b->type, e->a))) ||
		incompatible(s, e);
}

static bool check_comparison(struct sema *s, struct expr *e)
{
	const struct type *a = e->a->type, *b = e->b->type, *t;

	e->type = basic(s, T_INT);
	if (sema_is_int(a) && sema_is_int(b)) {
		t = sema_usual(s, a, b);
		sema_retype(s, &e->a, t);
		sema_retype(s, &e->b, t);
		return sema_fold(s, e);
	}
	if (sema_is_stack(a) || sema_is_stack(b))
		return check_stacks(s, e);
	if (sema_is_string(a) || sema_is_string(b)) {
		if ((!sema_is_stringy(a) && !sema_is_zero(e->a)) ||
			(!sema_is_stringy(b) && !sema_is_zero(e->b)))
			return incompatible(s, e);
		sema_convert(s, &e->a, basic(s, T_STRING));
		sema_convert(s, &e->b, basic(s, T_STRING));
		return true;
	}
	a = decayed(s, a);
	b = decayed(s, b);
	if ((sema_is_ptr(a) && sema_is_zero(e->b)) || (sema_is_ptr(b) && sema_is_zero(e->a)) ||
		(sema_is_ptr(a) && sema_is_ptr(b) &&
			(sema_compatible(a, e->b) || sema_compatible(b, e->a)))) {
		sema_convert(s, &e->a, basic(s, T_UINTPTR));
		sema_convert(s, &e->b, basic(s, T_UINTPTR));
		return true;
	}
	return incompatible(s, e);
}

static bool check_logic(struct sema *s, struct expr *e)
{
	sema_decay_rest(s, &e->a);
	sema_decay_rest(s, &e->b);
	if (!want(s, e, sema_is_truth(e->a) && sema_is_truth(e->b), "D_OP_SCALAR", "scalar"))
		return false;
	e->type = basic(s, T_INT);
	return sema_fold(s, e);
}

struct tag {
	const char *name;
	int64_t value;
};

static bool find_tag(void *arg, const char *name, int64_t value)
{
	struct tag *t = arg;

	if (strcmp(name, t->name))
		return false;
	t->value = value;
	return true;
}

/*
 * The right-hand identifier of a comparison whose left side is an enum may be a tag of it
 * (d-language, enum).  False when that is an error.
 */
static bool enum_tag(struct sema *s, struct expr *e)
{
	const struct type *t = type_resolve(e->a->type);
	struct tag tag = {e->b->name, INT64_MIN};

	if (e->b->kind != EXPR_VAR || e->b->scope != SCOPE_GLOBAL || t->kind != TYPE_ENUM)
		return true;
	type_enumerators(t, find_tag, &tag);
	if (tag.value == INT64_MIN)
		return true;
	if (strmap_get(&s->names[SCOPE_GLOBAL], tag.name))
		return sema_error(s, e->loc, "D_IDENT_AMBIG",
			"ambiguous use of variable/enumerator: %s", tag.name);
	sema_make_int(e->b, (uint64_t)tag.value, e->a->type);
	return true;
}

static bool is_comparison(enum token_kind op)
{
	return op == TOK_EQ || op == TOK_NE || op == TOK_LT || op == TOK_LE || op == TOK_GT ||
		op == TOK_GE;
}

static bool is_logic(enum token_kind op)
{
	return op == TOK_LAND || op == TOK_LOR || op == TOK_LXOR;
}

/* True if E may be an operand of OP: a pointer to a translated object is there or NULL. */
static bool has_value(const struct expr *e, enum token_kind op)
{
	return !sema_is_dynamic(e) ||
		(sema_is_ptr(e->type) && (op == TOK_EQ || op == TOK_NE || is_logic(op)));
}

static bool check_binary(struct sema *s, struct expr *e)
{
	if (!sema_operand(s, e->a) || (is_comparison(e->op) && !enum_tag(s, e)) ||
		!sema_operand(s, e->b))
		return false;
	if (e->a->kind == EXPR_AGG || e->b->kind == EXPR_AGG)
		return is_logic(e->op) ? check_logic(s, e) : incompatible(s, e);
	if (!has_value(e->a, e->op) || !has_value(e->b, e->op))
		return dynamic(s, e);
	promote_bits(s, &e->a);
	promote_bits(s, &e->b);
	switch (e->op) {
	case TOK_SHL:
	case TOK_SHR:
		return check_shift(s, e);
	case TOK_EQ:
	case TOK_NE:
	case TOK_LT:
	case TOK_LE:
	case TOK_GT:
	case TOK_GE:
		return check_comparison(s, e);
	case TOK_LAND:
	case TOK_LOR:
	case TOK_LXOR:
		return check_logic(s, e);
	default:
		return check_arith(s, e);
	}
}

/* ---- ?: and comma ---- */

/* Of STR, one branch, and OTHER: a string that holds either. */
static const struct type *either_string(
	struct sema *s, const struct type *str, const struct expr *other)
{
	const struct type *t = sema_is_zero(other) ? str
		: sema_is_string(other->type)	   ? other->type
						   : basic(s, T_STRING);

	return type_resolve(t)->size > type_resolve(str)->size ? t : str;
}

static bool is_char_array(const struct expr *e)
{
	const struct type *t = type_resolve(e->type);

	return t->kind == TYPE_ARRAY && type_resolve(t->ref)->is_char;
}

/*
 * Returns the type of a choice between B and C if it is a string: one of them is a string, or an
 * array of char, which makes a string where it is assigned, too.  NULL: it is none.
 */
static const struct type *string_choice(struct sema *s, const struct expr *b, const struct expr *c)
{
	if (sema_is_string(b->type) && (sema_is_stringy(c->type) || sema_is_zero(c)))
		return either_string(s, b->type, c);
	if (sema_is_string(c->type) && (sema_is_stringy(b->type) || sema_is_zero(b)))
		return either_string(s, c->type, b);
	if ((is_char_array(b) && (is_char_array(c) || sema_is_zero(c))) ||
		(sema_is_zero(b) && is_char_array(c)))
		return basic(s, T_STRING);
	return NULL;
}

/* True if E may be one of two translated objects, of type T: such an object or NULL. */
static bool is_object(const struct expr *e, const struct type *t)
{
	if (sema_is_ptr(t) && sema_is_zero(e))
		return true;
	return type_same(e->type, t) && (!sema_is_ptr(t) || sema_is_translated(e));
}

bool sema_choice(struct sema *s, struct expr *e)
{
	const struct type *t;

	sema_decay_rest(s, &e->a);
	if (!sema_is_truth(e->a))
		return sema_error(
			s, e->loc, "D_OP_SCALAR", "operator ?: expression must be of scalar type");
	promote_bits(s, &e->b);
	promote_bits(s, &e->c);
	if (sema_is_action(s, e->b) || sema_is_action(s, e->c))
		return sema_error(
			s, e->loc, "D_OP_ACT", "operator ?: operands may not be tracing actions");
	t = sema_is_translated(e->b) ? e->b->type : e->c->type;
	if ((sema_is_dynamic(e->b) || sema_is_dynamic(e->c)) &&
		!(is_object(e->b, t) && is_object(e->c, t)))
		return sema_error(s, e->loc, "D_OP_DYN",
			"operator ?: operands cannot be of undetermined type");
	if (sema_is_int(e->b->type) && sema_is_int(e->c->type))
		t = sema_usual(s, e->b->type, e->c->type);
	else if (string_choice(s, e->b, e->c))
		t = string_choice(s, e->b, e->c);
	else if (sema_is_ptr(e->b->type) && sema_compatible(e->b->type, e->c))
		t = e->b->type;
	else if (sema_is_ptr(e->c->type) && sema_compatible(e->c->type, e->b))
		t = e->c->type;
	else if (sema_is_stack(e->b->type) && sema_compatible(e->b->type, e->c))
		t = e->b->type;
	else if (sema_is_stack(e->c->type) && sema_compatible(e->c->type, e->b))
		t = e->c->type;
	else if (type_same(e->b->type, e->c->type) && type_resolve(e->b->type)->kind != TYPE_ARRAY)
		t = e->b->type;
	else
		return sema_error(s, e->loc, "D_OP_INCOMPAT",
			"operator ?: operands must have compatible types: \"%s\" : \"%s\"",
			sema_type_text(s, e->b->type), sema_type_text(s, e->c->type));
	e->type = t;
	if (!sema_is_void(t)) {
		sema_retype(s, &e->b, t);
		sema_retype(s, &e->c, t);
	}
	return sema_fold(s, e);
}

static bool check_cond(struct sema *s, struct expr *e)
{
	return sema_expr(s, e->a) && sema_expr(s, e->b) && sema_expr(s, e->c) && sema_choice(s, e);
}

static bool check_comma(struct sema *s, struct expr *e)
{
	if (!sema_expr(s, e->a) || !sema_expr(s, e->b))
		return false;
	if (sema_is_action(s, e->a) || sema_is_action(s, e->b))
		return sema_error(
			s, e->loc, "D_OP_ACT", "operator , operands may not be tracing actions");
	if (sema_is_dynamic(e->a) || sema_is_dynamic(e->b))
		return dynamic(s, e);
	e->type = e->b->type;
	return true;
}

bool sema_operator(struct sema *s, struct expr *e)
{
	switch (e->kind) {
	case EXPR_UNARY:
		return check_unary(s, e);
	case EXPR_COND:
		return check_cond(s, e);
	case EXPR_COMMA:
		return check_comma(s, e);
	default:
		return check_binary(s, e);
	}
}
