// SPDX-License-Identifier: Apache-2.0
/* Attaches to probes of user code that come while tracing. */
#include "session/late.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "abi/record.h"
#include "abi/usdt.h"
#include "base/arena.h"
#include "base/heapvec.h"
#include "base/intmap.h"
#include "base/report.h"
#include "base/vec.h"
#include "base/waits.h"
#include "compile/image.h"
#include "ir/target.h"
#include "load/load.h"
#include "managed/java_attach.h"
#include "probe/attach.h"
#include "probe/probe.h"
#include "probe/registry.h"
#include "probe/user_provider.h"
#include "sema/sema.h"
#include "sema/typed.h"
#include "session/options.h"
#include "session/late_int.h"
#include "session/limits.h"
#include "session/refused.h"
#include "session/session.h"
#include "session/tracing.h"
#include "sym/mapwatch.h"
#include "sym/process.h"
#include "target/holder.h"
#include "target/target.h"

/* ---- processes ---- */

struct late_process *late_find(const struct late_probes *l, pid_t pid)
{
	return intmap_get_ptr(&l->processes, (uint64_t)pid);
}

struct late_process *late_process(struct late_probes *l, pid_t pid)
{
	struct late_process *p = late_find(l, pid);

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

bool late_in_family(const struct late_probes *l, pid_t pid)
{
	const struct late_process *p = late_find(l, pid);

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
		places_give_back(&l->places, d->arena, a->cookie);
	registry_forget(d->compiling.registry, pid);
	l->forgotten = true;
	free_process(p);
}

/* ---- opening ---- */

static bool has_probe_key(const struct agg_desc *a)
{
	for (uint32_t i = 0; a && i < a->nkeys; i++)
		if (a->keys[i].kind == DATUM_PROBEID)
			return true;
	return false;
}

bool late_needs_names(const struct dtrace *d)
{
	const struct image *l = d->image;

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
	const struct image *img = d->image;
	struct late_probes *l = d->tracing.late_probes;
	struct late_process *p;
	const uint32_t one = 1;
	int err = 0;

	for (uint32_t i = 0; i < img->open.len; i++) {
		const struct open_prog *o = &img->open.data[i];
		const struct load_prog *prog = &img->load.progs[o->prog];

		for (const struct attach_site *s = prog->sites; s < prog->sites + prog->nsites;
			s++) {
			if (!err && s->pid)
				err = late_note_attached(l, o->prog, s);
			else if (l->joins && o->scope != IN_PROCESS)
				late_note_shared(d, o, s);
		}
	}
	for (unsigned i = 0; !err && targets_nth(d->targets, i); i++) {
		pid_t pid = targets_nth(d->targets, i);

		p = late_process(l, pid);
		if (p)
			p->family = true;
		else
			err = -ENOMEM;
		if (!err && load_map_fd(d->tracing.load, DT_MAP_FOLLOWED) >= 0)
			err = load_map_put(
				d->tracing.load, DT_MAP_FOLLOWED, (uint32_t)pid, &one, sizeof(one));
	}
	return err;
}

/* True if the children of targets are traced as well, and tracing goes on while they live. */
static bool follows(const struct dtrace *d)
{
	return options_on(d->opts, OPT_follow) && targets_first(d->targets);
}

static int watch_processes(struct dtrace *d)
{
	const struct sema_session *session = sema_session(d->compiling.sema);
	struct late_probes *l = arena_new_obj(d->arena, struct late_probes);

	d->tracing.late_probes = l;
	l->look = arena_new_below(d->arena);
	l->places = d->image->places;
	vec_for (c, &session->clauses)
		l->joins |= (*c)->enabled && (*c)->joins;
	if (!l->look || note_beginning(d))
		return report_no_memory(&d->report);
	l->names = late_needs_names(d);
	vec_for (c, &session->clauses) {
		if (!(*c)->enabled || !(*c)->late)
			continue;
		vec_push(d->arena, &l->clauses, ((struct late_clause){*c, (*c)->probes.len != 0}));
		l->by_process |= (*c)->scope == IN_PROCESS;
		l->by_file |= (*c)->scope != IN_PROCESS;
	}
	if (!l->clauses.len && !follows(d))
		return 0;
	l->watch = mapwatch_new(true);
	if (!l->watch)
		return report_error(
			&d->report, -errno, "cannot watch processes: %s", strerror(errno));
	if (l->by_file)
		late_files_open(d);
	return 0;
}

bool late_awaits_unchecked(const struct dtrace *d)
{
	vec_for (c, &sema_session(d->compiling.sema)->clauses)
		if ((*c)->enabled && (*c)->late && (*c)->unchecked)
			return true;
	return false;
}

int late_open(struct dtrace *d)
{
	const struct load_image *m = &d->image->load;
	int err = 0;

	for (uint32_t i = 0; i < m->nprogs; i++)
		for (uint32_t k = 0; !err && k < m->progs[i].nsites; k++)
			err = late_install_site(d, &m->progs[i].sites[k]);
	if (err)
		return report_error(
			&d->report, err, "cannot set up static probes: %s", strerror(-err));
	return d->image->open.len || late_awaits_unchecked(d) || follows(d) ? watch_processes(d)
									    : 0;
}

void late_close(struct late_probes *l)
{
	if (!l)
		return;
	mapwatch_free(l->watch);
	intmap_for (s, &l->processes)
		free_process(s->ptr);
	intmap_free(&l->processes);
	late_files_close(l);
	intmap_free(&l->copiers);
	intmap_free(&l->decided);
	intmap_free(&l->left_out);
	heapvec_free(&l->changed);
	arena_free(l->look);
}

bool late_is_open(const struct dtrace *d)
{
	const struct late_probes *l = d->tracing.late_probes;

	return l && l->watch;
}

/* ---- what has happened ---- */

/* Returns the entry of a changed process; NULL: no memory, which is reported. */
struct late_process *late_note_change(struct late_probes *l, pid_t pid, bool exec)
{
	struct late_process *p = late_process(l, pid);

