// SPDX-License-Identifier: Apache-2.0
/* Attaches to probes of user code that come while tracing. */
#include "session/late.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/record.h"
#include "abi/usdt.h"
#include "base/arena.h"
#include "base/heapvec.h"
#include "base/intmap.h"
#include "base/report.h"
#include "base/vec.h"
#include "ir/lower.h"
#include "ir/target.h"
#include "load/load.h"
#include "probe/attach.h"
#include "probe/glob.h"
#include "probe/part.h"
#include "probe/probe.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "sema/sema.h"
#include "sema/typed.h"
#include "session/options.h"
#include "session/session.h"
#include "sym/mapwatch.h"
#include "sym/process.h"
#include "target/target.h"

/* A place that a program is attached to. */
struct attached {
	uint32_t prog;
	const struct attach_file *file;
	uint64_t addr, cookie;
};

/* A process with attached probes, of the targets' family, or with a recent change. */
struct late_process {
	pid_t pid;
	HEAPVEC(struct attached) attached;
	bool family;	 /* a target, or a child of one, or a child's */
	bool changed;	 /* since the last look */
	bool exec;	 /* its files are others now, though their probes may have the same names */
	uint64_t ending; /* when one of its threads ended, CLOCK_MONOTONIC ns; 0: none has */
};

struct late_probes {
	struct mapwatch *watch;			 /* NULL: nobody waits for anything */
	VEC(const struct sema_clause *) clauses; /* whose descriptions may match more */
	struct intmap processes;		 /* by pid: struct late_process, on the heap */
	HEAPVEC(pid_t) changed;			 /* in the order of their first change */
	bool names;	      /* what was recorded names probes by their ids until the end */
	bool forgotten;	      /* some processes' records may still be in the buffer */
	bool lost;	      /* some of what happened was not told */
	bool full, told_full; /* there is no place for another probe */
	bool begun;
	uint32_t skipped;	       /* that the kernel refused, as told so far */
	VEC(struct attach_site) sites; /* being made, of one program */
	struct arena *look;	       /* memory of one look at what has changed */
};

/* ---- processes ---- */

static struct late_process *find_process(const struct late_probes *l, pid_t pid)
{
	return intmap_get_ptr(&l->processes, (uint64_t)pid);
}

/* Returns the entry of PID, a new one if there is none; NULL: no memory. */
static struct late_process *add_process(struct late_probes *l, pid_t pid)
{
	struct late_process *p = find_process(l, pid);

	if (p)
		return p;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->pid = pid;
	if (!intmap_put_ptr(&l->processes, (uint64_t)pid, p))
		return p;
	free(p);
	return NULL;
}

static void free_process(struct late_process *p)
{
	heapvec_free(&p->attached);
	free(p);
}

static bool in_family(const struct late_probes *l, pid_t pid)
{
	const struct late_process *p = find_process(l, pid);

	return p && p->family;
}

