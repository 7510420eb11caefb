// SPDX-License-Identifier: Apache-2.0
/* Makes a failing program smaller, as long as it fails in the same way. */
#include <string.h>

#include "torture.h"

struct shrinker {
	struct program *p;
	const char *script;
	struct result *best;
	unsigned runs, most;
	bool progress;
};

/* True if the program as it is now still fails in the same way; keeps it then. */
static bool still(struct shrinker *s)
{
	struct result r;

	if (!program_mark(s->p) || s->runs >= s->most)
		return false;
	s->runs++;
	judge(s->p, s->script, &r);
	if (r.verdict != s->best->verdict || strcmp(r.signature, s->best->signature)) {
		result_free(&r);
		return false;
	}
	result_free(s->best);
	*s->best = r;
	s->progress = true;
	return true;
}

/* ---- expressions ---- */

static bool try_node(struct shrinker *s, struct node **place, struct node *with)
{
	struct node *old = *place;

	*place = with;
	if (still(s))
		return true;
	*place = old;
	program_mark(s->p);
	return false;
}

static bool same_kind(const struct ty *a, const struct ty *b)
{
	if (a->kind == K_REC)
		return a == b;
	if (a->kind == K_PTR)
		return b->kind == K_PTR && a->of == b->of && a->scratch == b->scratch;
	if (a->kind == K_OBJ)
		return b->kind == K_OBJ && a->of == b->of;
	return a->kind == b->kind;
}

static bool is_plain(const struct node *n)
{
	return n->kind == N_INT || n->kind == N_STR ||
		(n->kind == N_CAST && n->kid[0]->kind == N_INT);
}

static struct node *plain(const struct ty *t, enum node_kind kind, const struct ty *cast)
{
	struct node *n = arena(sizeof(*n)), *c;

	n->kind = kind;
	n->type = is_int(t) ? &types[T_INT] : &types[T_STRING];
	n->value = 1;
	n->text = is_int(t) ? "1" : "x";
	if (!cast)
		return n;
	c = arena(sizeof(*c));
	c->kind = N_CAST;
	c->type = cast;
	c->nkids = 1;
	c->kid[0] = n;
	return c;
}

static void smaller(void *arg, struct node **place, const struct ty *want)
{
	struct shrinker *s = arg;
	struct node *n = *place;
	bool object = n->kind == N_FIELD || n->kind == N_INDEX || n->kind == N_DEREF ||
		n->kind == N_ARROW;

	if (is_plain(n))
		return;
	if (is_int(want) &&
		(try_node(s, place, plain(want, N_INT, NULL)) ||
			(want->size != 4 && n->kind != N_CAST &&
				try_node(s, place, plain(want, N_INT, want)))))
		return;
	if (is_str(want) && try_node(s, place, plain(want, N_STR, NULL)))
		return;
	for (unsigned i = 0; i < n->nkids && n->kind != N_VAR && !object; i++)
		if (same_kind(want, n->kid[i]->type) && try_node(s, place, n->kid[i])) {
			smaller(arg, place, want);
			return;
		}
}

static void shrink_args(struct shrinker *s, struct stmt *st)
{
	for (unsigned i = 0; st->kind == S_PRINTF && i < st->n && st->n > 1; i++) {
		struct stmt old = *st;

		for (unsigned k = i; k + 1 < st->n; k++) {
			st->arg[k] = st->arg[k + 1];
			st->conv[k] = st->conv[k + 1];
		}
		st->n--;
		if (still(s))
			i--;
		else
			*st = old;
	}
}

/* ---- statements ---- */

static bool shrink_flag(struct shrinker *s, bool *flag)
{
	if (*flag)
		return false;
	*flag = true;
	if (still(s))
		return true;
	*flag = false;
	return false;
}

static void shrink_block(struct shrinker *s, struct block *b);

/* The statements inside instead of a statement that has some. */
static bool unwrap(struct shrinker *s, struct block *b, unsigned at, const struct block *in)
{
	struct block old = *b;

	if (!in->n)
		return false;
	b->stmt = arena((old.n + in->n) * sizeof(*b->stmt));
	b->n = old.n - 1 + in->n;
	memcpy(b->stmt, old.stmt, at * sizeof(*b->stmt));
	memcpy(b->stmt + at, in->stmt, in->n * sizeof(*b->stmt));
	memcpy(b->stmt + at + in->n, old.stmt + at + 1, (old.n - at - 1) * sizeof(*b->stmt));
	if (still(s))
		return true;
	*b = old;
	return false;
}

static void shrink_stmt(struct shrinker *s, struct block *b, unsigned at)
{
	struct stmt *st = &b->stmt[at];
	struct block none = {0}, old = st->orelse;

	if (shrink_flag(s, &st->dead))
		return;
	if (st->kind == S_IF && (unwrap(s, b, at, &st->body) || unwrap(s, b, at, &st->orelse)))
		return;
	if (st->kind != S_IF && st->kind != S_FOREACH && unwrap(s, b, at, &st->body))
		return;
	if (st->orelse.n) {
		st->orelse = none;
		if (!still(s))
			st->orelse = old;
	}
	shrink_block(s, &st->body);
	shrink_block(s, &st->orelse);
	shrink_args(s, st);
}

static void shrink_block(struct shrinker *s, struct block *b)
{
	for (unsigned i = b->n; i-- > 0;)
		if (i < b->n && !b->stmt[i].dead)
			shrink_stmt(s, b, i);
}

static void shrink_predicate(struct shrinker *s, struct clause *c)
{
	struct node *old = c->predicate;

	if (!old)
		return;
	c->predicate = NULL;
	if (!still(s))
		c->predicate = old;
}

static void shrink_number(struct shrinker *s, unsigned *n, unsigned to)
{
	unsigned old = *n;

	*n = to;
	if (old != to && !still(s))
		*n = old;
}

/* Half of the clauses at a time, then one by one. */
static void shrink_clauses(struct shrinker *s)
{
	struct program *p = s->p;
	bool was[MAX_CLAUSES];

	for (unsigned half = 0; half < 2 && p->nclauses > 3; half++) {
		for (unsigned c = 0; c < p->nclauses; c++) {
			was[c] = p->clause[c].dead;
			p->clause[c].dead |= (c < p->nclauses / 2) == half;
		}
		if (still(s))
			continue;
		for (unsigned c = 0; c < p->nclauses; c++)
			p->clause[c].dead = was[c];
	}
	for (unsigned c = p->nclauses; c-- > 0;)
		shrink_flag(s, &p->clause[c].dead);
}

void program_shrink(struct program *p, const char *script, struct result *r, unsigned runs)
{
	struct shrinker shrinker = {p, script, r, 0, runs, false}, *s = &shrinker;

	do {
		s->progress = false;
		shrink_clauses(s);
		for (unsigned c = 0; c < p->nclauses; c++) {
			if (p->clause[c].dead)
				continue;
			shrink_predicate(s, &p->clause[c]);
			shrink_block(s, &p->clause[c].body);
		}
		for (unsigned i = 0; i < p->ndefs; i++)
			if (p->def[i].used)
				shrink_block(s, &p->def[i].body);
		program_walk(p, smaller, s);
		if (p->strsize < 256)
			shrink_number(s, &p->strsize, 256);
		shrink_number(s, &p->scratchsize, 256);
		shrink_number(s, &p->loopbound, 1024);
	} while (s->progress && s->runs < s->most);
	program_mark(p);
}
