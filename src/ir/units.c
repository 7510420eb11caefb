// SPDX-License-Identifier: Apache-2.0
/*
 * Decides which programs there are: one for each hook that enabled probes share, with its probes,
 * the cookies or keys that tell them apart and its clauses in session order.
 */
#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "ir/lower_state.h"
#include "ir/units.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/registry.h"
#include "probe/user_provider.h"
#include "sema/sema.h"
#include "sema/typed.h"

#include <string.h>

/* Programs under way: what enable() needs to find the one for a probe. */
struct units {
	units_vec all;
	struct placed {
		struct unit *unit; /* of a probe that is told apart by a cookie */
		uint32_t at, n;	   /* its sites among the unit's */
		bool enabled, args_used;
	} * by_id;
	uint32_t nids;
	uint32_t enabled; /* probes */
};

/* Up to this many probes have a program each. */
#define FEW_PROBES 8

static bool same_hook(const struct attach_plan *a, const struct attach_plan *b)
{
	if (a->kind != b->kind || a->key_source == KEY_NONE || a->key_source != b->key_source ||
		a->from || b->from)
		return false;
	if (a->key_source == KEY_COOKIE)
		return a->group == b->group;
	return a->hook && b->hook && !strcmp(a->hook, b->hook);
}

static bool has_probe(const struct unit *u, const struct probe *p)
{
	for (uint32_t i = 0; i < u->probes.len; i++)
		if (u->probes.data[i] == p)
			return true;
	return false;
}

/* Returns the place of a probe with a cookie; room for it if there is none. */
static struct placed *placed(struct lower_session *s, struct units *us, const struct probe *p)
{
	if (p->id >= us->nids) {
		uint32_t n = us->nids ? us->nids : 1024;
		struct placed *old = us->by_id;

		while (n <= p->id)
			n *= 2;
		us->by_id = arena_new_array(s->arena, struct placed, n);
		if (us->nids)
			memcpy(us->by_id, old, us->nids * sizeof(*old));
		us->nids = n;
	}
	return &us->by_id[p->id];
}

static bool has_room(const struct unit *u, const struct sema_clause *c)
{
	return u->plan.key_source != KEY_COOKIE || vec_last(&u->clauses) == c ||
		u->clauses.len < COOKIE_CLAUSES;
}

/* Returns the program that clause C of plan number I of P belongs to; NULL = a new one. */
static struct unit *find_unit(struct lower_session *s, struct units *us,
	const struct sema_clause *c, const struct probe *p, unsigned i,
	const struct attach_plan *plan)
{
	if (plan->key_source == KEY_COOKIE) {
		struct unit *u = placed(s, us, p)->unit;

		if (u)
			return has_room(u, c) ? u : NULL;
	}
	vec_for (have, &us->all) {
		struct unit *u = *have;

		if (u->is_state != c->is_state)
			continue;
		if (same_hook(&u->plan, plan) && has_room(u, c))
			return u;
		if (plan->key_source != KEY_COOKIE && u->number == i && has_probe(u, p))
			return u;
	}
	return NULL;
}

static struct unit *new_unit(struct lower_session *s, struct units *us, const struct sema_clause *c,
	const struct probe *p, unsigned i, const struct attach_plan *plan)
{
	struct unit *u = arena_new_obj(s->arena, struct unit);

	u->plan = *plan;
	u->number = i;
	u->is_error = plan->kind == ATTACH_ERROR;
	u->is_each = plan->from && plan->from->each;
	u->is_state = c->is_state;
	u->is_open = attach_is_user(plan->kind);
	u->derived = plan->from ? sema_derived_of(s->sema, p, i) : NULL;
	vec_push(s->arena, &us->all, u);
	return u;
}

static void add_probe(struct lower_session *s, struct units *us, struct unit *u,
	const struct probe *p, const struct attach_plan *plan)
{
	uint32_t place = u->is_open ? s->out->places++ : u->probes.len;
	struct attach_site site = {.hook = plan->hook,
		.addr = plan->addr,
		.cookie = p->id | (uint64_t)place << COOKIE_PLACE,
		.file = plan->file,
		.pid = plan->pid,
		.semaphore = plan->semaphore,
		.usdt = plan->usdt};

	if (!u->probes.len) {
		p->provider->describe(registry_env(s->registry), p, &u->args);
		if (plan->raw)
			memcpy(u->args.raw, plan->raw, sizeof(u->args.raw));
	}
	if (plan->key_source == KEY_COOKIE) {
		struct placed *at = placed(s, us, p);

		if (at->unit != u)
			at->at = u->probes.len;
		at->n = u->probes.len + 1 - at->at;
		at->unit = u;
	}
	vec_push(s->arena, &u->probes, p);
	vec_push(s->arena, &u->keys, plan->key_source == KEY_COOKIE ? place : plan->key);
	vec_push(s->arena, &u->sites, site);
}

