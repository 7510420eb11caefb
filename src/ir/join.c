// SPDX-License-Identifier: Apache-2.0
/* Decides which clauses about one process are in the programs of files that processes share. */
#include "ir/join.h"

#include <string.h>

#include "base/arena.h"
#include "ir/lower_state.h"
#include "ir/units.h"
#include "probe/attach.h"
#include "probe/glob.h"
#include "probe/probe.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "sema/typed.h"

/* ---- descriptions ---- */

/* False if no text matches both A and B; patterns may share one. */
static bool may_meet(const char *a, const char *b)
{
	if (glob_is_pattern(a))
		return glob_is_pattern(b) || glob_match(a, b);
	return glob_is_pattern(b) ? glob_match(b, a) : !strcmp(a, b);
}

/*
 * True if the clause is one that has programs, and that others may be joined with: one that is
 * unchecked may come to have some, and how the others are laid out does not change then.
 */
static bool has_program(const struct sema_clause *c)
{
	return c->enabled && c->late;
}

/* True if C may be enabled at a place of W, whose scope is wider.  Modules have several names. */
static bool meets(const struct sema_clause *c, const struct sema_clause *w)
{
	return has_program(w) && w->late == c->late && w->scope > c->scope &&
		(w->scope != IN_ALL || may_meet(w->pat.prov, c->pat.prov)) &&
		may_meet(w->pat.func, c->pat.func) && may_meet(w->pat.name, c->pat.name);
}

bool join_meets(const struct lower_session *s, const struct sema_clause *c, enum attach_scope scope)
{
	if (!c->joins)
		return false;
	vec_for (w, &s->sema->clauses)
		if ((*w)->scope == scope && meets(c, *w))
			return true;
	return false;
}

/* True if a clause of the session has a wider scope than one process. */
static bool has_shared(const struct lower_session *s)
{
	vec_for (c, &s->sema->clauses)
		if ((*c)->scope != IN_PROCESS && has_program(*c))
			return true;
	return false;
}

void join_mark(struct lower_session *s)
{
	if (!has_shared(s))
		return;
	vec_for (at, &s->sema->clauses) {
		struct sema_clause *c = *at;

		if (c->scope == IN_ALL || !c->process || !has_program(c))
			continue;
		vec_for (w, &s->sema->clauses)
			c->joins |= meets(c, *w);
	}
}

/* ---- places ---- */

static const char *place_key(struct lower_session *s, const struct attach_plan *plan)
{
	const struct attach_file *f =
		plan->file && plan->file->same ? plan->file->same : plan->file;

	return arena_printf(s->arena, "%d %u %p %llx", plan->kind, attach_place_group(plan->group),
		(const void *)f, (unsigned long long)plan->addr);
}

/* Returns true and *PLAN for plan I of P. */
static bool plan_of(
	struct lower_session *s, const struct probe *p, unsigned i, struct attach_plan *plan)
{
	*plan = (struct attach_plan){0};
	return p->provider->plan(registry_env(s->registry), p, i, plan) >= 0;
}

static void add_places(struct lower_session *s, struct join_places *places, const struct probe *p)
{
	struct attach_plan plan;

	for (unsigned i = 0; plan_of(s, p, i, &plan); i++) {
		const char *key = place_key(s, &plan);
		struct join_place *at = strmap_get(&places->by_place, key);

		if (at && at->scope >= plan.scope)
			continue;
		if (!at) {
			at = arena_new_obj(s->arena, struct join_place);
			strmap_put(s->arena, &places->by_place, key, at);
		}
		*at = (struct join_place){p, i, plan.scope};
		if (!i)
			vec_push(s->arena, &places->probes, p);
	}
}

struct join_places *join_places(struct lower_session *s)
{
	struct join_places *places = arena_new_obj(s->arena, struct join_places);
	bool any = false;

	vec_for (c, &s->sema->clauses)
		any |= (*c)->joins;
	vec_for (c, &s->sema->clauses) {
		if (!any || (*c)->scope == IN_PROCESS || !has_program(*c))
			continue;
		vec_for (p, &(*c)->probes)
			add_places(s, places, *p);
	}
	return places;
}

const struct join_place *join_at(struct lower_session *s, const struct join_places *places,
	const struct sema_clause *c, const struct attach_plan *plan)
{
	const struct join_place *at;

	if (!c->joins || (c->scope == IN_PROCESS && plan->pid != c->process))
		return NULL;
	at = strmap_get(&places->by_place, place_key(s, plan));
	return at && at->scope > c->scope ? at : NULL;
}

const struct join_place *join_named(struct lower_session *s, const struct join_places *places,
	const struct sema_clause *c, const struct probe *p, unsigned i)
{
	const struct join_place *at;
	struct attach_plan plan;

	if (p->provider != c->late || !registry_matches_in(s->registry, p, &c->pat, c->process) ||
		!plan_of(s, p, i, &plan) || plan.scope <= c->scope)
		return NULL;
	at = strmap_get(&places->by_place, place_key(s, &plan));
	return at && at->probe == p && at->plan == i ? at : NULL;
}

bool unit_joined(const struct unit *u)
{
	for (uint32_t i = 0; i < u->clauses.len; i++)
		if (u->clauses.data[i]->scope < u->plan.scope)
			return true;
	return false;
}
