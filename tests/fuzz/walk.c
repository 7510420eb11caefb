// SPDX-License-Identifier: Apache-2.0
/* Walks over a program's expressions and statements, and finds the parts that are used. */
#include <string.h>

#include "program.h"

/* ---- expressions ---- */

static void walk(struct node **place, node_fn fn, void *arg);

/* Walks an lvalue: it is not offered itself, because it must stay one; its parts are. */
static void walk_lvalue(struct node *n, node_fn fn, void *arg)
{
	switch (n->kind) {
	case N_VAR:
		for (unsigned k = 0; k < n->nkids; k++)
			walk(&n->kid[k], fn, arg);
		break;
	case N_FIELD:
		walk_lvalue(n->kid[0], fn, arg);
		break;
	case N_INDEX:
		if (n->kid[0]->type->kind == K_ARR || is_str(n->kid[0]->type))
			walk_lvalue(n->kid[0], fn, arg);
		else
			walk(&n->kid[0], fn, arg);
		walk(&n->kid[1], fn, arg);
		break;
	case N_ARROW:
	case N_DEREF:
		if (is_str(n->kid[0]->type))
			walk_lvalue(n->kid[0], fn, arg);
		else
			walk(&n->kid[0], fn, arg);
		break;
	default:
		break;
	}
}

static void walk(struct node **place, node_fn fn, void *arg)
{
	struct node *n = *place;

	fn(arg, place, n->type);
	n = *place;
	for (unsigned i = 0; i < n->nkids; i++) {
		bool fixed = i == 0 &&
			(n->kind == N_ASSIGN || n->kind == N_PREFIX || n->kind == N_POSTFIX ||
				n->kind == N_ADDR);

		if (n->kind == N_SIZEOF && !is_int(n->kid[0]->type))
			continue;
		if (n->kind == N_CALL && !strcmp(n->text, "alloca"))
			continue;
		if (fixed || n->kid[i]->type->kind == K_ARR)
			walk_lvalue(n->kid[i], fn, arg);
		else
			walk(&n->kid[i], fn, arg);
	}
}

static void walk_stmt(struct stmt *s, node_fn fn, void *arg)
{
	for (unsigned k = 0; s->agg && k < s->agg->nkeys; k++)
		walk(&s->key[k], fn, arg);
	for (unsigned k = 0; k < s->n; k++) {
		if (s->kind == S_DELETE || s->arg[k]->type->kind == K_ARR)
			walk_lvalue(s->arg[k], fn, arg);
		else
			walk(&s->arg[k], fn, arg);
	}
}

struct walker {
	node_fn fn;
	void *arg;
};

static void walk_one(void *arg, struct stmt *s)
{
	const struct walker *w = arg;

	walk_stmt(s, w->fn, w->arg);
}

void program_walk(struct program *p, node_fn fn, void *arg)
{
	struct walker w = {fn, arg};

	for (unsigned i = 0; i < p->ndefs; i++) {
		struct def *d = &p->def[i];

		if (!d->used)
			continue;
		if (d->value)
			walk(&d->value, fn, arg);
		for (unsigned k = 0; k < d->nmembers; k++)
			walk(&d->mvalue[k], fn, arg);
	}
	for (unsigned c = 0; c < p->nclauses; c++)
		if (!p->clause[c].dead && p->clause[c].predicate)
			walk(&p->clause[c].predicate, fn, arg);
	program_statements(p, walk_one, &w);
}

/* ---- statements ---- */

static void statements(struct block *b, stmt_fn fn, void *arg)
{
	for (unsigned i = 0; i < b->n; i++) {
		struct stmt *s = &b->stmt[i];

		if (s->dead)
			continue;
		fn(arg, s);
		if (s->dead)
			continue;
		statements(&s->body, fn, arg);
		statements(&s->orelse, fn, arg);
	}
}

void program_statements(struct program *p, stmt_fn fn, void *arg)
{
	for (unsigned i = 0; i < p->ndefs; i++)
		if (p->def[i].used)
			statements(&p->def[i].body, fn, arg);
	for (unsigned c = 0; c < p->nclauses; c++)
		if (!p->clause[c].dead)
			statements(&p->clause[c].body, fn, arg);
}

/* ---- types and uses ---- */

struct marking {
	struct program *p;
	bool ok, again;
};

static void use(struct marking *m, bool *used)
{
	m->again |= !*used;
	*used = true;
}

static void use_type(struct marking *m, const struct ty *t)
{
	while (t->of)
		t = t->of;
	if (t->kind != K_REC || t->used)
		return;
	for (unsigned i = 0; i < m->p->nrecs; i++)
		if (&m->p->rec[i] == t)
			use(m, &m->p->rec[i].used);
	for (unsigned i = 0; i < t->nfields; i++)
		use_type(m, t->field[i].type);
}

