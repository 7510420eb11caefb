// SPDX-License-Identifier: Apache-2.0
/* Generates inlines, functions and translators, and their uses. */
#include <string.h>

#include "gen.h"

/* Distinct, so that a value of one finds its translator. */
static const unsigned inputs[] = {T_CHAR, T_SHORT, T_INT, T_UINT, T_LONG, T_ULONG};

/* The type of some pointer variable; T when there is none. */
static const struct ty *any_pointer(struct gen *g, const struct ty *t)
{
	for (unsigned i = 0; i < g->p->nvars; i++)
		if (g->p->var[i].type->kind == K_PTR && chance(g, 50))
			return g->p->var[i].type;
	return t;
}

static void make_params(struct gen *g, struct def *d, unsigned most)
{
	d->nparams = below(g, most + 1);
	for (unsigned i = 0; i < d->nparams; i++) {
		struct local *l = &d->param[i];

		snprintf(l->name, sizeof(l->name), "p%c", "abc"[i]);
		l->type = chance(g, 30) ? &types[T_STRING] : int_type(g);
		if (d->kind == D_FUNC && on(g, "recparam") && g->p->nrecs && chance(g, 12))
			l->type = &g->p->rec[below(g, g->p->nrecs)];
		else if (d->kind == D_FUNC && on(g, "ptrparam") && chance(g, 12))
			l->type = any_pointer(g, l->type);
		g->local[g->nlocals++] = l;
	}
}

static void make_inline(struct gen *g, struct def *d)
{
	d->kind = D_INLINE;
	d->pure = true;
	snprintf(d->name, sizeof(d->name), "n%u", (unsigned)(d - g->p->def));
	d->result = chance(g, 30) ? &types[T_STRING] : int_type(g);
	make_params(g, d, 2);
	g->in_expr = true;
	d->value = value(g, d->result, 1 + below(g, 3));
	retype(d->value);
	g->in_expr = false;
}

static void make_function(struct gen *g, struct def *d)
{
	struct stmt *s;

	d->kind = D_FUNC;
	d->pure = chance(g, 50);
	d->result = &types[chance(g, 15) ? T_VOID : chance(g, 35) ? T_STRING : below(g, T_NINTS)];
	snprintf(d->name, sizeof(d->name), "f%u", (unsigned)(d - g->p->def));
	if (d->result->kind == K_VOID)
		d->pure = false;
	make_params(g, d, MAX_PARAMS);
	g->in_def = true;
	g->pure = d->pure;
	g->returns = d->result;
	g->in_void = d->result->kind == K_VOID;
	g->left = 1 + below(g, 4);
	make_block(g, &d->body, g->left, 1);
	if (d->result->kind != K_VOID) {
		s = add(g, &d->body, S_RETURN);
		s->arg[s->n++] = value(g, d->result, 1 + below(g, 3));
	}
	g->in_def = g->pure = g->in_void = false;
	g->returns = NULL;
}

static bool translated(const struct program *p, const struct ty *t)
{
	for (unsigned i = 0; i < p->ndefs; i++)
		if (p->def[i].kind == D_XLATE && p->def[i].result == t)
			return true;
	return false;
}

static bool make_translator(struct gen *g, struct def *d)
{
	struct ty *out;
	struct local *l = &d->param[0];

	if (!g->p->nrecs)
		return false;
	out = &g->p->rec[below(g, g->p->nrecs)];
	if (translated(g->p, out))
		return false;
	d->kind = D_XLATE;
	d->pure = true;
	d->result = out;
	d->nparams = 1;
	snprintf(l->name, sizeof(l->name), "in");
	l->type = &types[PICK(g, inputs)];
	if (on(g, "xlateptr") && chance(g, 40))
		l->type = any_pointer(g, l->type);
	g->local[g->nlocals++] = l;
	g->in_expr = true;
	for (unsigned i = 0; i < out->nfields && d->nmembers < MAX_MEMBERS; i++) {
		if (!is_int(out->field[i].type) || chance(g, 20) || (out->is_union && d->nmembers))
			continue;
		d->member[d->nmembers] = &out->field[i];
		d->mvalue[d->nmembers] = integer(g, 1 + below(g, 2));
		retype(d->mvalue[d->nmembers++]);
	}
	g->in_expr = false;
	return d->nmembers != 0;
}

void make_defs(struct gen *g)
{
	unsigned n = below(g, 6);

	while (n-- && g->p->ndefs < MAX_DEFS) {
		struct def *d = &g->p->def[g->p->ndefs];
		bool made = true;

		memset(d, 0, sizeof(*d));
		g->on = ON_BEGIN;
		g->nlocals = 0;
		switch (below(g, 3)) {
		case 0:
			if ((made = on(g, "inline")))
				make_inline(g, d);
			break;
		case 1:
			if ((made = on(g, "func")))
				make_function(g, d);
			break;
		default:
			made = on(g, "xlate") && make_translator(g, d);
			break;
		}
		g->nlocals = 0;
		g->live = 0;
		g->p->ndefs += made;
	}
}