	if (!p || (!p->changed && heapvec_push(&l->changed, pid))) {
		late_note_lost(l, 1);
		return NULL;
	}
	p->changed = true;
	p->exec |= exec;
	return p;
}

static void on_fork(struct dtrace *d, pid_t pid, pid_t parent)
{
	struct late_probes *l = d->tracing.late_probes;
	bool family = options_on(d->opts, OPT_follow) && late_in_family(l, parent);
	struct late_process *p;

	/* one that had this number, and whose end was not told */
	p = late_find(l, pid);
	if (p && p->family && p->changed)
		late_count_early(l, pid, report_now());
	intmap_remove(&l->files.early, (uint64_t)pid);
	forget_process(d, pid);
	if (!family && !l->by_process)
		return;
	p = late_note_change(l, pid, false);
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
		late_note_lost(l, e->count);
		break;
	case MAPWATCH_FORK:
		on_fork(d, e->pid, e->parent);
		break;
	case MAPWATCH_EXEC:
		if (l->by_process)
			late_note_change(l, e->pid, true);
		break;
	case MAPWATCH_EXIT:
		/* links of its own are closed when it has ended */
		p = load_shares(d->tracing.load, LOAD_SEPARATE) ? late_process(l, e->pid)
								: late_find(l, e->pid);
		if (p)
			note_end(p);
		break;
	default:
		if (l->by_process)
			late_note_change(l, e->pid, false);
	}
	if (l->by_file) {
		late_copied_event(d, e);
		late_files_event(d, e);
	}
}

/* ---- attaching ---- */

/*
 * True if nobody knows what P, which had BEFORE attached places, would have had: it has ended, or
 * has no memory any more, since it came or executed something.
 */
static bool ended_unseen(struct dtrace *d, const struct late_process *p, uint32_t before)
{
	return p->family && (p->exec || (!before && !targets_has(d->targets, p->pid))) &&
		!process_has_memory(late_looker(d), p->pid);
}

/*
 * True if C may match more in P than it did.  Functions come without anything being mapped, and to
 * look for them takes long.
 */
static bool may_match(const struct late_process *p, const struct sema_clause *c)
{
	return p->exec || c->late->user->by_function == p->functions;
}

