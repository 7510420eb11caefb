// SPDX-License-Identifier: Apache-2.0
/*
 * Checks aggregations: names, keys, functions and their parameters; keys of associative arrays
 * too.
 */
#include "abi/flags.h"
#include "sema/hint.h"

#include <string.h>

#include "abi/aggregation.h"
#include "base/arena.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "sema/names.h"
#include "sema/sema_int.h"
#include "sema/typed.h"
#include "types/type.h"
#include "types/types.h"

static bool bad_key(struct sema *s, const struct expr *k, const char *name, uint32_t i)
{
	return sema_error(s, k->loc, "D_KEY_TYPE",
		"%s[ ] key #%u has a type that cannot be a key: %s", name, i + 1,
		sema_type_text(s, k->type));
}

static bool check_key(struct sema *s, struct expr *k, const char *name, uint32_t i, bool is_agg)
{
	const struct type *t;

	if (k->kind == EXPR_CALL ? !sema_call(s, k, false, is_agg) : !sema_operand(s, k))
		return false;
	t = type_resolve(k->type);
	if (sema_is_dynamic(k))
		return bad_key(s, k, name, i);
	switch (t->kind) {
	case TYPE_INT:
	case TYPE_ENUM:
	case TYPE_PTR:
	case TYPE_STRING:
		return true;
	case TYPE_STACK:
	case TYPE_SYMADDR:
	case TYPE_USYMADDR:
		return is_agg || bad_key(s, k, name, i);
	case TYPE_ARRAY:
		if (!sema_is_stringy(t))
			return bad_key(s, k, name, i);
		k->type = t;
		return true;
	case TYPE_STRUCT:
	case TYPE_UNION:
		return true;
	default:
		return bad_key(s, k, name, i);
	}
}

/* Returns the type that a key has from its first use on: for a short string<N>, any string. */
static const struct type *key_type(struct sema *s, const struct expr *k)
{
	const struct type *plain = basic(s, T_STRING);

	return sema_is_string(k->type) && type_resolve(k->type)->size < plain->size ? plain
										    : k->type;
}

bool sema_keys(struct sema *s, struct expr *e, const char *name, const struct type **keys,
	uint32_t *nkeys, bool *fixed, bool is_agg)
{
	if (e->args.len > SEMA_MAX_KEYS)
		return sema_error(s, e->loc, "", "Insufficient tuple registers to generate code") ||
			hint_text(s, "%s[ ] has %u keys, at most %d are possible", name,
				e->args.len, SEMA_MAX_KEYS);
	for (uint32_t i = 0; i < e->args.len; i++) {
		struct expr **k = &e->args.data[i];

		if (!check_key(s, *k, name, i, is_agg))
			return false;
		if (sema_is_stringy((*k)->type) && !sema_is_ptr((*k)->type))
			sema_convert(s, k, basic(s, T_STRING));
	}
	if (!*fixed) {
		*nkeys = e->args.len;
		*fixed = true;
		for (uint32_t i = 0; i < e->args.len; i++)
			keys[i] = key_type(s, e->args.data[i]);
		return true;
	}
	if (e->args.len != *nkeys)
		return sema_error(s, e->loc, "D_PROTO_LEN",
			"%s[ ] prototype mismatch: %u key%s passed, %u expected", name, e->args.len,
			e->args.len == 1 ? "" : "s", *nkeys);
	for (uint32_t i = 0; i < e->args.len; i++) {
		struct expr **k = &e->args.data[i];

		if (!sema_compatible(keys[i], *k))
			return sema_error(s, e->loc, "D_PROTO_ARG",
				"%s[ ] key #%u is incompatible with prototype:\n"
				"\tprototype: %s\n\t      key: %s",
				name, i + 1, sema_type_text(s, keys[i]),
				sema_type_text(s, (*k)->type));
		if (!(*k)->info || (*k)->info->ref != REF_FUNC ||
			(*k)->info->func->klass != CLASS_SYMBOL)
			sema_convert(s, k, keys[i]);
	}
	return true;
}

