// SPDX-License-Identifier: Apache-2.0
/* Attaches open programs to more places, of a process or of a file that processes share. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/record.h"
#include "abi/returns.h"
#include "abi/usdt.h"
#include "base/arena.h"
#include "compile/compiling.h"
#include "compile/image.h"
#include "ir/lower.h"
#include "ir/places.h"
#include "load/load.h"
#include "probe/glob.h"
#include "probe/part.h"
#include "probe/probe.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "probe/user_provider.h"
#include "sema/typed.h"
#include "late/late_int.h"
#include "target/target.h"

int late_install_site(struct load *load, const struct attach_site *s)
{
	uint32_t place = cookie_place(s->cookie);

	if (s->leave)
		return load_map_put(load, DT_MAP_RETURN_SITES, place, s->leave, sizeof(*s->leave));
	if (!s->usdt || load_map_fd(load, DT_MAP_USDT_SITES) < 0) /* nobody looks at them */
		return 0;
	return load_map_put(load, DT_MAP_USDT_SITES, place, s->usdt, sizeof(*s->usdt));
}

/* Returns those of O's clauses, a bit each, that program BY has under COOKIE. */
static uint32_t common_clauses(
	const struct open_prog *o, const struct open_prog *by, uint64_t cookie)
{
	uint32_t theirs = places_clauses(cookie), bits = 0;

	if (by->kind != o->kind || by->scope != o->scope ||
		attach_place_group(by->group) != attach_place_group(o->group))
		return 0;
	for (uint32_t i = 0; i < by->clauses.len; i++)
		for (uint32_t k = 0; theirs >> i & 1 && k < o->clauses.len; k++)
			if (o->clauses.data[k] == by->clauses.data[i])
				bits |= 1u << k;
	return bits;
}

/*
 * Returns those of O's clauses that the place of S has already, by O or by a program that O
 * follows: the kernel keeps that across an exec.
 */
static uint32_t attached_clauses(struct late *l, const struct late_process *p,
	const struct open_prog *o, const struct attach_site *s)
{
	uint32_t bits = 0;

	vec_for (have, &p->attached) {
		if (have->file != s->file || have->addr != s->addr)
			continue;
		vec_for (by, &l->env.image->open)
			if (by->prog == have->prog)
				bits |= common_clauses(o, by, have->cookie);
	}
	return bits;
}

int late_note_attached(struct late *l, uint32_t prog, const struct attach_site *s)
{
	struct late_process *p = late_process(l, s->pid);

	return p ? heapvec_push(&p->attached, (struct attached){prog, s->file, s->addr, s->cookie})
		 : -ENOMEM;
}

bool late_pattern_for(
	struct late *l, const struct sema_clause *c, pid_t pid, struct probe_pattern *pat)
{
	size_t len = strlen(c->pat.prov), digits = len;
	long about;

	*pat = c->pat;
	if (c->scope != IN_PROCESS)
		return false;
	if (glob_is_pattern(c->pat.prov))
		return true;
	while (digits && isdigit((unsigned char)c->pat.prov[digits - 1]))
		digits--;
	about = digits < len ? strtol(c->pat.prov + digits, NULL, 10) : 0;
	if (about == pid)
		return true;
	if (!late_in_family(l, pid) || !targets_has(l->env.targets, (pid_t)about))
		return false;
	pat->prov = arena_printf(l->look, "%.*s%d", (int)digits, c->pat.prov, pid);
	return true;
}

bool late_is_enabled(struct late *l, const struct sema_clause *c, const struct probe *p, pid_t pid)
{
	struct probe_pattern pat = c->pat;

	return c->late == p->provider && (p->shared || late_pattern_for(l, c, pid, &pat)) &&
		registry_matches(l->env.compiling->registry, p, &pat);
}

static void note_found(struct late *l, const struct sema_clause *c)
{
	vec_for (known, &l->clauses)
		if (known->clause == c)
			known->found = true;
}

/* ---- places that processes share ---- */

/* A place that is attached for many processes, and the clauses that its program has there. */
struct shared_place {
	VEC(const struct sema_clause *) clauses;
};

static const struct attach_file *first_known(const struct attach_file *f)
{
	return f->same ? f->same : f;
}

/* Writes the name of place S of program O, whatever its scope. */
static void place_name(
	const struct open_prog *o, const struct attach_site *s, char *name, size_t size)
{
	snprintf(name, size, "%d %u %p %llx", o->kind, attach_place_group(o->group),
		(const void *)first_known(s->file), (unsigned long long)s->addr);
}

static bool has_bit(const struct open_prog *o, const struct attach_site *s, uint32_t i)
{
	return places_clauses(s->cookie) >> i & 1;
}

