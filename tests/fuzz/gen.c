// SPDX-License-Identifier: Apache-2.0
/* A program: its types, variables, aggregations, clauses. */
#include <string.h>

#include "gen.h"

/* ---- types ---- */

static const struct ty *member_type(struct gen *g, unsigned before)
{
	if (before && chance(g, 15) && on(g, "nested"))
		return &g->p->rec[below(g, before)];
	if (chance(g, 20) && on(g, "memberarray"))
		return array_of(&types[below(g, T_NINTS)], 2 + below(g, 4));
	return &types[below(g, T_NINTS)];
}

static void make_rec(struct gen *g, struct ty *t, unsigned n)
{
	t->kind = K_REC;
	t->is_union = on(g, "union") && chance(g, 20);
	t->name = arena_printf("%s r%u", t->is_union ? "union" : "struct", n);
	t->nfields = 1 + below(g, 6);
	t->field = arena(t->nfields * sizeof(*t->field));
	for (unsigned i = 0; i < t->nfields; i++) {
		struct field *f = &t->field[i];

		snprintf(f->name, sizeof(f->name), "m%u", i % 100);
		f->type = member_type(g, n);
		/* a struct of bit-fields alone has a size of its own */
		if (i && is_int(f->type) && on(g, "bits") && chance(g, 30))
			f->bits = 1 + below(g, 8 * f->type->size);
	}
	lay_out(t);
}

/* ---- variables ---- */

static const struct ty *element_type(struct gen *g)
{
	if (g->p->nrecs && chance(g, 20))
		return &g->p->rec[below(g, g->p->nrecs)];
	return &types[chance(g, 25) ? T_CHAR : below(g, T_NINTS)];
}

static void sized_string(struct gen *g, struct var *v)
{
	struct ty *t = arena(sizeof(*t));

	*t = types[T_STRING];
	t->size = 1 + below(g, g->p->strsize < 20 ? g->p->strsize : 20);
	t->name = arena_printf("string<%u>", t->size);
	v->type = t;
	v->implicit = false;
}

static void make_var(struct gen *g, struct var *v)
{
	unsigned r = below(g, 100);

	v->scope = (enum scope)below(g, 3);
	v->type = &types[below(g, T_NINTS)];
	v->implicit = chance(g, 30);
	if (r < 25) {
		v->type = &types[T_STRING];
		if (chance(g, 20) && on(g, "sized"))
			sized_string(g, v);
	} else if (r < 42 && g->p->nrecs && on(g, "rec")) {
		v->type = &g->p->rec[below(g, g->p->nrecs)];
		v->implicit = false;
		if (v->scope == SELF && !on(g, "selfrec"))
			v->scope = GLOBAL;
	} else if (r < 52 && on(g, "array")) {
		v->implicit = false;
		v->scope = chance(g, 70) ? GLOBAL : THIS;
		v->type = array_of(element_type(g), 2 + below(g, 6));
		if (chance(g, 30))
			v->type = array_of(v->type, 2 + below(g, 3));
		return;
	} else if (r < 64 && on(g, "ptr")) {
		v->implicit = false;
		v->scope = chance(g, 85) ? THIS : GLOBAL;
		v->type = pointer_to(element_type(g), chance(g, 65));
		return;
	}
	if (v->scope == THIS || !chance(g, 35) || (v->type->kind == K_REC && !on(g, "assocrec")))
		return;
	v->nkeys = 1 + below(g, 3);
	for (unsigned k = 0; k < v->nkeys; k++) {
		v->keys[k] = &types[chance(g, 30) ? T_STRING : below(g, T_NINTS)];
		if (g->p->nrecs && chance(g, 12) && on(g, "reckey")) {
			v->keys[k] = &g->p->rec[below(g, g->p->nrecs)];
			v->implicit = false;
		}
	}
}

