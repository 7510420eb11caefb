// SPDX-License-Identifier: Apache-2.0
/* Attaches open programs to more places, of a process or of a file that processes share. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/record.h"
#include "abi/usdt.h"
#include "base/arena.h"
#include "ir/lower.h"
#include "load/load.h"
#include "probe/glob.h"
#include "probe/part.h"
#include "probe/probe.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "sema/typed.h"
#include "session/late_int.h"
#include "session/session.h"
#include "target/target.h"

int late_install_site(struct dtrace *d, const struct attach_site *s)
{
	uint32_t place = lower_place(s->cookie);

	if (!s->usdt ||
		load_map_fd(d->tracing.load, DT_MAP_USDT_SITES) < 0) /* nobody looks at them */
		return 0;
	return load_map_put(d->tracing.load, DT_MAP_USDT_SITES, place, s->usdt, sizeof(*s->usdt));
}

/* True if program O is attached to the place of S already: the kernel keeps that across an exec. */
static bool is_attached(
	const struct late_process *p, const struct open_prog *o, const struct attach_site *s)
{
	vec_for (have, &p->attached)
		if (have->prog == o->prog && have->file == s->file && have->addr == s->addr)
			return true;
	return false;
}

int late_note_attached(struct late_probes *l, uint32_t prog, const struct attach_site *s)
{
	struct late_process *p = late_process(l, s->pid);

	return p ? heapvec_push(&p->attached, (struct attached){prog, s->file, s->addr, s->cookie})
		 : -ENOMEM;
}

bool late_pattern_for(
	struct dtrace *d, const struct sema_clause *c, pid_t pid, struct probe_pattern *pat)
{
	const struct late_probes *l = d->tracing.late_probes;
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
	if (!late_in_family(l, pid) || !targets_has(d->targets, (pid_t)about))
		return false;
	pat->prov = arena_printf(l->look, "%.*s%d", (int)digits, c->pat.prov, pid);
	return true;
}

bool late_is_enabled(
	struct dtrace *d, const struct sema_clause *c, const struct probe *p, pid_t pid)
{
	struct probe_pattern pat = c->pat;

	return c->late == p->provider && (p->shared || late_pattern_for(d, c, pid, &pat)) &&
		registry_matches(d->compiling.registry, p, &pat);
}

static void note_found(struct late_probes *l, const struct sema_clause *c)
{
	vec_for (known, &l->clauses)
		if (known->clause == c)
			known->found = true;
}

/* Returns a bit for each clause of program O that is enabled on P. */
static uint32_t clauses_of(
	struct dtrace *d, const struct open_prog *o, const struct probe *p, pid_t pid)
{
	uint32_t bits = 0;

	for (uint32_t i = 0; i < o->clauses.len; i++) {
		if (!late_is_enabled(d, o->clauses.data[i], p, pid))
			continue;
		bits |= 1u << i;
		note_found(d->tracing.late_probes, o->clauses.data[i]);
	}
	return bits;
}

struct attaching {
	struct dtrace *d;
	const struct late_process *process; /* NULL: places that processes share */
	const struct open_prog *o;
	struct attach_plan asked;
};

/* registry_visit()'s: the places of P that belong to the program. */
static void add_sites(void *arg, const struct probe *p)
{
	struct attaching *a = arg;
	struct dtrace *d = a->d;
	struct attach_plan plan = a->asked;
	uint32_t clauses;

	for (unsigned i = 0;
		p->provider->plan(registry_env(d->compiling.registry), p, i, &plan) >= 0; i++) {
		struct attach_site s = {.addr = plan.addr, .file = plan.file, .pid = plan.pid};

		if (plan.kind != a->o->kind || plan.group != a->o->group ||
			plan.pid != (a->process ? a->process->pid : 0))
			return;
		clauses = clauses_of(d, a->o, p, plan.pid);
		if (!clauses)
			return;
		if (!lower_has_place(d->compiling.lowered)) {
			d->tracing.late_probes->full = true;
			return;
		}
		s.semaphore = plan.semaphore;
		s.usdt = plan.usdt;
		plan = a->asked;
		if (a->process && is_attached(a->process, a->o, &s))
			continue;
		s.cookie = lower_cookie(d->compiling.lowered, p->id, clauses);
		vec_push(d->arena, &d->tracing.late_probes->sites, s);
	}
}

/* Give the programs the texts of probefunc and the like, which some look up by place. */
static int install_names(struct dtrace *d, const struct open_prog *o)
{
	const struct late_probes *l = d->tracing.late_probes;
	int err = 0;

	for (int part = 0; !err && part < 4; part++) {
		struct load_patch *patches;

		if (!o->names[part] || !l->sites.len)
			continue;
		patches = arena_new_array(l->look, struct load_patch, l->sites.len);
		for (uint32_t i = 0; i < l->sites.len; i++) {
			const struct attach_site *s = &l->sites.data[i];
			const struct probe *p =
				registry_by_id(d->compiling.registry, lower_probe_id(s->cookie));
			char *name = arena_alloc(l->look, LOWER_NAME);

			probe_part_fixed(p, DATUM_PROBEPROV + part, name, LOWER_NAME);
			patches[i] = (struct load_patch){
				lower_place(s->cookie) * LOWER_NAME, name, LOWER_NAME};
		}
		err = load_map_patch(d->tracing.load, o->names[part], patches, l->sites.len);
	}
	return err;
}

/* Give the programs the process of each place, if they check it themselves. */
static int install_pids(struct dtrace *d, const struct open_prog *o)
{
	const struct late_probes *l = d->tracing.late_probes;
	struct load_patch *patches;

	if (!o->pids || !l->sites.len)
		return 0;
	patches = arena_new_array(l->look, struct load_patch, l->sites.len);
	for (uint32_t i = 0; i < l->sites.len; i++) {
		const struct attach_site *s = &l->sites.data[i];

		patches[i] = (struct load_patch){
			lower_place(s->cookie) * sizeof(uint32_t), &s->pid, sizeof(uint32_t)};
	}
	return load_map_patch(d->tracing.load, o->pids, patches, l->sites.len);
}

int late_attach_program(
	struct dtrace *d, const struct late_process *p, const struct open_prog *o, uint32_t first)
{
	struct attaching a = {.d = d, .process = p, .o = o};
	const struct provider *v = o->clauses.data[0]->late;
	struct late_probes *l = d->tracing.late_probes;
	int err = 0;

	l->sites.len = 0;
	if (p)
		registry_visit(d->compiling.registry, v, p->pid, first, add_sites, &a);
	else
		registry_visit_shared(d->compiling.registry, v, first, add_sites, &a);
	for (uint32_t i = 0; !err && i < l->sites.len; i++)
		err = late_install_site(d, &l->sites.data[i]);
	if (!err)
		err = install_names(d, o);
	if (!err)
		err = install_pids(d, o);
	vec_for (s, &l->sites)
		if (!err && p)
			err = late_note_attached(l, o->prog, s);
	if (!err && l->sites.len)
		err = load_attach_late(d->tracing.load, o->prog, l->sites.data, l->sites.len);
	return err;
}