void late_note_shared(struct late *l, const struct open_prog *o, const struct attach_site *s)
{
	struct shared_place *place;
	char name[96];

	place_name(o, s, name, sizeof(name));
	place = strmap_get(&l->shared, name);
	if (!place) {
		place = arena_new_obj(l->env.arena, struct shared_place);
		strmap_put(l->env.arena, &l->shared, arena_strdup(l->env.arena, name), place);
	}
	for (uint32_t i = 0; i < o->clauses.len; i++)
		if (has_bit(o, s, i))
			vec_push(l->env.arena, &place->clauses, o->clauses.data[i]);
}

/* True if clause C is attached at place S of program O in its process alone. */
static bool is_in_process(struct late *l, const struct open_prog *o, const struct attach_site *s,
	const struct sema_clause *c)
{
	const struct image *image = l->env.image;
	const struct late_process *p = late_find(l, c->process);

	vec_for (have, &image->open) {
		if (!p || have->kind != o->kind || have->scope != IN_PROCESS ||
			attach_place_group(have->group) != attach_place_group(o->group))
			continue;
		vec_for (a, &p->attached) {
			const struct attach_site at = {.cookie = a->cookie};

			if (a->prog != have->prog || a->addr != s->addr ||
				first_known(a->file) != first_known(s->file))
				continue;
			for (uint32_t i = 0; i < have->clauses.len; i++)
				if (have->clauses.data[i] == c && has_bit(have, &at, i))
					return true;
		}
	}
	return false;
}

/* Returns CLAUSES, of program O at place S, without those that another link there serves. */
static uint32_t without_served(
	struct late *l, const struct open_prog *o, const struct attach_site *s, uint32_t clauses)
{
	const struct shared_place *place;
	char name[96];

	if (!l->joins)
		return clauses;
	place_name(o, s, name, sizeof(name));
	place = strmap_get(&l->shared, name);
	for (uint32_t i = 0; i < o->clauses.len; i++) {
		const struct sema_clause *c = o->clauses.data[i];
		bool served = false;

		if (place && (!s->pid || s->pid == c->process))
			vec_for (have, &place->clauses)
				served |= *have == c;
		if (!s->pid && c->scope == IN_PROCESS)
			served |= is_in_process(l, o, s, c);
		if (served)
			clauses &= ~(1u << i);
	}
	return clauses;
}

/* True if C, a clause of program O, is enabled on P. */
static bool is_enabled(struct late *l, const struct open_prog *o, const struct sema_clause *c,
	const struct probe *p, pid_t pid)
{
	if (c->scope == o->scope)
		return late_is_enabled(l, c, p, pid);
	return c->late == p->provider &&
		registry_matches_in(l->env.compiling->registry, p, &c->pat, c->process);
}

/* Returns a bit for each clause of program O that is enabled on P. */
static uint32_t clauses_of(
	struct late *l, const struct open_prog *o, const struct probe *p, pid_t pid)
{
	uint32_t bits = 0;

	for (uint32_t i = 0; i < o->clauses.len; i++) {
		if (!is_enabled(l, o, o->clauses.data[i], p, pid))
			continue;
		bits |= 1u << i;
		note_found(l, o->clauses.data[i]);
	}
	return bits;
}

struct attaching {
	struct late *l;
	const struct late_process *process; /* NULL: places that processes share */
	const struct open_prog *o;
	struct attach_plan asked;
};

/* registry_visit()'s: the places of P that belong to the program. */
static void add_sites(void *arg, const struct probe *p)
{
	struct attaching *a = arg;
	struct late *l = a->l;
	struct attach_plan plan = a->asked;
	uint32_t clauses;

	for (unsigned i = 0;
		p->provider->plan(registry_env(l->env.compiling->registry), p, i, &plan) >= 0;
		i++) {
		struct attach_site s = {.addr = plan.addr, .file = plan.file, .pid = plan.pid};

		if (plan.kind != a->o->kind || plan.group != a->o->group ||
			plan.pid != (a->process ? a->process->pid : 0))
			return;
		clauses = clauses_of(l, a->o, p, plan.pid);
		if (!clauses)
			return;
		if (!places_left(&l->places)) {
			l->full = true;
			return;
		}
		s.semaphore = plan.semaphore;
		s.usdt = plan.usdt;
		s.leave = plan.leave;
		s.gate = plan.gate;
		s.function = plan.function;
		plan = a->asked;
		clauses &= a->process ? ~attached_clauses(l, a->process, a->o, &s) : ~0u;
		if (!clauses)
			continue;
		clauses = without_served(l, a->o, &s, clauses);
		if (!clauses)
			continue;
		if (l->alone) {
			l->missed = true;
			return;
		}
		if (!load_may_attach(l->env.load, l->sites.len + 1)) {
			l->limited = true;
			return;
		}
		s.cookie = places_take(&l->places, p->id, clauses);
		vec_push(l->env.arena, &l->sites, s);
	}
}

