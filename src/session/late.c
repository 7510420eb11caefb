// SPDX-License-Identifier: Apache-2.0
/* Attaches to probes of user code that come while tracing. */
#include "session/late.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "abi/usdt.h"
#include "ir/lower.h"
#include "compile/compile.h"
#include "load/unwind.h"
#include "probe/glob.h"
#include "probe/part.h"
#include "probe/provider.h"
#include "sym/mapwatch.h"

/* A process that something has happened to since the last look. */
struct change {
	pid_t pid;
	bool exec; /* its files are others now, though their probes may have the same names */
	bool gone;
};

struct attached {
	uint32_t prog;
	pid_t pid;
	const struct attach_file *file;
	uint64_t addr;
};

struct late_probes {
	VEC(struct attached) attached;
	struct mapwatch *watch;			 /* NULL: nobody waits for anything */
	VEC(const struct sema_clause *) clauses; /* whose descriptions may match more */
	VEC(struct change) changes;
	VEC(pid_t) family;    /* of the targets: their children, and theirs */
	bool lost;	      /* some of what happened was not told */
	bool full, told_full; /* there is no place for another probe */
	bool begun;
	uint32_t skipped;	       /* that the kernel refused, as told so far */
	VEC(struct attach_site) sites; /* being made, of one program */
};

/* ---- what is attached ---- */

/* Whether program O is attached to the place of S already: the kernel keeps that across an exec. */
static bool is_attached(
	const struct dtrace *d, const struct open_prog *o, const struct attach_site *s)
{
	vec_for (have, &d->tracing.late_probes->attached)
		if (have->prog == o->prog && have->pid == s->pid && have->file == s->file &&
			have->addr == s->addr)
			return true;
	return false;
}

static void note_attached(struct dtrace *d, uint32_t prog, const struct attach_site *s)
{
	vec_push(d->arena, &d->tracing.late_probes->attached,
		((struct attached){prog, s->pid, s->file, s->addr}));
}

/* ---- opening ---- */

static void note_clause(struct dtrace *d, const struct sema_clause *c)
{
	if (c->enabled && c->late)
		vec_push(d->arena, &d->tracing.late_probes->clauses, c);
}

/* Tell the programs how the arguments of site S are found. */
static int install_site(struct dtrace *d, const struct attach_site *s)
{
	uint32_t place = lower_place(s->cookie);

	if (!s->usdt ||
		load_map_fd(d->tracing.load, DT_MAP_USDT_SITES) < 0) /* nobody looks at them */
		return 0;
	return load_map_put(d->tracing.load, DT_MAP_USDT_SITES, place, s->usdt, sizeof(*s->usdt));
}

int late_open(struct dtrace *d)
{
	const struct sema_session *session = sema_session(d->compiling.sema);
	const struct ir_module *m = &d->compiling.lowered->module;
	int err = 0;

	for (uint32_t i = 0; i < m->progs.len; i++)
		for (uint32_t k = 0; !err && k < m->progs.data[i].sites.len; k++)
			err = install_site(d, &m->progs.data[i].sites.data[k]);
	if (err)
		return report_error(
			&d->report, err, "cannot set up static probes: %s", strerror(-err));
	if (!d->compiling.lowered->open.len)
		return 0;
	d->tracing.late_probes = arena_new_obj(d->arena, struct late_probes);
	for (uint32_t i = 0; i < session->clauses.len; i++)
		note_clause(d, session->clauses.data[i]);
	for (uint32_t i = 0; i < d->compiling.lowered->open.len; i++) {
		uint32_t prog = d->compiling.lowered->open.data[i].prog;

		vec_for (s, &m->progs.data[prog].sites)
			note_attached(d, prog, s);
	}
	if (d->tracing.late_probes->clauses.len)
		d->tracing.late_probes->watch = mapwatch_new(true);
	if (d->tracing.late_probes->clauses.len && !d->tracing.late_probes->watch)
		return report_error(
			&d->report, -errno, "cannot watch processes: %s", strerror(errno));
	return 0;
}

void late_close(struct late_probes *l)
{
	if (l)
		mapwatch_free(l->watch);
}

int late_fd(const struct dtrace *d)
{
	return d->tracing.late_probes && d->tracing.late_probes->watch
		? mapwatch_fd(d->tracing.late_probes->watch)
		: -1;
}

/* ---- what has happened ---- */

static struct change *change_of(struct dtrace *d, pid_t pid)
{
	struct change *c;

