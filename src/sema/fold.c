// SPDX-License-Identifier: Apache-2.0
/* Folds constants and copies expressions. */
#include "sema/sema_int.h"

#include "base/arena.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "types/type.h"

uint64_t sema_wrap(uint64_t v, const struct type *t)
{
	const struct type *r = type_resolve(t);
	unsigned bits;

	if (r->kind != TYPE_INT && r->kind != TYPE_ENUM)
		return v;
	if (r->is_bool)
		return v != 0;
	if (!r->size || r->size >= 8)
		return v;
	bits = 64 - 8 * (unsigned)r->size;
	return r->is_signed ? (uint64_t)((int64_t)(v << bits) >> bits) : v << bits >> bits;
}

void sema_make_int(struct expr *e, uint64_t v, const struct type *type)
{
	e->kind = EXPR_INT;
	e->value = v;
	e->type = type;
	e->a = e->b = e->c = NULL;
	e->info = NULL;
}

static bool is_const(const struct expr *e)
{
	return e->kind == EXPR_INT;
}

/* The count is taken modulo 64. */
static uint64_t shift(enum token_kind op, uint64_t a, uint64_t n, const struct type *t)
{
	n &= 63;
	if (op == TOK_SHL)
		return a << n;
	return sema_is_unsigned(t) ? a >> n : (uint64_t)((int64_t)a >> n);
}

static bool divide(struct sema *s, struct expr *e, uint64_t a, uint64_t b, bool u, uint64_t *out)
{
	if (!b)
		return sema_error(s, e->loc, "D_DIV_ZERO", "expression contains division by zero");
	if (!u && b == ~0ULL) /* INT64_MIN / -1 would trap */
		*out = e->op == TOK_DIV ? -a : 0;
	else if (e->op == TOK_DIV)
		*out = u ? a / b : (uint64_t)((int64_t)a / (int64_t)b);
	else
		*out = u ? a % b : (uint64_t)((int64_t)a % (int64_t)b);
	return true;
}

/* A op B, both of type T; comparisons too. */
static bool fold_binary(struct sema *s, struct expr *e, const struct type *t, uint64_t *out)
{
	uint64_t a = e->a->value, b = e->b->value;
	bool u = sema_is_unsigned(t);

	switch (e->op) {
	case TOK_ADD:
		*out = a + b;
		return true;
	case TOK_SUB:
		*out = a - b;
		return true;
	case TOK_MUL:
		*out = a * b;
		return true;
	case TOK_DIV:
	case TOK_MOD:
		return divide(s, e, a, b, u, out);
	case TOK_AND:
		*out = a & b;
		return true;
	case TOK_OR:
		*out = a | b;
		return true;
	case TOK_XOR:
		*out = a ^ b;
		return true;
	case TOK_SHL:
	case TOK_SHR:
		*out = shift(e->op, a, b, t);
		return true;
	case TOK_EQ:
		*out = a == b;
		return true;
	case TOK_NE:
		*out = a != b;
		return true;
	case TOK_LT:
		*out = u ? a < b : (int64_t)a < (int64_t)b;
		return true;
	case TOK_LE:
		*out = u ? a <= b : (int64_t)a <= (int64_t)b;
		return true;
	case TOK_GT:
		*out = u ? a > b : (int64_t)a > (int64_t)b;
		return true;
	case TOK_GE:
		*out = u ? a >= b : (int64_t)a >= (int64_t)b;
		return true;
	case TOK_LAND:
		*out = a && b;
		return true;
	case TOK_LOR:
		*out = a || b;
		return true;
	case TOK_LXOR:
		*out = !a != !b;
		return true;
	default:
		return true;
	}
}

static void fold_unary(struct expr *e)
{
	uint64_t v = e->a->value;

	switch (e->op) {
	case TOK_SUB:
		v = -v;
		break;
	case TOK_NOT:
		v = ~v;
		break;
	case TOK_LNOT:
		v = !v;
		break;
	case TOK_ADD:
		break;
	default:
		return;
	}
	sema_make_int(e, v, e->type);
}

static bool fold_logic(struct expr *e)
{
	bool stop = e->op == TOK_LOR;

	/* the right side is not evaluated when the left one decides */
	if ((e->op == TOK_LAND || e->op == TOK_LOR) && is_const(e->a) &&
		(e->a->value != 0) == stop) {
		sema_make_int(e, stop, e->type);
		return true;
	}
	return false;
}

bool sema_fold(struct sema *s, struct expr *e)
{
	const struct type *type = e->type;
	uint64_t v = 0;

	switch (e->kind) {
	case EXPR_UNARY:
		if (is_const(e->a))
			fold_unary(e);
		return true;
	case EXPR_BINARY:
		if (fold_logic(e))
			return true;
		if ((e->op == TOK_DIV || e->op == TOK_MOD) && sema_is_zero(e->b))
			return sema_error(
				s, e->loc, "D_DIV_ZERO", "expression contains division by zero");
		if (!is_const(e->a) || !is_const(e->b) || !sema_is_int(type))
			return true;
		if (!fold_binary(s, e, e->a->type, &v))
			return false;
		sema_make_int(e, v, type);
		return true;
	case EXPR_CAST:
		if (is_const(e->a) && sema_is_scalar(type) && e->a->type)
			sema_make_int(
				e, e->retyped ? e->a->value : sema_wrap(e->a->value, type), type);
		return true;
	case EXPR_COND:
		if (is_const(e->a)) {
			struct expr *pick = e->a->value ? e->b : e->c;

			*e = *pick;
		}
		return true;
	default:
		return true;
	}
}

struct expr *sema_clone(struct arena *a, const struct expr *e)
{
	struct expr *n;

	if (!e)
		return NULL;
	n = arena_new_obj(a, struct expr);
	*n = *e;
	n->a = sema_clone(a, e->a);
	n->b = sema_clone(a, e->b);
	n->c = sema_clone(a, e->c);
	n->args.data = NULL;
	n->args.len = n->args.cap = 0;
	for (uint32_t i = 0; i < e->args.len; i++)
		vec_push(a, &n->args, sema_clone(a, e->args.data[i]));
	return n;
}

stmt_vec sema_clone_stmts(struct arena *a, const stmt_vec *in)
{
	stmt_vec out = {0};

	for (uint32_t i = 0; i < in->len; i++) {
		const struct stmt *from = &in->data[i];
		struct stmt *st = vec_add(a, &out);

		*st = *from;
		st->expr = sema_clone(a, from->expr);
		st->init = sema_clone(a, from->init);
		st->step = sema_clone(a, from->step);
		st->over = sema_clone(a, from->over);
		st->body = sema_clone_stmts(a, &from->body);
		st->orelse = sema_clone_stmts(a, &from->orelse);
		st->keys.data = NULL;
		st->keys.len = st->keys.cap = 0;
		for (uint32_t k = 0; k < from->keys.len; k++)
			vec_push(a, &st->keys, from->keys.data[k]);
	}
	return out;
}