/* ---- uses ---- */

static struct node *apply(struct gen *g, struct def *d, unsigned depth)
{
	struct node *n = node(d->kind == D_FUNC ? N_FUNC : N_INLINE, NULL, NULL, NULL);
	bool pure = g->pure;

	n->def = d;
	n->type = d->result;
	/* a parameter of an inline is evaluated as often as it is used */
	g->pure |= d->kind == D_INLINE;
	for (unsigned i = 0; i < d->nparams; i++) {
		struct node *a = value(g, d->param[i].type, depth);

		if (!a)
			break;
		n->kid[n->nkids++] = a;
	}
	g->pure = pure;
	return n->nkids == d->nparams ? n : NULL;
}

struct node *use_def(struct gen *g, enum def_kind kind, const struct ty *like, unsigned depth)
{
	for (unsigned tries = 0; g->p->ndefs && tries < 6; tries++) {
		struct def *d = &g->p->def[below(g, g->p->ndefs)];

		if (d->kind != kind || d->result->kind != like->kind || (g->pure && !d->pure))
			continue;
		if (g->in_expr && kind == D_FUNC)
			continue;
		return apply(g, d, depth > 1 ? depth - 1 : 0);
	}
	return NULL;
}

struct node *procedure(struct gen *g)
{
	struct node *n = NULL;

	if (g->in_def || g->on == ON_ERROR || g->in_foreach || g->in_spec)
		return NULL;
	for (unsigned i = 0; i < g->p->ndefs && !n; i++)
		if (g->p->def[i].kind == D_FUNC && g->p->def[i].result->kind == K_VOID &&
			chance(g, 60))
			n = apply(g, &g->p->def[i], 2);
	return n;
}

static struct node *translate(struct gen *g, struct def *d, unsigned depth)
{
	const struct ty *t = d->param[0].type;
	bool pure = g->pure;
	struct node *n;

	g->pure = true;
	n = t->kind == K_PTR ? pointer_like(g, t) : cast_to(integer(g, depth), t);
	g->pure = pure;
	if (!n)
		return NULL;
	n = node(N_XLATE, NULL, n, NULL);
	n->def = d;
	n->type = d->result;
	return n;
}

struct node *translation(struct gen *g, const struct ty *t, unsigned depth)
{
	for (unsigned i = 0; i < g->p->ndefs; i++)
		if (g->p->def[i].kind == D_XLATE && g->p->def[i].result == t)
			return translate(g, &g->p->def[i], depth);
	return NULL;
}

struct node *member_of_translation(struct gen *g, enum kind kind, unsigned depth)
{
	for (unsigned tries = 0; g->p->ndefs && tries < 6; tries++) {
		struct def *d = &g->p->def[below(g, g->p->ndefs)];
		struct node *n;

		if (d->kind != D_XLATE || !d->nmembers)
			continue;
		n = translate(g, d, depth);
		if (!n)
			continue;
		n->field = d->member[below(g, d->nmembers)];
		n->type = n->field->type;
		if (n->type->kind == kind)
			return n;
	}
	return NULL;
}

/* ---- pointers to objects ---- */

void make_objects(struct gen *g)
{
	struct program *p = g->p;

	for (unsigned i = 0; i < p->ndefs && on(g, "object"); i++) {
		struct def *d = &p->def[i];
		unsigned n = 1 + below(g, 3);

		if (d->kind != D_XLATE || !is_int(d->param[0].type))
			continue;
		for (const struct ty *t = object_of(d->result); n && p->nvars < MAX_VARS - 8; n--) {
			struct var *v = &p->var[p->nvars];

			v->id = p->nvars++;
			v->def = d;
			v->type = t;
			v->scope = (enum scope)below(g, 3);
			if (v->scope != THIS && chance(g, 30))
				v->keys[v->nkeys++] = int_type(g);
			snprintf(v->name, sizeof(v->name), "%c%u", "gst"[v->scope], v -> id);
		}
	}
}

/* A variable that holds objects of D, or of any translator if D is NULL. */
static struct node *object(struct gen *g, const struct def *d)
{
	for (unsigned tries = 0; tries < 12; tries++) {
		struct var *v = &g->p->var[below(g, g->p->nvars)];

		if (v->type->kind == K_OBJ && (!d || v->def == d) &&
			!(v->scope == THIS && (g->on == ON_ERROR || g->in_def)))
			return variable(g, v, 1);
	}
	return NULL;
}

struct node *object_assignment(struct gen *g)
{
	struct node *to = object(g, NULL), *from = NULL;

	if (!to)
		return NULL;
	if (chance(g, 30))
		from = object(g, to->var->def);
	if (!from && chance(g, 8))
		from = node(N_NULL, NULL, NULL, NULL);
	if (!from) {
		from = translate(g, to->var->def, 2);
		from->type = to->type;
	}
	g->assigned |= 1ull << to->var->id;
	return node(N_ASSIGN, "=", to, from);
}