static void use_var(struct marking *m, struct var *v)
{
	use(m, &v->used);
	use_type(m, v->type);
	if (v->def)
		use(m, &v->def->used);
	for (unsigned i = 0; i < v->nkeys; i++)
		use_type(m, v->keys[i]);
}

static void mark_tree(struct marking *m, const struct node *n)
{
	uint64_t v;

	for (unsigned i = 0; i < n->nkids; i++)
		mark_tree(m, n->kid[i]);
	if (n->var)
		use_var(m, n->var);
	if (n->def)
		use(m, &n->def->used);
	if (n->type)
		use_type(m, n->type);
	/* errors of their own */
	if ((n->kind == N_BINARY || n->kind == N_ASSIGN) && (*n->op == '/' || *n->op == '%') &&
		constant(n->kid[1], &v) && !v)
		m->ok = false;
	if (n->kind == N_INDEX && n->kid[0]->type->kind == K_ARR && constant(n->kid[1], &v) &&
		v >= n->kid[0]->type->n)
		m->ok = false;
	if (n->kind == N_SIZEOF && (n->kid[0]->kind == N_FIELD || n->kid[0]->kind == N_ARROW) &&
		n->kid[0]->field->bits)
		m->ok = false;
}

static void mark_stmt(void *arg, struct stmt *s)
{
	struct marking *m = arg;

	if (s->var)
		use_var(m, s->var);
	for (unsigned i = 0; i < s->n; i++)
		mark_tree(m, s->arg[i]);
	if (!s->agg)
		return;
	use(m, &s->agg->used);
	for (unsigned k = 0; k < s->agg->nkeys; k++) {
		mark_tree(m, s->key[k]);
		use_type(m, s->agg->keys[k]);
		if (!s->agg->declared && is_int(s->agg->keys[k]) &&
			(s->key[k]->kind != N_CAST || s->key[k]->type != s->agg->keys[k]))
			m->ok = false;
		if (!s->agg->declared && is_str(s->agg->keys[k]) && s->key[k]->type->size)
			m->ok = false;
	}
}

static void mark_def(struct marking *m, struct def *d)
{
	if (!d->used)
		return;
	use_type(m, d->result);
	for (unsigned i = 0; i < d->nparams; i++)
		use_type(m, d->param[i].type);
	if (d->value)
		mark_tree(m, d->value);
	for (unsigned i = 0; i < d->nmembers; i++)
		mark_tree(m, d->mvalue[i]);
	statements(&d->body, mark_stmt, m);
}

static void type_stmt(void *arg, struct stmt *s)
{
	for (unsigned i = 0; i < s->n; i++)
		retype(s->arg[i]);
	for (unsigned k = 0; s->agg && k < s->agg->nkeys; k++)
		retype(s->key[k]);
}

static void type_all(struct program *p)
{
	for (unsigned i = 0; i < p->ndefs; i++) {
		if (p->def[i].value)
			retype(p->def[i].value);
		for (unsigned k = 0; k < p->def[i].nmembers; k++)
			retype(p->def[i].mvalue[k]);
		statements(&p->def[i].body, type_stmt, NULL);
	}
	for (unsigned c = 0; c < p->nclauses; c++)
		if (p->clause[c].predicate)
			retype(p->clause[c].predicate);
	program_statements(p, type_stmt, NULL);
}

bool program_mark(struct program *p)
{
	struct marking m = {p, true, false};
	int number = 0;

	for (unsigned i = 0; i < p->nvars; i++)
		p->var[i].used = false;
	for (unsigned i = 0; i < p->naggs; i++)
		p->agg[i].used = false;
	for (unsigned i = 0; i < p->ndefs; i++)
		p->def[i].used = false;
	for (unsigned i = 0; i < p->nrecs; i++)
		p->rec[i].used = false;
	type_all(p);
	for (unsigned c = 0; c < p->nclauses; c++) {
		if (p->clause[c].dead)
			continue;
		if (p->clause[c].predicate)
			mark_tree(&m, p->clause[c].predicate);
		statements(&p->clause[c].body, mark_stmt, &m);
	}
	do {
		m.again = false;
		for (unsigned i = 0; i < p->ndefs; i++)
			mark_def(&m, &p->def[i]);
	} while (m.again);
	for (unsigned i = 0; i < p->nvars; i++)
		number |= p->var[i].used && p->var[i].implicit;
	for (unsigned i = 0; i < p->nvars; i++)
		number |= p->var[i].used && p->var[i].type->kind == K_PTR;
	for (unsigned i = 0; i < p->naggs; i++)
		number |= p->agg[i].used && p->agg[i].declared;
	for (unsigned i = 0; i < p->nvars; i++)
		if (p->var[i].used && p->var[i].type->kind == K_OBJ) {
			number++;
			break;
		}
	for (unsigned c = 0; c < p->nclauses; c++)
		if (!p->clause[c].dead)
			p->clause[c].number = number++;
	return m.ok;
}
