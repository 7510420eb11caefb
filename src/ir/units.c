// SPDX-License-Identifier: Apache-2.0
/*
 * Decides which programs there are: one for each hook that enabled probes share, with its probes,
 * the cookies or keys that tell them apart and its clauses in session order.
 */
#include "base/arena.h"
#include "base/diag.h"
#include "base/intmap.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "ir/join.h"
#include "ir/lower_state.h"
#include "ir/places.h"
#include "ir/target.h"
#include "ir/units.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/provider_env.h"
#include "probe/registry.h"
#include "probe/user_provider.h"
#include "sema/sema.h"
#include "sema/typed.h"

#include <string.h>

/* A probe, and where it is. */
struct placed {
	struct unit *unit; /* of a probe that is told apart by a cookie */
	uint32_t at, n;	   /* its sites among the unit's */
	bool enabled, args_used;
	units_vec units; /* that have the probe, in order */
};

/* The programs of one hook whose probes are told apart by a key or cookie, in order. */
struct hook_units {
	units_vec units;
	uint32_t full; /* so many of them have no room for the clauses that are left */
};

/* Programs under way: what enable() needs to find the one for a probe. */
struct units {
	units_vec all;
	struct intmap probes; /* by id: struct placed */
	struct strmap hooks;  /* by hook_key(): struct hook_units */
	uint32_t enabled;     /* probes */
	struct join_places *shared;
};

/* Up to this many probes have a program each. */
#define FEW_PROBES 8

static struct placed *placed(struct lower_session *s, struct units *us, const struct probe *p)
{
	struct placed *at = intmap_get_ptr(&us->probes, p->id);

	if (!at) {
		at = arena_new_obj(s->arena, struct placed);
		intmap_put_ptr(&us->probes, p->id, at);
	}
	return at;
}

static bool has_probe(const struct placed *at, const struct unit *u)
{
	vec_for (have, &at->units)
		if (*have == u)
			return true;
	return false;
}

/*
 * True if a cookie tells the places of a program with PLAN apart.  On a kernel without cookies each
 * place has a program, which knows its probe, and no place can come later.
 */
static bool has_cookies(const struct lower_session *s, const struct attach_plan *plan)
{
	return plan->key_source == KEY_COOKIE && target_has(s->target, FEATURE_COOKIES);
}

#define COOKIES "bpf_get_attach_cookie(), which Linux 5.15 has"

/* True if a program with PLAN is told by cookies alone what its place is, and the kernel has none.
 */
static bool needs_cookies(const struct lower_session *s, const struct attach_plan *plan)
{
	return plan->key_source == KEY_COOKIE && !has_cookies(s, plan) &&
		(plan->entries || plan->leaves || plan->by_function);
}

/* Returns what plans of programs that probes can share have in common; NULL: they share none. */
static const char *hook_key(struct lower_session *s, const struct attach_plan *plan, bool is_state)
{
	if (plan->key_source == KEY_NONE || plan->from)
		return NULL;
	if (plan->key_source == KEY_COOKIE && !has_cookies(s, plan))
		return NULL;
	if (plan->key_source == KEY_COOKIE)
		return arena_printf(s->arena, "%d %d %u", plan->kind, is_state, plan->group);
	if (!plan->hook)
		return NULL;
	return arena_printf(
		s->arena, "%d %d %d %s", plan->kind, is_state, plan->key_source, plan->hook);
}

static bool has_room(const struct unit *u, const struct sema_clause *c)
{
	return u->plan.key_source != KEY_COOKIE || vec_last(&u->clauses) == c ||
		u->clauses.len < COOKIE_CLAUSES - u->plan.entries;
}

/* Returns the programs that share PLAN's hook, with room for clause C first; NULL: none do. */
static struct hook_units *of_hook(struct lower_session *s, struct units *us,
	const struct sema_clause *c, const struct attach_plan *plan)
{
	const char *key = hook_key(s, plan, c->is_state);
	struct hook_units *h = key ? strmap_get(&us->hooks, key) : NULL;

	/* clauses come in order: a program without room for C has none for those after it */
	while (h && h->full < h->units.len && !has_room(h->units.data[h->full], c))
		h->full++;
	return h;
}