bool sema_agg_name(struct sema *s, struct expr *e, bool create, struct aggregation **out)
{
	struct aggregation *a = strmap_get(&s->aggs, e->name);

	if (!a && !create)
		return sema_error(s, e->loc, "D_IDENT_UNDEF",
			       "failed to resolve @%s: Unknown aggregation name", e->name) ||
			hint_aggregation(s, e->name);
	if (!a) {
		a = arena_new_obj(s->arena, struct aggregation);
		a->name = e->name;
		a->id = s->session.aggs.len + 1;
		strmap_put(s->arena, &s->aggs, a->name, a);
		vec_push(s->arena, &s->session.aggs, a);
	}
	sema_info(s, e)->ref = REF_AGG;
	sema_info(s, e)->agg = a;
	e->type = basic(s, T_DYN);
	*out = a;
	return true;
}

bool sema_operand(struct sema *s, struct expr *e)
{
	struct aggregation *a;

	return e->kind == EXPR_AGG ? sema_agg_name(s, e, false, &a) : sema_expr(s, e);
}

/* ---- parameters of the distributions ---- */

static bool constant(const struct expr *call, uint32_t i, int64_t *out)
{
	if (call->args.data[i]->kind != EXPR_INT)
		return false;
	*out = (int64_t)call->args.data[i]->value;
	return true;
}

static bool param_error(
	struct sema *s, const struct expr *call, uint32_t i, const char *tag, const char *text)
{
	return sema_error(s, call->loc, tag, "%s( ) argument #%u %s", call->a->name, i + 1, text);
}

static bool lquantize_params(struct sema *s, struct expr *c, struct agg_params *p)
{
	int64_t base, limit, step = 1, levels;

	if (!constant(c, 1, &base))
		return param_error(s, c, 1, "D_LQUANT_BASETYPE", "must be an integer constant");
	if (base != (int32_t)base)
		return param_error(s, c, 1, "D_LQUANT_BASEVAL", "must be a 32-bit quantity");
	if (!constant(c, 2, &limit))
		return param_error(s, c, 2, "D_LQUANT_LIMTYPE", "must be an integer constant");
	if (limit != (int32_t)limit)
		return param_error(s, c, 2, "D_LQUANT_LIMVAL", "must be a 32-bit quantity");
	if (limit <= base)
		return sema_error(s, c->loc, "D_LQUANT_MISMATCH",
			"lquantize( ) base (argument #2) must be less than limit (argument #3)");
	if (c->args.len > 3 && (!constant(c, 3, &step) || step <= 0))
		return param_error(s, c, 3, "D_LQUANT_STEPTYPE",
			"must be a non-zero positive integer constant");
	if (step > UINT16_MAX)
		return param_error(s, c, 3, "D_LQUANT_STEPVAL", "must be a 16-bit quantity");
	levels = (limit - base) / step;
	if (!levels)
		return sema_error(s, c->loc, "D_LQUANT_STEPLARGE",
			"lquantize( ) step (argument #4) too large: must have at least one quantization level");
	if (levels > UINT16_MAX)
		return sema_error(s, c->loc, "D_LQUANT_STEPSMALL",
			"lquantize( ) step (argument #4) too small: number of quantization levels must be a 16-bit quantity");
	p->base = (int32_t)base;
	p->limit = (int32_t)(base + levels * step);
	p->step = (uint16_t)step;
	return true;
}

static bool u16(
	struct sema *s, struct expr *c, uint32_t i, const char *what, uint16_t least, uint16_t *out)
{
	int64_t v;

	if (!constant(c, i, &v))
		return param_error(s, c, i, arena_printf(s->arena, "D_LLQUANT_%sTYPE", what),
			"must be an integer constant");
	if (v < least || v > UINT16_MAX)
		return param_error(s, c, i, arena_printf(s->arena, "D_LLQUANT_%sVAL", what),
			"must be an unsigned 16-bit quantity");
	*out = (uint16_t)v;
	return true;
}

static bool divides(uint64_t d, uint64_t factor, uint32_t power)
{
	uint64_t v = 1;

	while (power--)
		v *= factor;
	return v % d == 0;
}

