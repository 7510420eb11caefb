// SPDX-License-Identifier: Apache-2.0
/* Checks the arguments of printf() and printa() against the format's conversions. */
#include "sema/sema_int.h"

#include <string.h>

#include "abi/aggregation.h"
#include "base/arena.h"
#include "lang/ast.h"
#include "lang/format.h"
#include "sema/names.h"
#include "sema/typed.h"
#include "types/type.h"
#include "types/types.h"

static const struct format *parse_format(struct sema *s, struct expr *e)
{
	struct expr *arg = e->args.len ? e->args.data[0] : NULL;
	const char *name = e->a->name, *error;
	const struct format *f;

	if (!arg) {
		sema_error(s, e->loc, "D_PROTO_LEN",
			"%s( ) prototype mismatch: 0 args passed, at least 1 expected", name);
		return NULL;
	}
	if (arg->kind != EXPR_STRING) {
		if (sema_operand(s, arg))
			sema_error(s, e->loc,
				sema_is_stringy(arg->type) ? "D_PRINTF_ARG_FMT" : "D_PROTO_ARG",
				"%s( ) argument #1 is incompatible with prototype:\n"
				"\tprototype: string constant\n\t argument: %s",
				name, sema_type_text(s, arg->type));
		return NULL;
	}
	/* a command or a file's name cannot be empty, what is printed can */
	if (!arg->str_len && strcmp(name, "printf") && strcmp(name, "printa")) {
		sema_error(s, e->loc, "D_PRINTF_FMT_EMPTY", "%s( ) format string is empty", name);
		return NULL;
	}
	f = format_parse(s->arena, arg->str, arg->str_len, &error);
	if (!f)
		sema_error(s, arg->loc, "D_SYNTAX", "%s( ) %s", name, error);
	else
		sema_info(s, e)->format = f;
	return f;
}

/* True if an explicit size prefix fits an integer argument of SIZE bytes. */
static bool size_fits(const char *prefix, uint64_t size)
{
	if (!*prefix)
		return true;
	if (!strcmp(prefix, "h"))
		return size == 2;
	return size == 8; /* l, ll: long and long long are the same size */
}

static bool type_fits(const struct conv *c, const struct type *t)
{
	const struct type *r = type_resolve(t);

	switch (c->info->klass) {
	case CONV_INT_SIGNED:
	case CONV_INT_UNSIGNED:
		return sema_is_int(r) && size_fits(c->size, r->size);
	case CONV_CHAR:
		return sema_is_int(r) && r->size <= 4;
	case CONV_STRING:
		if (!strcmp(c->size, "l") || !strcmp(c->size, "w"))
			return r->kind == TYPE_ARRAY && sema_is_int(r->ref) &&
				type_resolve(r->ref)->size == 4;
		return r->kind == TYPE_STRING || (r->kind == TYPE_ARRAY && sema_is_stringy(r)) ||
			r->kind == TYPE_SYMADDR || r->kind == TYPE_USYMADDR;
	case CONV_POINTER:
		return sema_is_scalar(r);
	case CONV_KSYM:
		return sema_is_scalar(r) || r->kind == TYPE_SYMADDR;
	case CONV_USYM:
		return sema_is_scalar(r) || r->kind == TYPE_USYMADDR;
	case CONV_STACK:
		return r->kind == TYPE_STACK;
	case CONV_TIME:
		return sema_is_int(r) && r->size == 8;
	case CONV_FLOAT:
		return r->kind == TYPE_FLOAT && (strcmp(c->size, "L") || r->size > 8);
	default:
		return true;
	}
}

static bool bad_type(struct sema *s, const struct expr *e, uint32_t arg, uint32_t n,
	const struct conv *c, const char *proto, const struct type *t, const char *tag)
{
	return sema_error(s, e->loc, tag,
		"%s( ) argument #%u is incompatible with conversion #%u prototype:\n"
		"\tconversion: %s\n\t prototype: %s\n\t  argument: %s",
		e->a->name, arg + 1, n, c->spelled, proto, sema_type_text(s, t));
}

/* The type of the I-th value for the conversions; NULL when there is none. */
struct values {
	const struct type *(*at)(void *arg, uint32_t i);
	void *arg;
	uint32_t next, first; /* first: argument number of value 0, for messages */
};

/* * of width or precision: an integer that comes before the value. */
static bool check_dynamic(struct sema *s, struct expr *e, const struct conv *c, uint32_t n,
	struct values *v, bool prec)
{
	const struct type *t = v->at(v->arg, v->next);