/* Returns the program that clause C of plan number I of P belongs to; NULL = a new one. */
static struct unit *find_unit(struct lower_session *s, struct units *us,
	const struct sema_clause *c, const struct probe *p, unsigned i,
	const struct attach_plan *plan)
{
	const struct placed *at = placed(s, us, p);
	const struct hook_units *h;
	struct unit *u = NULL;

	if (has_cookies(s, plan) && at->unit)
		return has_room(at->unit, c) ? at->unit : NULL;
	h = of_hook(s, us, c, plan);
	if (h && h->full < h->units.len)
		u = h->units.data[h->full];
	vec_for (have, &at->units)
		if (!has_cookies(s, plan) && (*have)->is_state == c->is_state &&
			(*have)->number == i && has_room(*have, c) &&
			(!u || (*have)->order < u->order))
			u = *have;
	return u;
}

static struct unit *new_unit(struct lower_session *s, struct units *us, const struct sema_clause *c,
	const struct probe *p, unsigned i, const struct attach_plan *plan)
{
	struct unit *u = arena_new_obj(s->arena, struct unit);
	struct hook_units *h;
	const char *key;

	u->plan = *plan;
	u->number = i;
	u->is_error = plan->kind == ATTACH_ERROR;
	u->is_each = plan->from && plan->from->each;
	u->is_state = c->is_state;
	u->is_open = attach_is_user(plan->kind) && has_cookies(s, plan);
	u->derived = plan->from ? sema_derived_of(s->sema, p, i) : NULL;
	u->order = us->all.len;
	vec_push(s->arena, &us->all, u);
	key = hook_key(s, plan, u->is_state);
	if (!key)
		return u;
	h = strmap_get(&us->hooks, key);
	if (!h) {
		h = arena_new_obj(s->arena, struct hook_units);
		strmap_put(s->arena, &us->hooks, key, h);
	}
	vec_push(s->arena, &h->units, u);
	return u;
}

static void add_probe(struct lower_session *s, struct units *us, struct unit *u,
	const struct probe *p, const struct attach_plan *plan)
{
	uint32_t place = u->is_open ? s->out->places.used++ : u->probes.len;
	struct attach_site site = {.hook = plan->hook,
		.addr = plan->addr,
		.cookie = p->id | (uint64_t)place << COOKIE_PLACE,
		.file = plan->file,
		.pid = plan->pid,
		.semaphore = plan->semaphore,
		.usdt = plan->usdt,
		.leave = plan->leave,
		.gate = plan->gate,
		.function = plan->function};

	if (!u->probes.len) {
		p->provider->describe(registry_env(s->registry), p, &u->args);
		if (plan->raw)
			memcpy(u->args.raw, plan->raw, sizeof(u->args.raw));
	}
	if (has_cookies(s, plan)) {
		struct placed *at = placed(s, us, p);

		if (at->unit != u)
			at->at = u->probes.len;
		at->n = u->probes.len + 1 - at->at;
		at->unit = u;
	}
	if (!has_probe(placed(s, us, p), u))
		vec_push(s->arena, &placed(s, us, p)->units, u);
	vec_push(s->arena, &u->probes, p);
	vec_push(s->arena, &u->keys, plan->key_source == KEY_COOKIE ? place : plan->key);
	vec_push(s->arena, &u->sites, site);
	for (uint32_t i = 0; i < plan->nmore_keys; i++) {
		vec_push(s->arena, &u->probes, p);
		vec_push(s->arena, &u->keys, plan->more_keys[i]);
		vec_push(s->arena, &u->sites, site);
	}
}