static bool llquantize_params(struct sema *s, struct expr *c, struct agg_params *p)
{
	uint64_t v = 1;
	int64_t steps;

	if (!u16(s, c, 1, "FACTOR", 2, &p->factor) || !u16(s, c, 2, "LMAG", 0, &p->lmag) ||
		!u16(s, c, 3, "HMAG", 0, &p->hmag))
		return false;
	if (p->hmag < p->lmag)
		return param_error(
			s, c, 3, "D_LLQUANT_HMAGVAL", "must not be below the low magnitude");
	for (uint32_t i = 0; i <= p->hmag; i++)
		if (__builtin_mul_overflow(v, p->factor, &v))
			return param_error(s, c, 3, "D_LLQUANT_HMAGVAL",
				"is too large: the factor's power does not fit into 64 bits");
	if (!constant(c, 4, &steps) || steps <= 0)
		return param_error(s, c, 4, "D_LLQUANT_STEPTYPE",
			"must be a non-zero positive integer constant");
	if (steps > UINT16_MAX || (steps < p->factor && p->factor % steps) ||
		(steps > p->factor &&
			(steps % p->factor ||
				!divides((uint64_t)steps, p->factor, p->lmag ? p->lmag + 1u : 2))))
		return param_error(s, c, 4, "D_LLQUANT_STEPVAL",
			"must be a 16-bit quantity that divides the factor, or a multiple of it that divides its powers");
	p->steps = (uint16_t)steps;
	return true;
}

static bool quantize_params(struct sema *s, struct expr *c, struct agg_params *p)
{
	return true;
}