/* Detach from process PID, which has ended: its number may be another's next. */
static void forget_process(struct dtrace *d, pid_t pid)
{
	struct late_probes *l = d->tracing.late_probes;
	struct late_process *p = intmap_remove(&l->processes, (uint64_t)pid);

	if (!p)
		return;
	if (p->attached.len)
		load_detach_process(d->tracing.load, pid);
	vec_for (a, &p->attached)
		lower_release(d->compiling.lowered, d->arena, a->cookie);
	registry_forget(d->compiling.registry, pid);
	l->forgotten = true;
	free_process(p);
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

static int note_attached(struct late_probes *l, uint32_t prog, const struct attach_site *s)
{
	struct late_process *p = add_process(l, s->pid);

	return p ? heapvec_push(&p->attached, (struct attached){prog, s->file, s->addr, s->cookie})
		 : -ENOMEM;
}

/* ---- opening ---- */

/* Give the programs the locations of the arguments of site S. */
static int install_site(struct dtrace *d, const struct attach_site *s)
{
	uint32_t place = lower_place(s->cookie);

	if (!s->usdt ||
		load_map_fd(d->tracing.load, DT_MAP_USDT_SITES) < 0) /* nobody looks at them */
		return 0;
	return load_map_put(d->tracing.load, DT_MAP_USDT_SITES, place, s->usdt, sizeof(*s->usdt));
}

static bool has_probe_key(const struct agg_desc *a)
{
	for (uint32_t i = 0; a && i < a->nkeys; i++)
		if (a->keys[i].kind == DATUM_PROBEID)
			return true;
	return false;
}

/* True if results contain ids of probes that are turned into names later. */
static bool needs_names(const struct dtrace *d)
{
	const struct lowered *l = d->compiling.lowered;

	for (uint32_t i = 0; i < l->naggs; i++)
		if (has_probe_key(l->aggs[i]))
			return true;
	for (uint32_t i = 0; i < l->nrecs; i++)
		if (l->recs[i] && l->recs[i]->speculative)
			return true;
	return options_number(d->opts, OPT_bufpolicy) != POLICY_SWITCH ||
		!options_on(d->opts, OPT_temporal);
}

/* Note the places that were attached at the start, and their processes. */
static int note_beginning(struct dtrace *d)
{
	const struct lowered *lowered = d->compiling.lowered;
	struct late_probes *l = d->tracing.late_probes;
	struct late_process *p;
	int err = 0;

	for (uint32_t i = 0; i < lowered->open.len; i++) {
		uint32_t prog = lowered->open.data[i].prog;

		vec_for (s, &lowered->module.progs.data[prog].sites)
			if (!err)
				err = note_attached(l, prog, s);
	}
	for (unsigned i = 0; !err && targets_nth(d->targets, i); i++) {
		p = add_process(l, targets_nth(d->targets, i));
		if (p)
			p->family = true;
		else
			err = -ENOMEM;
	}
	return err;
}

static int watch_processes(struct dtrace *d)
{
	const struct sema_session *session = sema_session(d->compiling.sema);
	struct late_probes *l = arena_new_obj(d->arena, struct late_probes);

	d->tracing.late_probes = l;
	l->look = arena_new();
	if (!l->look || note_beginning(d))
		return report_no_memory(&d->report);
	l->names = needs_names(d);
	vec_for (c, &session->clauses)
		if ((*c)->enabled && (*c)->late && !(*c)->unchecked)
			vec_push(d->arena, &l->clauses, *c);
	if (!l->clauses.len)
		return 0;
	l->watch = mapwatch_new(true);
	return l->watch
		? 0
		: report_error(&d->report, -errno, "cannot watch processes: %s", strerror(errno));
}

int late_open(struct dtrace *d)
{
	const struct ir_module *m = &d->compiling.lowered->module;
	int err = 0;

	for (uint32_t i = 0; i < m->progs.len; i++)
		for (uint32_t k = 0; !err && k < m->progs.data[i].sites.len; k++)
			err = install_site(d, &m->progs.data[i].sites.data[k]);
	if (err)
		return report_error(
			&d->report, err, "cannot set up static probes: %s", strerror(-err));
	return d->compiling.lowered->open.len ? watch_processes(d) : 0;
}

void late_close(struct late_probes *l)
{
	if (!l)
		return;
	mapwatch_free(l->watch);
	intmap_for (s, &l->processes)
		free_process(s->ptr);
	intmap_free(&l->processes);
	heapvec_free(&l->changed);
	arena_free(l->look);
}

int late_fd(const struct dtrace *d)
{
	const struct late_probes *l = d->tracing.late_probes;

	return l && l->watch ? mapwatch_fd(l->watch) : -1;
}

/* ---- what has happened ---- */

/* Returns the entry of a changed process; NULL: no memory, which is reported. */
static struct late_process *note_change(struct late_probes *l, pid_t pid)
{
	struct late_process *p = add_process(l, pid);

	if (!p || (!p->changed && heapvec_push(&l->changed, pid))) {
		l->lost = true;
		return NULL;
	}
	p->changed = true;
	return p;
}

static void on_fork(struct dtrace *d, pid_t pid, pid_t parent)
{
	struct late_probes *l = d->tracing.late_probes;
	bool family = options_on(d->opts, OPT_follow) && in_family(l, parent);
	struct late_process *p;

	forget_process(d, pid); /* one that had this number, and whose end was not told */
	p = note_change(l, pid);
	if (p)
		p->family = family;
}

/*
 * The process may continue without this thread, and still exists while the thread reports its end.
 */
static void note_end(struct late_process *p)
{
	if (!p->ending)
		p->ending = report_now();
}

/* mapwatch_drain()'s */
static void on_watch(void *arg, const struct mapwatch_event *e)
{
	struct dtrace *d = arg;
	struct late_probes *l = d->tracing.late_probes;
	struct late_process *p;

	switch (e->kind) {
	case MAPWATCH_LOST:
		l->lost = true;
		break;
	case MAPWATCH_FORK:
		on_fork(d, e->pid, e->parent);
		break;
	case MAPWATCH_EXEC:
		p = note_change(l, e->pid);
		if (p)
			p->exec = true;
		break;
	case MAPWATCH_EXIT:
		p = find_process(l, e->pid);
		if (p)
			note_end(p);
		break;
	default:
		note_change(l, e->pid);
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
	const struct late_probes *l = d->tracing.late_probes;
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
	if (!in_family(l, pid) || !targets_has(d->targets, (pid_t)about))
		return false;
	pat->prov = arena_printf(l->look, "%.*s%d", (int)digits, c->pat.prov, pid);
	return true;
}

/* Returns a bit for each clause of program O whose description matches P in process PID. */
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
	const struct late_process *process;
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
			plan.pid != a->process->pid)
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
		if (is_attached(a->process, a->o, &s))
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

			strncpy(name, probe_part(p, DATUM_PROBEPROV + part), LOWER_NAME - 1);
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

static int attach_program(
	struct dtrace *d, const struct late_process *p, const struct open_prog *o, uint32_t first)
{
	struct attaching a = {.d = d, .process = p, .o = o};
	const struct provider *v = o->clauses.data[0]->late;
	struct late_probes *l = d->tracing.late_probes;
	int err = 0;

	l->sites.len = 0;
	registry_visit(d->compiling.registry, v, p->pid, first, add_sites, &a);
	for (uint32_t i = 0; !err && i < l->sites.len; i++)
		err = install_site(d, &l->sites.data[i]);
	if (!err)
		err = install_names(d, o);
	if (!err)
		err = install_pids(d, o);
	vec_for (s, &l->sites)
		if (!err)
			err = note_attached(l, o->prog, s);
	if (!err && l->sites.len)
		err = load_attach_late(d->tracing.load, o->prog, l->sites.data, l->sites.len);
	return err;
}

/* Match all descriptions again for process P and attach to new probes; after an exec, to all. */
static int attach_changed(struct dtrace *d, const struct late_process *p)
{
	uint32_t first = p->exec ? 0 : registry_next_id(d->compiling.registry);
	bool any = false;
	int err = 0;

	for (uint32_t i = 0; i < d->tracing.late_probes->clauses.len; i++) {
		const struct sema_clause *clause = d->tracing.late_probes->clauses.data[i];
		struct probe_pattern pat;

		if (!pattern_for(d, clause, p->pid, &pat))
			continue;
		/* it may have ended meanwhile */
		registry_again(d->compiling.registry, clause->late, &pat, p->pid);
		any = true;
	}
	for (uint32_t i = 0; any && !err && i < d->compiling.lowered->open.len; i++)
		err = attach_program(d, p, &d->compiling.lowered->open.data[i], first);
	return err;
}

static int attach_all_changed(struct dtrace *d)
{
	struct late_probes *l = d->tracing.late_probes;
	int err = 0;

	for (uint32_t i = 0; i < l->changed.len; i++) {
		struct late_process *p = find_process(l, l->changed.data[i]);

		if (!p || !p->changed)
			continue;
		if (!err)
			err = attach_changed(d, p);
		p->changed = p->exec = false;
		if (!p->attached.len && !p->family)
			forget_process(d, p->pid);
	}
	l->changed.len = 0;
	return err;
}

/* ---- the end of processes ---- */

#define ENDING_NS 2000000000ULL /* a process that is there this long after a thread's end stays */

static void forget_ended(struct dtrace *d)
{
	struct late_probes *l = d->tracing.late_probes;
	uint64_t now = report_now();
	HEAPVEC(pid_t) gone = {0};

	intmap_for (s, &l->processes) {
		struct late_process *p = s->ptr;

		if (l->lost)
			note_end(p);
		if (!p->ending)
			continue;
		if (process_has_ended(p->pid))
			(void)heapvec_push(&gone, p->pid); /* else the next time */
		else if (now - p->ending > ENDING_NS)
			p->ending = 0;
	}
	vec_for (pid, &gone)
		forget_process(d, *pid);
	heapvec_free(&gone);
}

void late_consumed(struct dtrace *d)
{
	struct late_probes *l = d->tracing.late_probes;

	if (l && l->forgotten)
		registry_settle(d->compiling.registry, l->names);
	if (l)
		l->forgotten = false;
}

/* Report the probes that appeared and were not enabled. */
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
	int err;

	if (!l || !l->watch)
		return 0;
	if (!l->begun) /* what was there at the start was told then */
		l->skipped = load_skipped(d->tracing.load);
	l->begun = true;
	/* twice: what happens while it looks is told the next time */
	for (int i = 0; i < 2; i++)
		mapwatch_drain(l->watch, on_watch, d);
	err = attach_all_changed(d);
	forget_ended(d);
	arena_reset(l->look);
	if (l->lost)
		report_message(
			&d->report, "some processes were not looked at: too many events at once");
	l->lost = false;
	tell_left_out(d);
	return err
		? report_error(&d->report, err, "cannot attach to new probes: %s", strerror(-err))
		: 0;
}