/* Makes plan number I of P a place of a program that has clause C, and returns the program. */
static struct unit *place_hook(struct lower_session *s, struct units *us, struct sema_clause *c,
	const struct probe *p, unsigned i, const struct attach_plan *plan)
{
	struct unit *u = find_unit(s, us, c, p, i, plan);
	bool cookie = has_cookies(s, plan);
	const struct placed *at = placed(s, us, p);

	if (!u)
		u = new_unit(s, us, c, p, i, plan);
	if (cookie ? at->unit != u || i >= at->n : !has_probe(at, u))
		add_probe(s, us, u, p, plan);
	if (!u->clauses.len || vec_last(&u->clauses) != c)
		vec_push(s->arena, &u->clauses, c);
	return u;
}

static void enable_hook(struct lower_session *s, struct units *us, struct sema_clause *c,
	const struct probe *p, unsigned i, const struct attach_plan *plan)
{
	struct unit *u = place_hook(s, us, c, p, i, plan);

	if (plan->key_source == KEY_COOKIE)
		u->sites.data[has_cookies(s, plan) ? placed(s, us, p)->at + i : 0].cookie |= 1ULL
			<< (COOKIE_MASK + u->clauses.len - 1);
}

/* Enables C at one place of a probe that processes share, whose own clauses may come later. */
static void enable_joined(struct lower_session *s, struct units *us, struct sema_clause *c,
	const struct join_place *at)
{
	const struct attach_plan asked = {.args_used = placed(s, us, at->probe)->args_used};
	struct attach_plan plan = asked;

	/* with cookies the places of a probe are one after the other in its program */
	for (unsigned i = 0;
		at->probe->provider->plan(registry_env(s->registry), at->probe, i, &plan) >= 0;
		i++) {
		if (i == at->plan)
			enable_hook(s, us, c, at->probe, i, &plan);
		else if (has_cookies(s, &plan))
			place_hook(s, us, c, at->probe, i, &plan);
		plan = asked;
	}
}

/* Enables C at the places whose files its process may come to map. */
static void enable_named(struct lower_session *s, struct units *us, struct sema_clause *c)
{
	if (!c->joins)
		return;
	vec_for (p, &us->shared->probes) {
		const struct join_place *at;

		for (unsigned i = 0; (at = join_named(s, us->shared, c, *p, i)) != NULL; i++)
			enable_joined(s, us, c, at);
	}
}

/* Adds the program for probes of clause C that may come while tracing and are attached by PLAN. */
static void add_late(struct lower_session *s, struct units *us, struct sema_clause *c,
	const struct attach_plan *plan)
{
	const struct hook_units *h = of_hook(s, us, c, plan);
	struct unit *u = NULL;

	for (uint32_t k = h ? h->full : 0; h && k < h->units.len; k++)
		if (has_room(h->units.data[k], c))
			u = h->units.data[k];
	if (!u) {
		u = new_unit(s, us, c, NULL, 0, plan);
		memcpy(u->args.raw, plan->raw, sizeof(u->args.raw));
	}
	if (!u->clauses.len || vec_last(&u->clauses) != c)
		vec_push(s->arena, &u->clauses, c);
}

/*
 * Adds the programs for what comes once the first thread of C's process has ended, which are of
 * another type (scope_set_multi()).  A process of one thread ends with it.
 */
static void enable_headless(struct lower_session *s, struct units *us, struct sema_clause *c)
{
	const struct attach_plan asked = {.args_used = c->args_used != 0};
	struct provider_env *env = registry_env(s->registry);
	struct attach_plan plan = asked;

	if (c->process <= 0 || env->headless == c->process || !env->threaded ||
		!env->threaded(env->arg, c->process))
		return;
	env->as_headless = true;
	for (unsigned i = 0; c->late->user->late(env, &c->pat, i, &plan) >= 0; i++) {
		if (plan.scope == IN_PROCESS && !plan.multi)
			add_late(s, us, c, &plan);
		plan = asked;
	}
	env->as_headless = false;
}