/* Fill P from the call's constant arguments; false after an error. */
static bool (*const params[AGG_FUNCS])(struct sema *s, struct expr *c, struct agg_params *p) = {
#define AGGREGATION(name, params, traits, help, kind, ...) \
	AGG_IF_DISTRIBUTION(kind, [AGG_##name] = name##_params, )
#include "abi/aggregations.def"
};

bool sema_agg_params(struct sema *s, struct expr *call, struct agg_params *out)
{
	const struct function *f = function_find(call->a->name);
	enum agg_func agg = function_agg(f);
	uint32_t errors = s->diags->list.len;
	struct expr *zero;
	bool ok;

	if (!params[agg])
		return true;
	/* the value and the weight are not looked at */
	for (uint32_t i = 0; i < call->args.len; i++) {
		if (i && i != agg_info(agg)->increment)
			continue;
		zero = arena_new_obj(s->arena, struct expr);
		zero->loc = call->args.data[i]->loc;
		sema_make_int(zero, 0, basic(s, T_INT));
		call->args.data[i] = zero;
	}
	ok = sema_arguments(s, call, f) && params[agg](s, call, out);
	s->diags->list.len = errors;
	return ok;
}

static bool same_params(struct sema *s, const struct expr *c, const struct aggregation *a,
	const struct agg_params *p)
{
	const struct {
		bool same;
		const char *tag;
	} checks[] = {
		{a->params.base == p->base, "D_LQUANT_MATCHBASE"},
		{a->params.limit == p->limit, "D_LQUANT_MATCHLIM"},
		{a->params.step == p->step, "D_LQUANT_MATCHSTEP"},
		{a->params.factor == p->factor, "D_LLQUANT_MATCHFACTOR"},
		{a->params.lmag == p->lmag, "D_LLQUANT_MATCHLMAG"},
		{a->params.hmag == p->hmag, "D_LLQUANT_MATCHHMAG"},
		{a->params.steps == p->steps, "D_LLQUANT_MATCHSTEPS"},
	};

	for (unsigned i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		if (!checks[i].same)
			return sema_error(s, c->loc, checks[i].tag,
				"%s( ) parameters differ from those of an earlier use of @%s",
				c->a->name, a->name);
	return true;
}

/* Convert the value, and the increment if there is one, to 64 bits. */
static bool agg_values(struct sema *s, struct expr *c, const struct function *f)
{
	uint32_t inc = agg_info(function_agg(f))->increment;

	if (c->args.len &&
		(!sema_is_scalar(c->args.data[0]->type) || sema_is_dynamic(c->args.data[0])))
		return sema_error(s, c->loc, "D_AGG_SCALAR",
			"%s( ) argument #1 must be of scalar type", f->name);
	if (inc && c->args.len > inc && !sema_is_scalar(c->args.data[inc]->type))
		return sema_error(s, c->loc, "D_PROTO_ARG",
			"%s( ) argument #%u must be of scalar type", f->name, inc + 1);
	for (uint32_t i = 0; i < c->args.len; i++)
		if (!i || i == inc)
			sema_convert(s, &c->args.data[i], basic(s, T_INT64));
	return true;
}

static bool check_function(struct sema *s, struct expr *c, struct aggregation *a)
{
	const struct function *f = function_find(c->a->name);
	struct agg_params p = {0};

	if (!sema_arguments(s, c, f) || !agg_values(s, c, f))
		return false;
	if (params[function_agg(f)] && !params[function_agg(f)](s, c, &p))
		return false;
	if (a->supposed)
		a->func = NULL;
	a->supposed = false;
	if (a->func && a->func != f)
		return sema_error(s, c->loc, "D_AGG_REDEF",
			"aggregation redefined: @%s uses %s( ), was %s( )", a->name, f->name,
			a->func->name);
	if (a->func && !same_params(s, c, a, &p))
		return false;
	a->func = f;
	a->params = p;
	sema_info(s, c)->ref = REF_FUNC;
	sema_info(s, c)->func = f;
	c->type = basic(s, T_VOID);
	return true;
}

static bool same_builtin(const struct expr *a, const struct expr *b)
{
	return a->kind == EXPR_VAR && b->kind == EXPR_VAR && a->info && b->info &&
		a->info->ref == REF_BUILTIN && b->info->ref == REF_BUILTIN &&
		a->info->builtin == b->info->builtin;
}

static bool is_symbol_call(const struct expr *e)
{
	return e->kind == EXPR_CALL && e->info && e->info->ref == REF_FUNC &&
		e->info->func->klass == CLASS_SYMBOL;
}

/*
 * The expression that stands for both uses A and B of a key: the longer literal, the deeper
 * stack, the same built-in; NULL when only the type is shared.
 */
static bool common_key(
	struct sema *s, const struct expr *a, const struct expr *b, const struct expr **out)
{
	*out = NULL;
	if (sema_is_stack(a->type) && (!is_symbol_call(a) || !is_symbol_call(b))) {
		*out = is_symbol_call(a) ? b : a; /* a variable: its stack may be any */
	} else if (is_symbol_call(a) || is_symbol_call(b)) {
		if (!is_symbol_call(a) || !is_symbol_call(b) || a->info->func != b->info->func)
			return sema_error(s, b->loc, "D_PROTO_ARG",
				"%s( ) is not the kind of key that an earlier use had",
				b->kind == EXPR_CALL ? b->info->func->name : "expression");
		*out = b->info->frames > a->info->frames ? b : a;
	} else if (a->kind == EXPR_STRING && b->kind == EXPR_STRING) {
		*out = b->str_len > a->str_len ? b : a;
	} else if (same_builtin(a, b) ||
		(sema_flags(a) != FLAGS_MAX && sema_flags(a) == sema_flags(b))) {
		*out = a;
	}
	return true;
}

/* Checks a statement @name[keys] = function(arguments). */
bool sema_agg_assign(struct sema *s, struct expr *e)
{
	const struct function *f = NULL;
	struct aggregation *a;
	bool first;

	if (e->b->kind == EXPR_CALL && e->b->a->kind == EXPR_VAR)
		f = function_find(e->b->a->name);
	if (f && f->klass == CLASS_AGG && !sema_in_version(s, f->name))
		return sema_error(
			s, e->b->loc, "D_FUNC_UNDEF", "undefined function name: %s", f->name);
	/* report an undefined function by its name first */
	if (!f && e->b->kind == EXPR_CALL && !sema_call(s, e->b, false, false))
		return false;
	if (e->op != TOK_ASSIGN || !f || f->klass != CLASS_AGG) {
		return sema_error(s, e->loc, "D_AGG_FUNC",
			       "@%s must be assigned the result of an aggregating function",
			       e->a->name) ||
			hint_text(s, "name a variable without @, or use sum( ), max( ) ...");
	}
	if (!sema_agg_name(s, e->a, true, &a))
		return false;
	first = !a->keyed;
	if (!sema_keys(s, e->a, arena_printf(s->arena, "@%s", a->name), a->keys, &a->nkeys,
		    &a->keyed, true))
		return false;
	for (uint32_t i = 0; i < a->nkeys; i++) {
		const struct expr *k = e->a->args.data[i];

		if (first)
			a->key_exprs[i] = k;
		else if (a->key_exprs[i] && !common_key(s, a->key_exprs[i], k, &a->key_exprs[i]))
			return false;
	}
	e->type = basic(s, T_VOID);
	return check_function(s, e->b, a);
}