/* Give the programs the texts of probefunc and the like, which some look up by place. */
static int install_names(struct late *l, const struct open_prog *o)
{
	int err = 0;

	for (int part = 0; !err && part < LOWER_PARTS; part++) {
		struct load_patch *patches;

		if (!o->names[part] || !l->sites.len)
			continue;
		patches = arena_new_array(l->look, struct load_patch, l->sites.len);
		for (uint32_t i = 0; i < l->sites.len; i++) {
			const struct attach_site *s = &l->sites.data[i];
			const struct probe *p =
				registry_by_id(l->env.compiling->registry, places_probe(s->cookie));
			char *name = arena_alloc(l->look, LOWER_NAME);

			probe_part_fixed(p, DATUM_PROBEPROV + part, name, LOWER_NAME);
			patches[i] = (struct load_patch){
				cookie_place(s->cookie) * LOWER_NAME, name, LOWER_NAME};
		}
		err = load_map_patch(l->env.load, o->names[part], patches, l->sites.len);
	}
	return err;
}

/* Write a number for each place to TABLE: the process that it is in, or the line of its probe. */
static int install_numbers(struct late *l, const char *table, bool lines)
{
	struct load_patch *patches;
	uint32_t *numbers;

	if (!table || !l->sites.len)
		return 0;
	patches = arena_new_array(l->look, struct load_patch, l->sites.len);
	numbers = arena_new_array(l->look, uint32_t, l->sites.len);
	for (uint32_t i = 0; i < l->sites.len; i++) {
		const struct attach_site *s = &l->sites.data[i];
		const struct probe *p =
			registry_by_id(l->env.compiling->registry, places_probe(s->cookie));

		numbers[i] = lines ? p->line : (uint32_t)s->pid;
		patches[i] = (struct load_patch){
			cookie_place(s->cookie) * sizeof(*numbers), &numbers[i], sizeof(*numbers)};
	}
	return load_map_patch(l->env.load, table, patches, l->sites.len);
}

int late_attach_program(
	struct late *l, const struct late_process *p, const struct open_prog *o, uint32_t first)
{
	struct attaching a = {.l = l, .process = p, .o = o};
	const struct provider *v = o->clauses.data[0]->late;
	int err = 0;

	l->sites.len = 0;
	l->missed = false;
	vec_for (c, &o->clauses)
		a.asked.args_used |= (*c)->args_used != 0;
	if (p)
		registry_visit(l->env.compiling->registry, v, p->pid, first, add_sites, &a);
	else
		registry_visit_shared(l->env.compiling->registry, v, first, add_sites, &a);
	for (uint32_t i = 0; !err && i < l->sites.len; i++)
		err = late_install_site(l->env.load, &l->sites.data[i]);
	if (!err)
		err = install_names(l, o);
	if (!err)
		err = install_numbers(l, o->pids, false);
	if (!err)
		err = install_numbers(l, o->lines, true);
	vec_for (s, &l->sites) {
		if (!err && p)
			err = late_note_attached(l, o->prog, s);
		else if (l->joins)
			late_note_shared(l, o, s);
	}
	if (!err && l->missed)
		err = -EPIPE;
	if (!err && l->sites.len)
		err = load_attach_late(l->env.load, o->prog, l->sites.data, l->sites.len);
	return err;
}

/* Attach O to the gates of clause C, of which PAT is the description in one process. */
static int attach_gates_of(struct late *l, const struct open_prog *o, const struct sema_clause *c,
	const struct probe_pattern *pat)
{
	const struct attach_plan asked = {.args_used = c->args_used != 0};
	struct provider_env *env = registry_env(l->env.compiling->registry);
	struct attach_plan plan = asked;
	int err = 0;

	for (unsigned i = 0; !err && c->late->user->gate(env, pat, i, &plan) >= 0; i++) {
		const struct attach_site s = {
			.file = plan.file, .pid = plan.pid, .gate = plan.gate};

		err = load_attach_late(l->env.load, o->prog, &s, 1);
		plan = asked;
	}
	return err;
}

int late_attach_gates(struct late *l, pid_t pid)
{
	struct probe_pattern pat;
	int err = 0;

	vec_for (o, &l->env.image->open)
		for (uint32_t i = 0; !err && !o->retired && i < o->clauses.len; i++) {
			const struct sema_clause *c = o->clauses.data[i];

			if (c->late->user->by_function && late_pattern_for(l, c, pid, &pat))
				err = attach_gates_of(l, o, c, &pat);
		}
	return err;
}