	vec_for (have, &d->tracing.late_probes->changes)
		if (have->pid == pid)
			return have;
	c = vec_add(d->arena, &d->tracing.late_probes->changes);
	*c = (struct change){.pid = pid};
	return c;
}

static bool in_family(const struct dtrace *d, pid_t pid)
{
	vec_for (have, &d->tracing.late_probes->family)
		if (*have == pid)
			return true;
	return targets_has(d->targets, pid);
}

/* mapwatch_drain()'s */
static void on_watch(void *arg, const struct mapwatch_event *e)
{
	struct dtrace *d = arg;

	switch (e->kind) {
	case MAPWATCH_LOST:
		d->tracing.late_probes->lost = true;
		break;
	case MAPWATCH_FORK:
		if (options_on(d->opts, OPT_follow) && in_family(d, e->parent))
			vec_push(d->arena, &d->tracing.late_probes->family, e->pid);
		change_of(d, e->pid);
		break;
	case MAPWATCH_EXEC:
		change_of(d, e->pid)->exec = true;
		break;
	case MAPWATCH_EXIT:
		/* of a thread, perhaps */
		if (kill(e->pid, 0) && errno == ESRCH)
			change_of(d, e->pid)->gone = true;
		break;
	default:
		change_of(d, e->pid);
	}
}

/* ---- attaching ---- */

/*
 * The description of C for process PID: what was written for a target is meant for its family, too.
 * False: it is not about PID.
 */
static bool pattern_for(
	struct dtrace *d, const struct sema_clause *c, pid_t pid, struct probe_pattern *pat)
{
	size_t len = strlen(c->pat.prov), digits = len;
	long about;

	*pat = c->pat;
	if (glob_is_pattern(c->pat.prov))
		return true;
	while (digits && isdigit((unsigned char)c->pat.prov[digits - 1]))
		digits--;
	about = digits < len ? strtol(c->pat.prov + digits, NULL, 10) : 0;
	if (about == pid)
		return true;
	if (!in_family(d, pid) || !in_family(d, (pid_t)about))
		return false;
	pat->prov = arena_printf(d->arena, "%.*s%d", (int)digits, c->pat.prov, pid);
	return true;
}

/* A bit for each clause of program O whose description matches P, in process PID. */
static uint32_t clauses_of(
	struct dtrace *d, const struct open_prog *o, const struct probe *p, pid_t pid)
{
	uint32_t bits = 0;

	for (uint32_t i = 0; i < o->clauses.len; i++) {
		struct probe_pattern pat;

		if (o->clauses.data[i]->late == p->provider &&
			pattern_for(d, o->clauses.data[i], pid, &pat) && registry_matches(p, &pat))
			bits |= 1u << i;
	}
	return bits;
}

struct attaching {
	struct dtrace *d;
	const struct change *change;
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
			plan.pid != a->change->pid)
			return;
		clauses = clauses_of(d, a->o, p, plan.pid);
		if (!clauses)
			return;
		if (d->compiling.lowered->places == d->compiling.lowered->max_places) {
			d->tracing.late_probes->full = true;
			return;
		}
		s.semaphore = plan.semaphore;
		s.usdt = plan.usdt;
		plan = a->asked;
		if (is_attached(d, a->o, &s))
			continue;
		s.cookie = lower_cookie(d->compiling.lowered, p->id, clauses);
		vec_push(d->arena, &d->tracing.late_probes->sites, s);
	}
}

/* The text of probefunc and the like, where programs have it in a table by place. */
static int install_names(struct dtrace *d, const struct open_prog *o)
{
	const struct late_probes *l = d->tracing.late_probes;
	int err = 0;

	for (int part = 0; !err && part < 4; part++) {
		struct load_patch *patches;

		if (!o->names[part] || !l->sites.len)
			continue;
		patches = arena_new_array(d->arena, struct load_patch, l->sites.len);
		for (uint32_t i = 0; i < l->sites.len; i++) {
			const struct attach_site *s = &l->sites.data[i];
			const struct probe *p =
				registry_by_id(d->compiling.registry, lower_probe_id(s->cookie));
			char *name = arena_alloc(d->arena, LOWER_NAME);

			strncpy(name, probe_part(p, DATUM_PROBEPROV + part), LOWER_NAME - 1);
			patches[i] = (struct load_patch){
				lower_place(s->cookie) * LOWER_NAME, name, LOWER_NAME};
		}
		err = load_map_patch(d->tracing.load, o->names[part], patches, l->sites.len);
	}
	return err;
}