	if (!t)
		return sema_error(s, e->loc, "D_PRINTF_DYN_PROTO",
			"%s( ) prototype mismatch: conversion #%u (%s) is missing a corresponding \"%s*\" argument",
			e->a->name, n, c->spelled, prec ? "." : "");
	if (!sema_is_int(t))
		return bad_type(s, e, v->first + v->next, n, c, "int", t, "D_PRINTF_DYN_TYPE");
	v->next++;
	return true;
}

static bool check_conversion(
	struct sema *s, struct expr *e, const struct conv *c, uint32_t n, struct values *v)
{
	const struct type *t;

	if ((c->flags & FLAG_DYNWIDTH) && !check_dynamic(s, e, c, n, v, false))
		return false;
	if ((c->flags & FLAG_DYNPREC) && !check_dynamic(s, e, c, n, v, true))
		return false;
	t = v->at(v->arg, v->next);
	if (!t)
		return sema_error(s, e->loc, "D_PRINTF_ARG_PROTO",
			"%s( ) prototype mismatch: conversion #%u (%s) is missing a corresponding value argument",
			e->a->name, n, c->spelled);
	if (!type_fits(c, t))
		return bad_type(
			s, e, v->first + v->next, n, c, c->info->proto, t, "D_PRINTF_ARG_TYPE");
	v->next++;
	return true;
}

static const struct type *printf_value(void *arg, uint32_t i)
{
	const struct expr *e = arg;

	return i + 1 < e->args.len ? e->args.data[i + 1]->type : NULL;
}

/* True if E may have a text that neither the program nor its user has written. */
static bool is_traced_text(const struct expr *e)
{
	if (e->kind == EXPR_COND)
		return is_traced_text(e->b) || is_traced_text(e->c);
	if (e->kind == EXPR_CALL && e->info && e->info->ref == REF_FUNC)
		return e->info->func->id != FUNC_lltostr && e->info->func->id != FUNC_inet_ntoa &&
			e->info->func->id != FUNC_inet_ntop && e->info->func->id != FUNC_strflags;
	return e->kind != EXPR_STRING && sema_is_stringy(e->type);
}

/* Warns where first the shell would run what a process has put into argument I of system(). */
static void warn_unquoted(struct sema *s, const struct expr *e, const struct conv *c, uint32_t i)
{
	const char *name = e->a->name;

	if (s->session.warned_unquoted || strcmp(name, "system") || i >= e->args.len ||
		c->info->klass != CONV_STRING || c->info->letter == 'q' ||
		!is_traced_text(e->args.data[i]))
		return;
	s->session.warned_unquoted = true;
	diag_warn(s->diags, e->loc,
		arena_printf(s->arena,
			"system( ) argument #%u is text that was traced, and the shell runs commands in it: quote it with %%q instead of %%%c",
			i + 1, c->info->letter));
}

bool sema_printf(struct sema *s, struct expr *e)
{
	const struct format *f = parse_format(s, e);
	struct values v = {printf_value, e, 0, 1};
	uint32_t n = 0;

	if (!f)
		return false;
	for (uint32_t i = 1; i < e->args.len; i++) {
		struct expr *a = e->args.data[i];

		if (a->kind == EXPR_CALL ? !sema_call(s, a, false, true) : !sema_operand(s, a))
			return false;
	}
	for (uint32_t i = 0; i < f->nconvs; i++) {
		const struct conv *c = &f->convs[i];

		if (!c->info || c->info->klass == CONV_LITERAL)
			continue;
		n++;
		if (c->flags & FLAG_AGG)
			return sema_error(s, e->loc, "D_PRINTF_AGG_CONV",
				"%%@ conversion requires an aggregation and is not for use with %s( )",
				e->a->name);
		if (!check_conversion(s, e, c, n, &v))
			return false;
		warn_unquoted(s, e, c, v.next);
	}
	if (v.next + 1 < e->args.len)
		return sema_error(s, e->loc, "D_PRINTF_ARG_EXTRA",
			"%s( ) prototype mismatch: only %u arguments required by this format string",
			e->a->name, v.next);
	return true;
}

/* ---- printa ---- */

static const struct type *printa_value(void *arg, uint32_t i)
{
	const struct aggregation *a = arg;

	return i < a->nkeys ? a->keys[i] : NULL;
}

/* Gives A, which has no data, the keys of B. */
static void adopt_keys(struct aggregation *a, const struct aggregation *b)
{
	a->nkeys = b->nkeys;
	for (uint32_t i = 0; i < b->nkeys; i++) {
		a->keys[i] = b->keys[i];
		a->key_exprs[i] = b->key_exprs[i];
	}
}

