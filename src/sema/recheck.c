// SPDX-License-Identifier: Apache-2.0
/*
 * Checks clauses that matched no probe when tracing began (option zdefs), while the programs of the
 * others run: what these know of variables and aggregations must stay as it is.
 */
#include "sema/sema_int.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "sema/typed.h"

#include <string.h>

/* ---- undoing ---- */

struct sema_saved {
	struct variable *vars;
	struct aggregation *aggs;
	struct sema_clause *clauses;
	uint32_t nvars, naggs, nclauses;
	bool destructive;
	uint32_t stack_frames;
};

const struct sema_saved *sema_save(struct sema *s)
{
	struct sema_session *from = &s->session;
	struct sema_saved *saved = arena_new_obj(s->arena, struct sema_saved);

	saved->nvars = from->vars.len;
	saved->naggs = from->aggs.len;
	saved->nclauses = from->clauses.len;
	saved->vars = arena_new_array(s->arena, struct variable, saved->nvars + 1);
	saved->aggs = arena_new_array(s->arena, struct aggregation, saved->naggs + 1);
	saved->clauses = arena_new_array(s->arena, struct sema_clause, saved->nclauses + 1);
	for (uint32_t i = 0; i < saved->nvars; i++)
		saved->vars[i] = *from->vars.data[i];
	for (uint32_t i = 0; i < saved->naggs; i++)
		saved->aggs[i] = *from->aggs.data[i];
	for (uint32_t i = 0; i < saved->nclauses; i++)
		saved->clauses[i] = *from->clauses.data[i];
	saved->destructive = from->destructive;
	saved->stack_frames = from->stack_frames;
	return saved;
}

void sema_restore(struct sema *s, const struct sema_saved *saved)
{
	struct sema_session *to = &s->session;

	for (uint32_t i = 0; i < saved->nvars; i++)
		*to->vars.data[i] = saved->vars[i];
	for (uint32_t i = 0; i < saved->naggs; i++)
		*to->aggs.data[i] = saved->aggs[i];
	/* names that were new keep their types; the next layout gives them places */
	for (uint32_t i = saved->nvars; i < to->vars.len; i++)
		to->vars.data[i]->laid = false;
	for (uint32_t i = saved->naggs; i < to->aggs.len; i++)
		to->aggs.data[i]->desc = NULL;
	for (uint32_t i = 0; i < saved->nclauses; i++)
		*to->clauses.data[i] = saved->clauses[i];
	to->destructive = saved->destructive;
	to->stack_frames = saved->stack_frames;
}

void sema_fix_layouts(struct sema *s)
{
	vec_for (v, &s->session.vars)
		(*v)->fixed = (*v)->laid && !(*v)->supposed;
	vec_for (a, &s->session.aggs)
		(*a)->fixed = (*a)->desc && !(*a)->supposed;
	vec_for (c, &s->session.clauses)
		(*c)->fresh = false;
}

/* ---- what the other clauses rely on ---- */

/* True if pointers that V holds are told apart as they were. */
static bool same_pointers(const struct variable *v, const struct variable *was)
{
	return (!was->scratch && !was->unjudged && !was->nonscratch) ||
		(v->scratch == was->scratch && v->unjudged == was->unjudged &&
			v->nonscratch == was->nonscratch);
}

static bool check_pointers(
	struct sema *s, const struct sema_clause *c, const struct sema_saved *before)
{
	for (uint32_t i = 0; i < before->nvars; i++)
		if (before->vars[i].fixed &&
			!same_pointers(s->session.vars.data[i], &before->vars[i]))
			return sema_error(s, c->loc, "D_OP_INCOMPAT",
				"%s gets pointers of another kind than in the clauses that are traced already",
				before->vars[i].name);
	return true;
}

struct reprinting {
	struct sema *s;
	const struct sema_saved *before;
	bool failed;
};

/* True if the keys of A, without data so far, are known now. */
static bool is_shaped(const struct reprinting *r, const struct aggregation *a)
{
	uint32_t i = a->id - 1;

	return i < r->before->naggs && r->before->aggs[i].supposed && !a->supposed;
}

/* sema_visit_fn: checks once more a printa() whose aggregations have got their keys. */
static bool reprint(void *arg, const struct expr *e)
{
	struct reprinting *r = arg;
	bool shaped = false;

	if (e->kind != EXPR_CALL || !e->info || e->info->ref != REF_FUNC ||
		strcmp(e->info->func->name, "printa") != 0)
		return false;
	for (uint32_t i = 0; i < e->args.len; i++)
		shaped |= e->args.data[i]->kind == EXPR_AGG &&
			is_shaped(r, e->args.data[i]->info->agg);
	r->failed = shaped && !sema_printa(r->s, (struct expr *)e);
	return r->failed;
}

static bool check_printed(struct sema *s, const struct sema_saved *before)
{
	struct reprinting r = {.s = s, .before = before};

	vec_for (c, &s->session.clauses)
		if (sema_any_stmt(&(*c)->ast->stmts, reprint, NULL, &r))
			return false;
	return true;
}

/* ---- checking ---- */

static bool recheck(struct sema *s, struct sema_clause *c, const struct sema_saved *before)
{
	const struct probe *p = c->probes.data[0];

	if (p->provider->describe(registry_env(s->registry), p, &c->args) < 0)
		return false;
	sema_declared_args(s, p, &c->args);
	return sema_check_clause(s, c, c->written) && sema_keep_members(s) &&
		check_pointers(s, c, before) && check_printed(s, before);
}

bool sema_check_with(struct sema *s, struct sema_clause *c, const struct probe *const *probes,
	uint32_t n, const struct sema_config *cfg, struct diags *diags)
{
	const struct sema_saved *before = sema_save(s);
	const struct sema clean = *s;
	bool ok;

	for (uint32_t i = 0; i < n; i++)
		vec_push(s->arena, &c->probes, probes[i]);
	s->cfg = cfg;
	s->diags = diags;
	s->clause = c;
	c->unchecked = false;
	ok = recheck(s, c, before);
	sema_leave(s, &clean);
	s->clause = NULL;
	s->cfg = clean.cfg;
	s->diags = clean.diags;
	if (!ok) {
		sema_restore(s, before);
		return false;
	}
	/* they are attached as any that comes while tracing */
	c->probes.len = 0;
	c->fresh = true;
	c->descs.len = 0;
	c->default_action = NULL;
	return true;
}