/* Which process each place is in, where the program has to see to that itself. */
static int install_pids(struct dtrace *d, const struct open_prog *o)
{
	const struct late_probes *l = d->tracing.late_probes;
	struct load_patch *patches;

	if (!o->pids || !l->sites.len)
		return 0;
	patches = arena_new_array(d->arena, struct load_patch, l->sites.len);
	for (uint32_t i = 0; i < l->sites.len; i++) {
		const struct attach_site *s = &l->sites.data[i];

		patches[i] = (struct load_patch){
			lower_place(s->cookie) * sizeof(uint32_t), &s->pid, sizeof(uint32_t)};
	}
	return load_map_patch(d->tracing.load, o->pids, patches, l->sites.len);
}

static int attach_program(
	struct dtrace *d, const struct change *c, const struct open_prog *o, uint32_t first)
{
	struct attaching a = {.d = d, .change = c, .o = o};
	const struct provider *v = o->clauses.data[0]->late;
	struct late_probes *l = d->tracing.late_probes;
	int err = 0;

	l->sites.len = 0;
	registry_visit(d->compiling.registry, v, first, add_sites, &a);
	for (uint32_t i = 0; !err && i < l->sites.len; i++)
		err = install_site(d, &l->sites.data[i]);
	if (!err)
		err = install_names(d, o);
	if (!err)
		err = install_pids(d, o);
	vec_for (s, &l->sites)
		note_attached(d, o->prog, s);
	if (!err && l->sites.len)
		err = load_attach_late(d->tracing.load, o->prog, l->sites.data, l->sites.len);
	return err;
}

/* Its number may be another's next. */
static void forget(struct dtrace *d, pid_t pid)
{
	struct late_probes *l = d->tracing.late_probes;
	uint32_t n = 0;

	load_detach_process(d->tracing.load, pid);
	vec_for (a, &l->attached)
		if (a->pid != pid)
			l->attached.data[n++] = *a;
	l->attached.len = n;
}

/* All descriptions once more for process C; what is new, or all after an exec, is attached to. */
static int attach_change(struct dtrace *d, const struct change *c)
{
	uint32_t first = c->exec ? 0 : registry_next_id(d->compiling.registry);
	bool any = false;
	int err = 0;

	if (c->gone) {
		forget(d, c->pid);
		return 0;
	}
	for (uint32_t i = 0; i < d->tracing.late_probes->clauses.len; i++) {
		const struct sema_clause *clause = d->tracing.late_probes->clauses.data[i];
		struct probe_pattern pat;

		if (!pattern_for(d, clause, c->pid, &pat))
			continue;
		/* it may have ended meanwhile */
		registry_again(d->compiling.registry, clause->late, &pat, c->pid);
		any = true;
	}
	if (any)
		unwind_add(d->tracing.load, c->pid);
	for (uint32_t i = 0; any && !err && i < d->compiling.lowered->open.len; i++)
		err = attach_program(d, c, &d->compiling.lowered->open.data[i], first);
	return err;
}

/* What came and is not enabled. */
static void tell_left_out(struct dtrace *d)
{
	struct late_probes *l = d->tracing.late_probes;
	uint32_t skipped = load_skipped(d->tracing.load);

	if (skipped > l->skipped)
		report_message(&d->report,
			"%u of the probes that came while tracing are not enabled: the kernel "
			"refuses to instrument these functions",
			skipped - l->skipped);
	l->skipped = skipped;
	if (l->full && !l->told_full)
		report_message(&d->report,
			"probes that come from now on are not enabled: %u places are taken",
			d->compiling.lowered->max_places);
	l->told_full = l->full;
}

int late_work(struct dtrace *d)
{
	struct late_probes *l = d->tracing.late_probes;
	int err = 0;

	if (!l || !l->watch)
		return 0;
	if (!l->begun) /* what was there at the start was told then */
		l->skipped = load_skipped(d->tracing.load);
	l->begun = true;
	/* twice: what happens while it looks is told the next time */
	for (int i = 0; i < 2; i++)
		mapwatch_drain(l->watch, on_watch, d);
	for (uint32_t i = 0; !err && i < l->changes.len; i++)
		err = attach_change(d, &l->changes.data[i]);
	l->changes.len = 0;
	if (l->lost)
		report_message(
			&d->report, "some processes were not looked at: too many events at once");
	l->lost = false;
	tell_left_out(d);
	return err
		? report_error(&d->report, err, "cannot attach to new probes: %s", strerror(-err))
		: 0;
}