static void enable_hook(struct lower_session *s, struct units *us, struct sema_clause *c,
	const struct probe *p, unsigned i, const struct attach_plan *plan)
{
	struct unit *u = find_unit(s, us, c, p, i, plan);
	bool cookie = plan->key_source == KEY_COOKIE;
	const struct placed *at;

	if (!u)
		u = new_unit(s, us, c, p, i, plan);
	at = placed(s, us, p);
	if (cookie ? at->unit != u || i >= at->n : !has_probe(u, p))
		add_probe(s, us, u, p, plan);
	if (!u->clauses.len || vec_last(&u->clauses) != c)
		vec_push(s->arena, &u->clauses, c);
	if (cookie)
		u->sites.data[at->at + i].cookie |= 1ULL << (COOKIE_MASK + u->clauses.len - 1);
}

/* Adds the programs for probes of clause C that may come while tracing. */
static void enable_late(struct lower_session *s, struct units *us, struct sema_clause *c)
{
	const struct attach_plan asked = {.args_used = c->args_used != 0};
	struct attach_plan plan = asked;

	for (unsigned i = 0; c->late->user->late(registry_env(s->registry), &c->pat, i, &plan) >= 0;
		i++) {
		struct unit *u = NULL;

		vec_for (have, &us->all)
			if (same_hook(&(*have)->plan, &plan) && has_room(*have, c))
				u = *have;
		if (!u) {
			u = new_unit(s, us, c, NULL, 0, &plan);
			memcpy(u->args.raw, plan.raw, sizeof(u->args.raw));
		}
		if (!u->clauses.len || vec_last(&u->clauses) != c)
			vec_push(s->arena, &u->clauses, c);
		plan = asked;
	}
}

static void enable(
	struct lower_session *s, struct units *us, struct sema_clause *c, const struct probe *p)
{
	const struct attach_plan asked = {
		.args_used = placed(s, us, p)->args_used,
		.few = us->enabled <= FEW_PROBES,
	};
	struct attach_plan plan = asked;
	unsigned i = 0;

	for (; p->provider->plan(registry_env(s->registry), p, i, &plan) >= 0; i++) {
		enable_hook(s, us, c, p, i, &plan);
		plan = asked;
	}
	if (i)
		return;
	diag_add(s->diags, "D_UNKNOWN", c->loc, "cannot attach probe %s:%s:%s:%s", p->prov, p->mod,
		p->func, p->name);
	s->failed = true;
}

/* Notes what plans depend on: the probes, and whether their arguments are wanted. */
static void note_use(struct lower_session *s, struct units *us, const struct sema_clause *c)
{
	for (uint32_t i = 0; i < c->probes.len; i++) {
		struct placed *p = placed(s, us, c->probes.data[i]);

		us->enabled += !p->enabled;
		p->enabled = true;
		p->args_used |= c->args_used != 0;
	}
}

/* Adds the clauses that keep state for the enabled probes, after all others. */
static void enable_state(struct lower_session *s, struct units *us)
{
	VEC(const struct sema_clause *) done = {0};
	uint32_t n = us->all.len;

	for (uint32_t i = 0; i < n; i++) {
		const struct sema_derived *d = us->all.data[i]->derived;

		for (uint32_t k = 0; d && k < d->state.len; k++) {
			struct sema_clause *c = d->state.data[k];
			bool is_done = false;

			vec_for (have, &done)
				is_done |= *have == c;
			if (is_done)
				continue;
			vec_push(s->arena, &done, c);
			note_use(s, us, c);
			for (uint32_t p = 0; p < c->probes.len; p++)
				enable(s, us, c, c->probes.data[p]);
		}
	}
}

/* True if A and B, derived probes of one provider, have to do with one hook. */
static bool same_derived_hook(const struct unit *a, const struct unit *b)
{
	return a->derived && b->derived && a->is_state == b->is_state &&
		a->plan.kind == b->plan.kind && a->plan.hook && b->plan.hook &&
		!strcmp(a->plan.hook, b->plan.hook) &&
		a->probes.data[0]->provider == b->probes.data[0]->provider;
}