/* Adds all of them, also those of the wider scopes that it joins. */
static void enable_late(struct lower_session *s, struct units *us, struct sema_clause *c)
{
	const struct attach_plan asked = {.args_used = c->args_used != 0};
	struct attach_plan plan = asked;

	for (unsigned i = 0; c->late->user->late(registry_env(s->registry), &c->pat, i, &plan) >= 0;
		i++) {
		add_late(s, us, c, &plan);
		for (int wider = c->scope + 1; wider <= IN_ALL; wider++) {
			if (!join_meets(s, c, wider))
				continue;
			attach_set_scope(&plan, wider);
			add_late(s, us, c, &plan);
		}
		plan = asked;
	}
	if (c->scope == IN_PROCESS && env_has(registry_env(s->registry), FEATURE_UPROBE_MULTI))
		enable_headless(s, us, c);
}

static void enable(
	struct lower_session *s, struct units *us, struct sema_clause *c, const struct probe *p)
{
	const struct attach_plan asked = {
		.args_used = placed(s, us, p)->args_used,
		.few = us->enabled <= FEW_PROBES && !s->plan->many,
	};
	struct attach_plan plan = asked;
	unsigned i = 0;

	for (; p->provider->plan(registry_env(s->registry), p, i, &plan) >= 0; i++) {
		const struct join_place *at = join_at(s, us->shared, c, &plan);

		if (needs_cookies(s, &plan)) {
			diag_add(s->diags, "D_UNKNOWN", c->loc,
				"cannot attach probe %s:%s:%s:%s: this kernel has no " COOKIES,
				p->prov, p->mod, p->func, p->name);
			s->failed = true;
			return;
		}
		if (at)
			enable_joined(s, us, c, at);
		else
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
		"the arguments of %u trace events are too many with probe description %s, the most is %u: describe fewer probes, or use no arguments",
		n, over->text, MOST_RECORDS);
	s->failed = true;
}

static bool is_error(struct lower_session *s, const struct probe *p)
{
	struct attach_plan plan = {0};

	p->provider->plan(registry_env(s->registry), p, 0, &plan);
	return plan.kind == ATTACH_ERROR;
}

/* Adds the programs of a later generation: for probes that are still to come, and ERROR. */
static void enable_again(struct lower_session *s, struct units *us)
{
	vec_for (at, &s->sema->clauses) {
		struct sema_clause *c = *at;

		if (!c->enabled || c->is_state)
			continue;
		for (uint32_t k = 0; k < c->probes.len; k++)
			if (is_error(s, c->probes.data[k]))
				enable(s, us, c, c->probes.data[k]);
		if (c->late && !c->unchecked && target_has(s->target, FEATURE_COOKIES))
			enable_late(s, us, c);
	}
}

static void enable_all(struct lower_session *s, struct units *us)
{
	bool missed = false;

	vec_for (at, &s->sema->clauses)
		if ((*at)->enabled && !(*at)->is_state)
			note_use(s, us, *at);
	vec_for (at, &s->sema->clauses) {
		struct sema_clause *c = *at;

		if (!c->enabled || c->is_state)
			continue;
		for (uint32_t k = 0; k < c->probes.len; k++)
			enable(s, us, c, c->probes.data[k]);
		enable_named(s, us, c);
		if (!c->late)
			continue;
		if (!target_has(s->target, FEATURE_COOKIES))
			missed = true;
		else if (!c->unchecked)
			enable_late(s, us, c);
	}
	if (missed)
		diag_warn(s->diags, (struct loc){0},
			"libraries and processes that come while tracing have no probes: this kernel has no " COOKIES);
	enable_state(s, us);
	limit_records(s, us);
}

const units_vec *session_units(struct lower_session *s)
{
	struct units *us = arena_new_obj(s->arena, struct units);

	us->probes.arena = s->arena;
	us->shared = join_places(s);
	if (s->before)
		enable_again(s, us);
	else
		enable_all(s, us);
	sort_units(&us->all);
	return &us->all;
}

/* ---- a unit ---- */

uint32_t units_key_mask(const struct unit *u)
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