/* Joined aggregations must have the same keys. */
static bool check_joined(
	struct sema *s, const struct expr *e, struct aggregation *a, struct aggregation *b)
{
	if (a->supposed)
		adopt_keys(a, b);
	else if (b->supposed)
		adopt_keys(b, a);
	if (a->nkeys != b->nkeys)
		return sema_error(s, e->loc, "D_PRINTA_AGGKEY",
			"printa( ): @%s and @%s do not have matching key signatures: @%s has %u key%s, @%s has %u key%s",
			a->name, b->name, a->name, a->nkeys, a->nkeys == 1 ? "" : "s", b->name,
			b->nkeys, b->nkeys == 1 ? "" : "s");
	for (uint32_t i = 0; i < a->nkeys; i++)
		if (!type_same(a->keys[i], b->keys[i]))
			return sema_error(s, e->loc, "D_PRINTA_AGGPROTO",
				"printa( ): @%s[ ] key #%u is incompatible with @%s:\n"
				"%9s key #%u: %s\n%9s key #%u: %s",
				b->name, i + 1, a->name, a->name, i + 1,
				sema_type_text(s, a->keys[i]), b->name, i + 1,
				sema_type_text(s, b->keys[i]));
	return true;
}

/*
 * True if C can show the result of A: only min() and max() may give a time, and only numbers that
 * add up have shares.
 */
static bool value_fits(const struct conv *c, const struct aggregation *a)
{
	const struct agg_info *info = agg_info(function_agg(a->func));

	switch (c->info->klass) {
	case CONV_INT_SIGNED:
	case CONV_INT_UNSIGNED:
		return true;
	case CONV_TIME:
		return info->kind == AGG_KEEPS;
	case CONV_SHARE:
		return info->kind == AGG_ADDS &&
			(info->result == AGG_SIGNED || info->result == AGG_UNSIGNED);
	default:
		return false;
	}
}

/* Returns argument *ARG of printa(), an aggregation, and moves on; the last one repeats. */
static const struct aggregation *next_value(const struct expr *e, uint32_t *arg)
{
	const struct aggregation *a = e->args.data[*arg]->info->agg;

	if (*arg + 1 < e->args.len)
		++*arg;
	return a;
}

/* The format is the first argument. */
static bool check_printa_format(
	struct sema *s, struct expr *e, const struct format *f, struct aggregation *agg)
{
	struct values v = {printa_value, agg, 0, 0};
	uint32_t n = 0, arg = 1;

	for (uint32_t i = 0; i < f->nconvs; i++) {
		const struct conv *c = &f->convs[i];

		if (!c->info || c->info->klass == CONV_LITERAL)
			continue;
		n++;
		if (agg->supposed) /* its keys and results are not known, and it has none */
			continue;
		if (!(c->flags & FLAG_AGG)) {
			if (!check_conversion(s, e, c, n, &v))
				return false;
			continue;
		}
		if (!value_fits(c, next_value(e, &arg)))
			return bad_type(s, e, 1, n, c,
				c->info->klass == CONV_SHARE ? c->info->proto : "aggregation",
				basic(s, T_INT64), "D_PRINTF_ARG_TYPE");
		if ((c->flags & FLAG_DYNWIDTH) && !check_dynamic(s, e, c, n, &v, false))
			return false;
		if ((c->flags & FLAG_DYNPREC) && !check_dynamic(s, e, c, n, &v, true))
			return false;
	}
	return true;
}

bool sema_printa(struct sema *s, struct expr *e)
{
	const struct format *f = NULL;
	struct aggregation *first = NULL, *a;
	uint32_t i = 0;

	if (!e->args.len)
		return sema_error(s, e->loc, "D_PROTO_LEN",
			"printa( ) prototype mismatch: 0 args passed, at least 1 expected");
	if (e->args.data[0]->kind == EXPR_STRING) {
		f = parse_format(s, e);
		if (!f)
			return false;
		i = 1;
	}
	if (i >= e->args.len)
		return sema_error(s, e->loc, "D_PRINTA_PROTO",
			"printa( ) prototype mismatch: an aggregation is missing");
	for (; i < e->args.len; i++) {
		struct expr *arg = e->args.data[i];

		if (arg->kind != EXPR_AGG)
			return sema_error(s, e->loc, "D_PRINTA_AGGARG",
				"printa( ) argument #%u is incompatible with prototype:\n"
				"\tprototype: aggregation\n\t argument: %s",
				i + 1,
				sema_expr(s, arg) ? sema_type_text(s, arg->type) : "expression");
		if (!sema_agg_name(s, arg, false, &a))
			return false;
		if (!a->func)
			return sema_error(s, e->loc, "D_PRINTA_AGGBAD",
				"undefined aggregation: @%s", a->name);
		if (first && !check_joined(s, e, first, a))
			return false;
		first = first ? first : a;
	}
	return !f || check_printa_format(s, e, f, first);
}