/* What counts rounds, and what holds the numbers of speculations. */
static void make_counters(struct gen *g)
{
	struct program *p = g->p;

	for (unsigned i = 0; i < 3; i++) {
		struct var *v = &p->var[p->nvars];

		v->id = p->nvars++;
		v->scope = THIS;
		v->type = &types[chance(g, 60) ? T_INT : chance(g, 50) ? T_LONG : T_CHAR];
		v->counter = true;
		snprintf(v->name, sizeof(v->name), "i%u", v->id);
	}
}

static void make_vars(struct gen *g)
{
	struct program *p = g->p;
	unsigned n = 4 + below(g, 16);

	make_counters(g);
	while (n--) {
		struct var *v = &p->var[p->nvars];

		v->id = p->nvars++;
		make_var(g, v);
		snprintf(v->name, sizeof(v->name), "%c%u", "gst"[v->scope], v -> id);
	}
}

static void make_aggs(struct gen *g)
{
	static const int ll[][4] = {{10, 0, 3, 10}, {10, 1, 4, 20}, {2, 0, 20, 2}, {10, 0, 6, 5},
		{8, 1, 3, 64}, {10, 0, 2, 100}, {2, 3, 10, 16}, {10, 2, 18, 10}, {3, 0, 5, 1}};
	struct program *p = g->p;

	p->naggs = 1 + below(g, 6);
	for (unsigned i = 0; i < p->naggs; i++) {
		struct agg *a = &p->agg[i];

		a->id = i;
		a->func = (enum agg_func)below(g, NAGGFUNCS);
		a->nkeys = below(g, 4);
		for (unsigned k = 0; k < a->nkeys; k++)
			a->keys[k] = &types[chance(g, 40) ? T_STRING : below(g, T_NINTS)];
		a->declared = a->nkeys && chance(g, 50);
		if (p->nrecs && chance(g, 20) && on(g, "aggrec")) {
			a->keys[a->nkeys++] = &p->rec[below(g, p->nrecs)];
			a->declared = false;
		}
		if (a->func == LQUANTIZE) {
			a->param[0] = (int)below(g, 200) - 100;
			a->param[1] = a->param[0] + 10 + (int)below(g, 1000);
			a->param[2] = 1 + (int)below(g, 10);
		} else {
			memcpy(a->param, PICK(g, ll), sizeof(a->param));
		}
	}
}

/* ---- speculations ---- */

static struct clause *new_clause(struct gen *g, enum firing on)
{
	struct clause *c = &g->p->clause[g->p->nclauses++];

	c->on = on;
	g->on = on;
	g->live = 0;
	return c;
}

static void one_var(struct gen *g, struct clause *c, enum stmt_kind kind, struct var *v)
{
	struct stmt *s = add(g, &c->body, kind);

	s->arg[s->n++] = variable(g, v, 0);
}

/* The first clause takes all that there will be; later ones write to them and end them. */
static void begin_speculations(struct gen *g)
{
	struct program *p = g->p;
	struct clause *c = new_clause(g, ON_BEGIN);
	unsigned n = 1 + below(g, 3);

	while (n--) {
		struct var *v = &p->var[p->nvars];
		struct stmt *s = add(g, &c->body, S_SPECULATION);

		v->id = p->nvars++;
		v->scope = GLOBAL;
		v->type = &types[T_INT];
		v->counter = true;
		snprintf(v->name, sizeof(v->name), "sp%u", v->id);
		s->var = v;
	}
}