/* Match all descriptions again for process P and attach to new probes; after an exec, to all. */
static int attach_changed(struct dtrace *d, const struct late_process *p)
{
	struct late_probes *l = d->tracing.late_probes;
	/* a name may have been there, and stand for another function as well now */
	uint32_t first = p->exec || p->functions ? 0 : registry_next_id(d->compiling.registry);
	uint32_t before = p->attached.len;
	bool any = false;
	int err = 0;

	for (uint32_t i = 0; i < d->tracing.late_probes->clauses.len; i++) {
		const struct sema_clause *clause = d->tracing.late_probes->clauses.data[i].clause;
		struct probe_pattern pat;

		if (!may_match(p, clause) || !late_pattern_for(d, clause, p->pid, &pat))
			continue;
		/* it may have ended meanwhile */
		registry_again(d->compiling.registry, clause->late, &pat, p->pid);
		any = true;
	}
	if (any)
		late_enable_unchecked(d, p);
	if (p->exec)
		err = late_attach_gates(d, p->pid);
	vec_for (o, &d->image->open)
		if (any && !err && !o->retired)
			err = late_attach_program(d, p, o, first);
	if (err == -EPIPE)
		late_check_deputy(d);
	if (any && l->alone) {
		late_count_early(l, p->pid, UINT64_MAX);
		return err == -EPIPE ? 0 : err;
	}
	if (any && !p->functions &&
		((p->attached.len > before && !p->held) || ended_unseen(d, p, before)))
		late_count_early(l, p->pid, report_now());
	return err;
}

#define LONGEST_PAUSE 1000000000ULL /* ns */

/*
 * A look for functions reads all memory of the process: after it a pause as long as it took, and
 * twice the last one if it found nothing.
 */
static void pause_looking(struct late_probes *l, uint64_t took, bool found)
{
	l->pause = found || l->pause < took ? took : 2 * l->pause;
	if (l->pause > LONGEST_PAUSE)
		l->pause = LONGEST_PAUSE;
	l->look_again = report_now() + l->pause;
}

/* Attach to the functions that programs have met. */
static int attach_functions(struct dtrace *d)
{
	struct late_probes *l = d->tracing.late_probes;
	uint64_t began = report_now();
	bool looked = false, found = false;
	struct late_process *p;
	uint32_t before;
	int err = 0;
	pid_t pid;

	if (began < l->look_again)
		return 0;
	while (!err && (pid = load_next_functions(d->tracing.load)) != 0) {
		p = late_process(l, pid);
		if (!p)
			return -ENOMEM;
		before = p->attached.len;
		looked = p->functions = true;
		err = attach_changed(d, p);
		p->functions = false;
		found |= p->attached.len > before;
	}
	if (looked)
		pause_looking(l, report_now() - began, found);
	return err;
}

static int attach_all_changed(struct dtrace *d)
{
	struct late_probes *l = d->tracing.late_probes;
	int err = 0;

	for (uint32_t i = 0; i < l->changed.len; i++) {
		struct late_process *p = late_find(l, l->changed.data[i]);

		if (!p || !p->changed)
			continue;
		if (!err)
			err = attach_changed(d, p);
		p->changed = p->exec = p->functions = p->held = false;
		if (!p->attached.len && !p->family)
			forget_process(d, p->pid);
	}
	l->changed.len = 0;
	return err;
}

/* ---- classes of Java ---- */

/* java_look()'s */
static void on_classes(void *arg, pid_t pid, bool missed)
{
	struct dtrace *d = arg;
	struct late_probes *l = d->tracing.late_probes;
	struct late_process *p = late_note_change(l, pid, false);

	if (p)
		p->held = true;
	if (missed)
		late_count_early(l, pid, report_now());
}

/* Probes are placed: the methods call them, and threads that waited for that go on. */
static void change_classes(struct dtrace *d)
{
	struct java_vms *java = d->compiling.java;
	char why[JAVA_WHY];

	if (!java_change(java, true, why, sizeof(why)))
		report_message(&d->report, "some methods are not probed: %s", why);
	java_release(java);
}

bool late_awaits_java(const struct dtrace *d)
{
	vec_for (c, &d->tracing.late_probes->clauses)
		if (!strcmp(c->clause->late->name, "java") &&
			!java_is_attached(d->compiling.java, c->clause->process))
			return true;
	return false;
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
		if (process_has_ended(late_looker(d), p->pid))
			(void)heapvec_push(&gone, p->pid); /* else the next time */
		else if (now - p->ending > ENDING_NS)
			p->ending = 0;
	}
	vec_for (pid, &gone) {
		load_leave_process(d->tracing.load, *pid);
		intmap_remove(&l->copiers, (uint64_t)*pid);
		intmap_remove(&l->decided, (uint64_t)*pid);
		intmap_remove(&l->left_out, (uint64_t)*pid);
		forget_process(d, *pid);
	}
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
	refused_tell_late(d);
	if (l->full && !l->told_full)
		report_message(&d->report,
			"probes that come from now on are not enabled: %u places are taken",
			l->places.most);
	l->told_full = l->full;
	if (l->limited && !l->told_limited) {
		const struct load_bound bound = limits_bound(&d->limits, LIMIT_probes);

		report_message(&d->report,
			"probes that come from now on are not enabled: %s allows %llu places",
			bound.by, (unsigned long long)bound.most);
	}
	l->told_limited = l->limited;
}