/* Programs run in the order in which they are attached: those of one hook by their ranks. */
static void sort_hooks(const units_vec *units)
{
	for (uint32_t i = 0; i < units->len; i++) {
		for (uint32_t k = i + 1; k < units->len; k++) {
			struct unit *a = units->data[i], *b = units->data[k];

			if (!same_derived_hook(a, b) || a->plan.rank <= b->plan.rank)
				continue;
			units->data[i] = b;
			units->data[k] = a;
		}
	}
}

static void sort_units(const units_vec *units)
{
	if (units->len < 256) /* more are not of tables */
		sort_hooks(units);
	/* ERROR first: whether it exists decides how faults are lowered */
	for (uint32_t i = 1; i < units->len; i++) {
		if (units->data[i]->is_error) {
			struct unit *u = units->data[i];

			units->data[i] = units->data[0];
			units->data[0] = u;
		}
	}
}

/*
 * Up to this many programs have the record of a trace event as their context: each takes a perf
 * event on each CPU, and the kernel takes minutes to close a thousand.
 */
#define MOST_RECORDS 128

static void limit_records(struct lower_session *s, struct units *us)
{
	const struct sema_clause *over = NULL;
	uint32_t n = 0;

	vec_for (u, &us->all) {
		if ((*u)->plan.kind != ATTACH_EVENT_RECORD || ++n != MOST_RECORDS + 1)
			continue;
		over = (*u)->clauses.data[0];
	}
	if (!over)
		return;
	diag_add(s->diags, "D_UNKNOWN", over->loc,
		"the arguments of %u trace events are too many with probe description %s, the most "
		"is %u: describe fewer probes, or use no arguments",
		n, over->text, MOST_RECORDS);
	s->failed = true;
}

const units_vec *session_units(struct lower_session *s)
{
	struct units *us = arena_new_obj(s->arena, struct units);

	for (uint32_t i = 0; i < s->sema->clauses.len; i++) {
		struct sema_clause *c = s->sema->clauses.data[i];

		if (c->enabled && !c->is_state)
			note_use(s, us, c);
	}
	for (uint32_t i = 0; i < s->sema->clauses.len; i++) {
		struct sema_clause *c = s->sema->clauses.data[i];

		if (!c->enabled || c->is_state)
			continue;
		for (uint32_t k = 0; k < c->probes.len; k++)
			enable(s, us, c, c->probes.data[k]);
		if (c->late && !c->unchecked)
			enable_late(s, us, c);
	}
	enable_state(s, us);
	limit_records(s, us);
	sort_units(&us->all);
	return &us->all;
}

/* ---- a unit ---- */

uint32_t key_mask(const struct unit *u)
{
	uint32_t mask = 1;

	while (mask < u->plan.max_key)
		mask = mask << 1 | 1;
	return mask;
}

static bool derived_has(const struct sema_derived *d, sema_visit_fn visit, sema_visit_stmt_fn each)
{
	if (!d)
		return false;
	for (uint32_t i = 0; i < PROBE_NARGS; i++)
		if (sema_any_expr(d->args[i], visit, each, NULL))
			return true;
	return sema_any_expr(d->when, visit, each, NULL) ||
		sema_any_expr(d->task, visit, each, NULL);
}

bool unit_has(const struct unit *u, sema_visit_fn visit, sema_visit_stmt_fn each)
{
	if (derived_has(u->derived, visit, each))
		return true;
	for (uint32_t i = 0; i < u->clauses.len; i++) {
		const struct clause *c = u->clauses.data[i]->ast;

		if (sema_any_expr(c->predicate, visit, each, NULL) ||
			sema_any_stmt(&c->stmts, visit, each, NULL))
			return true;
	}
	return false;
}

/* ---- cookies ---- */

uint64_t lower_cookie(struct lowered *l, uint32_t id, uint32_t clauses)
{
	uint64_t place =
		l->free_places.len ? l->free_places.data[--l->free_places.len] : l->places++;

	return id | place << COOKIE_PLACE | (uint64_t)clauses << COOKIE_MASK;
}

bool lower_has_place(const struct lowered *l)
{
	return l->free_places.len || l->places < l->max_places;
}

void lower_release(struct lowered *l, struct arena *a, uint64_t cookie)
{
	vec_push(a, &l->free_places, lower_place(cookie));
}

uint32_t lower_place(uint64_t cookie)
{
	return cookie >> COOKIE_PLACE & ((1 << (COOKIE_MASK - COOKIE_PLACE)) - 1);
}

uint32_t lower_probe_id(uint64_t cookie)
{
	return cookie & COOKIE_ID;
}