static void use_speculation(struct gen *g, enum firing at)
{
	static const enum stmt_kind ends[] = {S_COMMIT, S_COMMIT, S_DISCARD};
	struct program *p = g->p;
	struct clause *c = new_clause(g, at);
	struct var *v = NULL;
	struct stmt *s;

	while (!v || v->scope != GLOBAL || !v->counter)
		v = &p->var[below(g, p->nvars)];
	if (chance(g, 20))
		c->predicate = integer(g, below(g, 3));
	if (chance(g, 60)) {
		one_var(g, c, S_SPECULATE, v);
		g->in_spec = true;
		make_block(g, &c->body, 2 + below(g, 3), 0);
		g->in_spec = false;
		return;
	}
	if (chance(g, 15)) {
		s = add(g, &c->body, PICK(g, ends));
		s->arg[s->n++] = chance(g, 50) ? small(g->p->nspec + below(g, 3))
					       : cast_to(integer(g, 1), &types[T_CHAR]);
	} else {
		one_var(g, c, PICK(g, ends), v);
	}
}

/* ---- clauses ---- */

static void make_clause(struct gen *g)
{
	static const char *const never[] = {"syscall::read:entry", "syscall:::return",
		"syscall::openat:entry", "syscall::[a-f]*:entry", "profile-97", "tick-100ms",
		"syscall::write*:", "syscall::getppid:return", "profile:::tick-1s"};
	unsigned r = below(g, 100);
	struct clause *c;
	enum firing at;

	if (g->p->ncalls)
		at = r < 25	 ? ON_BEGIN
			: r < 50 ? ON_ENTRY
			: r < 75 ? ON_RETURN
			: r < 92 ? ON_END
				 : ON_ERROR;
	else
		at = r < 55 ? ON_BEGIN : r < 75 ? ON_END : r < 84 ? ON_ERROR : ON_NEVER;
	c = new_clause(g, at);
	if (c->on == ON_NEVER)
		c->probe = PICK(g, never);
	c->wide = (c->on == ON_ENTRY || c->on == ON_RETURN) && chance(g, 40);
	if (chance(g, 30))
		c->predicate = integer(g, below(g, 4));
	make_block(g, &c->body, 1 + below(g, 10), 0);
	if (at == ON_BEGIN && !g->p->ncalls && on(g, "exit") && chance(g, 2)) {
		struct stmt *s = add(g, &c->body, S_EXIT);

		s->arg[s->n++] = small(0);
	}
}

static void make_clauses(struct gen *g, unsigned size)
{
	bool speculations = on(g, "spec") && chance(g, 15);

	if (speculations)
		begin_speculations(g);
	g->left = 1 + below(g, 2 * size);
	while (g->left && g->p->nclauses < MAX_CLAUSES) {
		if (speculations && chance(g, 30)) {
			use_speculation(g, chance(g, 80) ? ON_BEGIN : ON_END);
			g->left -= g->left != 0;
		}
		if (g->left)
			make_clause(g);
	}
}

static void make_options(struct gen *g)
{
	static const unsigned sizes[] = {256, 256, 256, 256, 8, 15, 16, 64, 100, 1000};
	static const unsigned scratch[] = {256, 256, 256, 64, 40, 1000, 4096};
	static const unsigned bounds[] = {1024, 1024, 16, 8, 3};

	g->p->strsize = PICK(g, sizes);
	g->p->scratchsize = PICK(g, scratch);
	g->p->loopbound = PICK(g, bounds);
	g->p->nspec = 1 + below(g, 4);
	g->p->minimal_parens = chance(g, 50);
	g->p->ncalls = chance(g, 15) ? 1 + below(g, 4) : 0;
}

struct program *program_generate(uint64_t seed, unsigned size, const char *off)
{
	struct gen g = {.state = seed * 0x2545f4914f6cdd1dull + 1, .off = off};

	g.p = arena(sizeof(*g.p));
	g.p->clause = arena((MAX_CLAUSES + 8) * sizeof(*g.p->clause));
	make_options(&g);
	if (on(&g, "rec") && chance(&g, 70))
		for (unsigned n = 1 + below(&g, 3); g.p->nrecs < n; g.p->nrecs++)
			make_rec(&g, &g.p->rec[g.p->nrecs], g.p->nrecs);
	make_vars(&g);
	make_aggs(&g);
	make_defs(&g);
	make_clauses(&g, size);
	return g.p;
}
