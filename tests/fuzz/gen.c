// SPDX-License-Identifier: Apache-2.0
/* Generates a program: its types, variables, aggregations, clauses. */
#include <string.h>

#include "gen.h"

/* ---- types ---- */

static const struct ty *sized_string(struct gen *g)
{
	struct ty *t = arena(sizeof(*t));

	*t = types[T_STRING];
	t->align = 1;
	t->size = 1 + below(g, g->p->strsize < 20 ? g->p->strsize : 20);
	t->name = arena_printf("string<%u>", t->size);
	return t;
}

static const struct ty *member_type(struct gen *g, unsigned before)
{
	if (before && chance(g, 15) && on(g, "nested"))
		return &g->p->rec[below(g, before)];
	if (chance(g, 20) && on(g, "memberarray"))
		return array_of(int_type(g), 2 + below(g, 4));
	if (chance(g, 10) && on(g, "memberstring"))
		return sized_string(g);
	return int_type(g);
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
	return chance(g, 25) ? &types[T_CHAR] : int_type(g);
}

static void make_var(struct gen *g, struct var *v)
{
	unsigned r = below(g, 100);

	v->scope = (enum scope)below(g, 3);
	v->type = int_type(g);
	v->implicit = chance(g, 30);
	if (r < 25) {
		v->type = &types[T_STRING];
		if (chance(g, 20) && on(g, "sized")) {
			v->type = sized_string(g);
			v->implicit = false;
		}
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
		v->keys[k] = chance(g, 30) ? &types[T_STRING] : int_type(g);
		if (g->p->nrecs && chance(g, 12) && on(g, "reckey")) {
			v->keys[k] = &g->p->rec[below(g, g->p->nrecs)];
			v->implicit = false;
		}
	}
}

/* Makes the variables that count rounds and that hold the numbers of speculations. */
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
			a->keys[k] = chance(g, 40) ? &types[T_STRING] : int_type(g);
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
		at = r < 62 ? ON_BEGIN : r < 82 ? ON_END : r < 92 ? ON_ERROR : ON_NEVER;
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

/* ---- what there is to begin with ---- */

static void set(struct gen *g, struct block *b, struct node *n, struct node *v)
{
	struct stmt *s = add(g, b, S_EXPR);

	s->arg[s->n++] = node(N_ASSIGN, "=", n, v);
}

static bool is_dynamic(const struct var *v)
{
	return v->nkeys || v->scope == SELF;
}

/* The variable, or the element that most others mean; NULL if that is not simple. */
static struct node *plain_element(struct gen *g, struct var *v)
{
	struct node *n = node(N_VAR, NULL, NULL, NULL);

	n->var = v;
	n->type = v->type;
	n->nkids = v->nkeys;
	for (unsigned i = 0; i < v->nkeys; i++) {
		if (v->keys[i]->kind == K_REC)
			return NULL;
		n->kid[i] = is_int(v->keys[i]) ? small(1) : leaf(N_STR, "k", &types[T_STRING]);
	}
	return n;
}

/* Something in N. */
static void fill(struct gen *g, struct block *b, struct node *n)
{
	const struct ty *t = n->type;

	if (b->n > 24)
		return;
	if (is_int(t)) {
		set(g, b, n, constant_int(g));
	} else if (is_str(t)) {
		set(g, b, n, literal(g));
	} else if (t->kind == K_ARR) {
		n = node(N_INDEX, NULL, n, small(below(g, t->n)));
		n->type = t->of;
		fill(g, b, n);
	} else if (t->kind == K_REC) {
		n = node(N_FIELD, NULL, n, NULL);
		n->field = &t->field[below(g, t->nfields)];
		n->type = n->field->type;
		fill(g, b, n);
	}
}

/* A clause that gives values to many variables, and cannot fault. */
static void begin(struct gen *g)
{
	struct clause *c = new_clause(g, ON_BEGIN);

	for (unsigned i = 0; i < g->p->nvars; i++) {
		struct var *v = &g->p->var[i];
		struct node *n;

		if (v->counter || v->type->kind == K_PTR || chance(g, 25))
			continue;
		if (v->type->kind == K_REC && is_dynamic(v)) {
			struct node *from = NULL;

			for (unsigned k = 0; k < g->p->nvars && !from; k++)
				if (g->p->var[k].type == v->type && !is_dynamic(&g->p->var[k]))
					from = variable(g, &g->p->var[k], 0);
			n = from ? plain_element(g, v) : NULL;
			if (!n)
				continue;
			set(g, &c->body, n, from);
		} else {
			n = plain_element(g, v);
			if (!n)
				continue;
			fill(g, &c->body, n);
		}
		g->assigned |= 1ull << i;
	}
	if (!c->body.n)
		g->p->nclauses--;
}

static void make_clauses(struct gen *g, unsigned size)
{
	bool speculations = on(g, "spec") && chance(g, 15);

	if (chance(g, 75))
		begin(g);

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
	g->p->enums = on(g, "enum") && chance(g, 30);
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
	make_objects(&g);
	make_clauses(&g, size);
	if (on(&g, "long") && chance(&g, 2)) /* clauses that the compiler cuts into programs */
		g.p->filler = 100 + below(&g, 600);
	return g.p;
}