/* Attaching was interrupted because tracing is to end, which is no failure. */
static int unless_ending(int err)
{
	return err == -EINTR ? 0 : err;
}

void late_ended(struct dtrace *d)
{
	const struct late_probes *l = d->tracing.late_probes;

	if (!l)
		return;
	vec_for (c, &l->clauses) {
		const struct probe_pattern *pat = &c->clause->pat;

		if (!c->found)
			report_message(&d->report,
				"probe description %s:%s:%s:%s did not match any probes", pat->prov,
				pat->mod, pat->func, pat->name);
	}
}

bool late_family_lives(struct dtrace *d)
{
	struct late_probes *l = d->tracing.late_probes;

	if (!l || !l->watch || !follows(d))
		return false;
	/* a daemon is made before its parent ends */
	mapwatch_drain(l->watch, on_watch, d);
	intmap_for (s, &l->processes) {
		const struct late_process *p = s->ptr;

		if (p->family && !targets_has(d->targets, p->pid) &&
			!process_has_ended(late_looker(d), p->pid))
			return true;
	}
	return false;
}

/* What is waited for: the listener ends, Java VMs come, and functions are not looked for at once.
 */
static void await(struct dtrace *d)
{
	struct late_probes *l = d->tracing.late_probes;
	bool later = l->look_again > report_now();

	l->waits.held->fd = l->holder ? holder_fd(l->holder) : -1;
	l->waits.classes->fd = java_fd(d->compiling.java);
	l->waits.functions->fd = later ? -1 : load_functions_fd(d->tracing.load);
	l->waits.functions->until = later ? l->look_again : WAIT_NEVER;
}

/* Attach to new probes and detach from processes that ended: 0 or -errno and a message. */
static int work(void *arg, uint64_t now)
{
	struct dtrace *d = arg;
	struct late_probes *l = d->tracing.late_probes;
	int err;

	(void)now;
	late_check_deputy(d);
	/* twice: what happens while it looks is told the next time */
	for (int i = 0; i < 2; i++)
		mapwatch_drain(l->watch, on_watch, d);
	late_files_held(d);
	java_look(d->compiling.java, on_classes, d);
	err = late_look_again(d);
	if (!err)
		err = attach_all_changed(d);
	if (!err)
		err = attach_functions(d);
	change_classes(d);
	if (!err)
		err = l->files.error;
	l->files.error = 0;
	forget_ended(d);
	arena_reset(l->look);
	l->lost = false;
	tell_left_out(d);
	late_tell_copiers(d);
	await(d);
	err = unless_ending(err);
	return err
		? report_error(&d->report, err, "cannot attach to new probes: %s", strerror(-err))
		: 0;
}

/* ---- the beginning and the end ---- */

int late_begin(struct dtrace *d)
{
	struct late_probes *l = d->tracing.late_probes;
	int err;

	if (!l || !l->watch)
		return 0;
	err = load_functions_open(d->tracing.load);
	if (err)
		return report_error(
			&d->report, err, "cannot wait for functions: %s", strerror(-err));
	vec_for (c, &l->clauses)
		if (!err && c->clause->process)
			err = late_attach_gates(d, c->clause->process);
	err = unless_ending(err);
	if (err)
		return report_error(
			&d->report, err, "cannot attach to new functions: %s", strerror(-err));
	late_tell_copiers(d);
	err = unless_ending(late_files_attach(d));
	if (err)
		return report_error(
			&d->report, err, "cannot attach to new probes: %s", strerror(-err));
	err = late_files_hold(d);
	if (err)
		return err;
	l->waits.processes = waits_add(d->arena, &d->tracing.waits, TURN_NEWS, work, d);
	l->waits.processes->fd = mapwatch_fd(l->watch);
	l->waits.held = waits_add(d->arena, &d->tracing.waits, TURN_NEWS, NULL, d);
	l->waits.classes = waits_add(d->arena, &d->tracing.waits, TURN_NEWS, NULL, d);
	l->waits.functions = waits_add(d->arena, &d->tracing.waits, TURN_NEWS, NULL, d);
	await(d);
	return 0;
}
