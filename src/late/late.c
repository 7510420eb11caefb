// SPDX-License-Identifier: Apache-2.0
/* Attaches to probes of user code that come while tracing. */
#include "late/late.h"

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
#include "base/interrupt.h"
#include "base/intmap.h"
#include "base/living.h"
#include "base/report.h"
#include "base/vec.h"
#include "base/waits.h"
#include "compile/compiling.h"
#include "compile/image.h"
#include "load/load.h"
#include "managed/java_attach.h"
#include "probe/attach.h"
#include "probe/probe.h"
#include "probe/provider_env.h"
#include "probe/registry.h"
#include "probe/user_provider.h"
#include "sema/sema.h"
#include "sema/typed.h"
#include "late/late_int.h"
#include "sym/mapwatch.h"
#include "sym/process.h"
#include "target/holder.h"
#include "target/target.h"

/* ---- processes ---- */

struct late_process *late_find(const struct late *l, pid_t pid)
{
	return intmap_get_ptr(&l->processes, (uint64_t)pid);
}

struct late_process *late_process(struct late *l, pid_t pid)
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

bool late_in_family(const struct late *l, pid_t pid)
{
	const struct late_process *p = late_find(l, pid);

	return p && p->family;
}

/* Detach from process PID, which has ended: its number may be another's next. */
static void forget_process(struct late *l, pid_t pid)
{
	struct late_process *p = intmap_remove(&l->processes, (uint64_t)pid);

	if (!p)
		return;
	if (p->attached.len)
		load_detach_process(l->env.load, pid);
	vec_for (a, &p->attached)
		places_give_back(&l->places, l->env.arena, a->cookie);
	registry_forget(l->env.compiling->registry, pid);
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

bool late_needs_names(const struct late *l)
{
	const struct image *img = l->env.image;

	for (uint32_t i = 0; i < img->naggs; i++)
		if (has_probe_key(img->aggs[i]))
			return true;
	for (uint32_t i = 0; i < img->nrecs; i++)
		if (img->recs[i] && img->recs[i]->speculative)
			return true;
	return l->env.names;
}

/* Note the places that were attached at the start, and their processes. */
static int note_beginning(struct late *l)
{
	const struct image *img = l->env.image;
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
				late_note_shared(l, o, s);
		}
	}
	for (unsigned i = 0; !err && targets_nth(l->env.targets, i); i++) {
		pid_t pid = targets_nth(l->env.targets, i);

		p = late_process(l, pid);
		if (p)
			p->family = true;
		else
			err = -ENOMEM;
		if (!err && load_map_fd(l->env.load, DT_MAP_FOLLOWED) >= 0)
			err = load_map_put(
				l->env.load, DT_MAP_FOLLOWED, (uint32_t)pid, &one, sizeof(one));
	}
	return err;
}

/* True if the children of targets are traced as well, and tracing goes on while they live. */
static bool follows(const struct late_env *env)
{
	return env->follow && targets_first(env->targets);
}

/* Notes the clauses that wait for probes. */
static void add_clauses(struct late *l)
{
	vec_for (c, &sema_session(l->env.compiling->sema)->clauses) {
		l->joins |= (*c)->enabled && (*c)->joins;
		if (!(*c)->enabled || !(*c)->late)
			continue;
		vec_push(l->env.arena, &l->clauses,
			((struct late_clause){*c, (*c)->probes.len != 0}));
		l->by_process |= (*c)->scope == IN_PROCESS;
		l->by_file |= (*c)->scope != IN_PROCESS;
	}
}

static int watch_processes(struct late *l)
{
	l->look = arena_new_below(l->env.arena);
	l->places = l->env.image->places;
	add_clauses(l);
	if (!l->look || note_beginning(l))
		return report_no_memory(l->env.report);
	l->names = late_needs_names(l);
	if (!l->clauses.len && !follows(&l->env))
		return 0;
	l->watch = mapwatch_new(true);
	if (!l->watch)
		return report_error(
			l->env.report, -errno, "cannot watch processes: %s", strerror(errno));
	if (l->by_file)
		late_files_open(l);
	return 0;
}

bool late_awaits_unchecked(const struct compiling *c)
{
	vec_for (clause, &sema_session(c->sema)->clauses)
		if ((*clause)->enabled && (*clause)->late && (*clause)->unchecked)
			return true;
	return false;
}

int late_open(const struct late_env *env, struct late **out)
{
	const struct load_image *m = &env->image->load;
	struct late *l;
	int err = 0;

	for (uint32_t i = 0; i < m->nprogs; i++)
		for (uint32_t k = 0; !err && k < m->progs[i].nsites; k++)
			err = late_install_site(env->load, &m->progs[i].sites[k]);
	if (err)
		return report_error(
			env->report, err, "cannot set up static probes: %s", strerror(-err));
	if (!env->image->open.len && !late_awaits_unchecked(env->compiling) && !follows(env))
		return 0;
	l = *out = arena_new_obj(env->arena, struct late);
	l->env = *env;
	return watch_processes(l);
}

void late_close(struct late *l)
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

void late_each_process(const struct late *l, void (*fn)(void *arg, pid_t pid), void *arg)
{
	if (l)
		intmap_for (s, &l->processes)
			fn(arg, ((const struct late_process *)s->ptr)->pid);
}

bool late_is_open(const struct late *l)
{

	return l && l->watch;
}

/* ---- what has happened ---- */

/* Returns the entry of a changed process; NULL: no memory, which is reported. */
struct late_process *late_note_change(struct late *l, pid_t pid, bool exec)
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

static void on_fork(struct late *l, pid_t pid, pid_t parent)
{
	bool family = l->env.follow && late_in_family(l, parent);
	struct late_process *p;

	/* one that had this number, and whose end was not told */
	p = late_find(l, pid);
	if (p && p->family && p->changed)
		late_count_early(l, pid, report_now());
	intmap_remove(&l->files.early, (uint64_t)pid);
	forget_process(l, pid);
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

/*
 * A uprobe of one process is taken away when it fires after its thread has lost its memory
 * (uprobe_perf_filter() in kernel/trace/trace_uprobe.c), which uprobe.multi does not do.
 */
static void note_beheaded(struct late *l, struct late_process *p)
{
	struct provider_env *env = registry_env(l->env.compiling->registry);

	p->beheaded = p->attached.len && !env_has(env, FEATURE_UPROBE_MULTI);
}

/* Takes notice of what a process did. */
static void on_watch(void *arg, const struct mapwatch_event *e)
{
	struct late *l = arg;
	struct late_process *p;

	switch (e->kind) {
	case MAPWATCH_LOST:
		late_note_lost(l, e->count);
		break;
	case MAPWATCH_FORK:
		on_fork(l, e->pid, e->parent);
		break;
	case MAPWATCH_EXEC:
		p = late_find(l, e->pid);
		if (p) /* another thread has become the first one */
			p->beheaded = false;
		if (l->by_process)
			late_note_change(l, e->pid, true);
		break;
	case MAPWATCH_EXIT:
		/* links of its own are closed when it has ended */
		p = load_shares(l->env.load, LOAD_SEPARATE) ? late_process(l, e->pid)
							    : late_find(l, e->pid);
		if (p)
			note_end(p);
		if (p && e->first)
			note_beheaded(l, p);
		break;
	default:
		if (l->by_process)
			late_note_change(l, e->pid, false);
	}
	if (l->by_file) {
		late_copied_event(l, e);
		late_files_event(l, e);
		late_copied_hold(l);
	}
}

/* ---- attaching ---- */

/*
 * True if nobody knows what P, which had BEFORE attached places, would have had: it has ended, or
 * has no memory any more, since it came or executed something.
 */
static bool ended_unseen(struct late *l, const struct late_process *p, uint32_t before)
{
	return p->family && (p->exec || (!before && !targets_has(l->env.targets, p->pid))) &&
		!process_has_memory(late_looker(l), p->pid);
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
static int attach_changed(struct late *l, const struct late_process *p)
{
	/* a name may have been there, and stand for another function as well now */
	uint32_t first = p->exec || p->functions ? 0 : registry_next_id(l->env.compiling->registry);
	uint32_t before = p->attached.len;
	bool any = false;
	int err = 0;

	l->requests = interrupt_count();
	for (uint32_t i = 0; i < l->clauses.len; i++) {
		const struct sema_clause *clause = l->clauses.data[i].clause;
		struct probe_pattern pat;

		if (!may_match(p, clause) || !late_pattern_for(l, clause, p->pid, &pat))
			continue;
		/* it may have ended meanwhile */
		registry_again(l->env.compiling->registry, clause->late, &pat, p->pid);
		any = true;
	}
	if (any)
		late_enable_unchecked(l, p);
	if (p->exec)
		err = late_attach_gates(l, p->pid);
	vec_for (o, &l->env.image->open)
		if (any && !err && !o->retired)
			err = late_attach_program(l, p, o, first);
	if (err == -EPIPE)
		late_check_deputy(l);
	if (any && l->alone) {
		late_count_early(l, p->pid, UINT64_MAX);
		return err == -EPIPE ? 0 : err;
	}
	if (any && !p->functions &&
		((p->attached.len > before && !p->held) || ended_unseen(l, p, before)))
		late_count_early(l, p->pid, report_now());
	return err;
}

#define LONGEST_PAUSE 1000000000ULL /* ns */

/*
 * A look for functions reads all memory of the process: after it a pause as long as it took, and
 * twice the last one if it found nothing.
 */
static void pause_looking(struct late *l, uint64_t took, bool found)
{
	l->pause = found || l->pause < took ? took : 2 * l->pause;
	if (l->pause > LONGEST_PAUSE)
		l->pause = LONGEST_PAUSE;
	l->look_again = report_now() + l->pause;
}

/* Attach to the functions that programs have met. */
static int attach_functions(struct late *l)
{
	uint64_t began = report_now();
	bool looked = false, found = false;
	struct late_process *p;
	uint32_t before;
	int err = 0;
	pid_t pid;

	if (began < l->look_again)
		return 0;
	while (!err && (pid = load_next_functions(l->env.load)) != 0) {
		p = late_process(l, pid);
		if (!p)
			return -ENOMEM;
		before = p->attached.len;
		looked = p->functions = true;
		err = attach_changed(l, p);
		p->functions = false;
		found |= p->attached.len > before;
	}
	if (looked)
		pause_looking(l, report_now() - began, found);
	return err;
}

/* Attach to other threads of the processes whose first thread has ended. */
static void follow_threads(struct late *l)
{
	intmap_for (s, &l->processes) {
		struct late_process *p = s->ptr;

		p->beheaded &= p->ending != 0;
		if (!p->beheaded || living_thread(p->pid) == p->pid)
			continue; /* the thread is about to end */
		p->beheaded = false;
		load_detach_process(l->env.load, p->pid);
		vec_for (a, &p->attached)
			places_give_back(&l->places, l->env.arena, a->cookie);
		p->attached.len = 0;
		late_note_change(l, p->pid, true);
	}
}

static int attach_all_changed(struct late *l)
{
	int err = 0;

	for (uint32_t i = 0; i < l->changed.len; i++) {
		struct late_process *p = late_find(l, l->changed.data[i]);

		if (!p || !p->changed)
			continue;
		if (!err)
			err = attach_changed(l, p);
		p->changed = p->exec = p->functions = p->held = false;
		if (!p->attached.len && !p->family)
			forget_process(l, p->pid);
	}
	l->changed.len = 0;
	return err;
}

/* ---- classes of Java ---- */

/* Classes with methods that are probed came in process PID; MISSED: some of their calls are over.
 */
static void on_classes(void *arg, pid_t pid, bool missed)
{
	struct late *l = arg;
	struct late_process *p = late_note_change(l, pid, false);

	if (p)
		p->held = true;
	if (missed)
		late_count_early(l, pid, report_now());
}

/* Probes are placed: the methods call them, and threads that waited for that go on. */
static void change_classes(struct late *l)
{
	struct java_vms *java = l->env.compiling->java;
	char why[JAVA_WHY];

	if (!java_change(java, true, why, sizeof(why)))
		report_message(l->env.report, "some methods are not probed: %s", why);
	java_release(java);
}

bool late_awaits_java(const struct late *l)
{
	vec_for (c, &l->clauses)
		if (!strcmp(c->clause->late->name, "java") &&
			!java_is_attached(l->env.compiling->java, c->clause->process))
			return true;
	return false;
}

/* ---- the end of processes ---- */

#define ENDING_NS 2000000000ULL /* a process that is there this long after a thread's end stays */

static void forget_ended(struct late *l)
{
	uint64_t now = report_now();
	VEC(pid_t) gone = {0};

	intmap_for (s, &l->processes) {
		struct late_process *p = s->ptr;

		if (l->lost)
			note_end(p);
		if (!p->ending)
			continue;
		if (process_has_ended(late_looker(l), p->pid))
			vec_push(l->look, &gone, p->pid);
		else if (now - p->ending > ENDING_NS)
			p->ending = 0;
	}
	vec_for (pid, &gone) {
		load_leave_process(l->env.load, *pid);
		intmap_remove(&l->copiers, (uint64_t)*pid);
		intmap_remove(&l->decided, (uint64_t)*pid);
		intmap_remove(&l->left_out, (uint64_t)*pid);
		forget_process(l, *pid);
	}
}

void late_consumed(struct late *l)
{

	if (l && l->forgotten)
		registry_settle(l->env.compiling->registry, l->names);
	if (l)
		l->forgotten = false;
}

/* Report the probes that appeared and were not enabled. */
static void tell_left_out(struct late *l)
{

	l->env.tell_refused(l->env.arg);
	if (l->full && !l->told_full)
		report_message(l->env.report,
			"probes that come from now on are not enabled: %u places are taken",
			l->places.most);
	l->told_full = l->full;
	if (l->limited && !l->told_limited) {
		report_message(l->env.report,
			"probes that come from now on are not enabled: %s allows %llu places",
			l->env.most.by, (unsigned long long)l->env.most.most);
	}
	l->told_limited = l->limited;
}

/* Attaching was interrupted because tracing is to end, which is no failure. */
static int unless_ending(int err)
{
	return err == -EINTR ? 0 : err;
}

void late_ended(struct late *l)
{

	if (!l)
		return;
	vec_for (c, &l->clauses) {
		const struct probe_pattern *pat = &c->clause->pat;

		if (!c->found)
			report_message(l->env.report,
				"probe description %s:%s:%s:%s did not match any probes", pat->prov,
				pat->mod, pat->func, pat->name);
	}
}

bool late_family_lives(struct late *l)
{

	if (!l || !l->watch || !follows(&l->env))
		return false;
	/* a daemon is made before its parent ends */
	mapwatch_drain(l->watch, on_watch, l);
	intmap_for (s, &l->processes) {
		const struct late_process *p = s->ptr;

		if (p->family && !targets_has(l->env.targets, p->pid) &&
			!process_has_ended(late_looker(l), p->pid))
			return true;
	}
	return false;
}

/* Updates the waits: the listener can end, Java VMs come, and looks for functions pause. */
static void await(struct late *l)
{
	bool later = l->look_again > report_now();

	l->waits.held->fd = l->holder ? holder_fd(l->holder) : -1;
	l->waits.classes->fd = java_fd(l->env.compiling->java);
	l->waits.functions->fd = later ? -1 : load_functions_fd(l->env.load);
	l->waits.functions->until = later ? l->look_again : WAIT_NEVER;
}

/* Attach to new probes and detach from processes that ended: 0 or -errno and a message. */
static int work(void *arg, uint64_t now)
{
	struct late *l = arg;
	int err;

	(void)now;
	late_check_deputy(l);
	/* twice: what happens while it looks is told the next time */
	for (int i = 0; i < 2; i++)
		mapwatch_drain(l->watch, on_watch, l);
	late_files_held(l);
	java_look(l->env.compiling->java, on_classes, l);
	err = late_look_again(l);
	follow_threads(l);
	if (!err)
		err = attach_all_changed(l);
	if (!err)
		err = attach_functions(l);
	change_classes(l);
	if (!err)
		err = l->files.error;
	l->files.error = 0;
	forget_ended(l);
	arena_reset(l->look);
	l->lost = false;
	tell_left_out(l);
	late_tell_copiers(l);
	await(l);
	err = unless_ending(err);
	return err ? report_error(
			     l->env.report, err, "cannot attach to new probes: %s", strerror(-err))
		   : 0;
}

/* ---- the beginning and the end ---- */

int late_begin(struct late *l)
{
	int err;

	if (!l || !l->watch)
		return 0;
	err = load_functions_open(l->env.load);
	if (err)
		return report_error(
			l->env.report, err, "cannot wait for functions: %s", strerror(-err));
	vec_for (c, &l->clauses)
		if (!err && c->clause->process)
			err = late_attach_gates(l, c->clause->process);
	err = unless_ending(err);
	if (err)
		return report_error(
			l->env.report, err, "cannot attach to new functions: %s", strerror(-err));
	late_tell_copiers(l);
	err = unless_ending(late_files_attach(l));
	if (err)
		return report_error(
			l->env.report, err, "cannot attach to new probes: %s", strerror(-err));
	err = late_files_hold(l);
	if (err)
		return err;
	l->waits.processes = waits_add(l->env.arena, l->env.waits, l->env.turn, work, l);
	l->waits.processes->fd = mapwatch_fd(l->watch);
	l->waits.held = waits_add(l->env.arena, l->env.waits, l->env.turn, NULL, l);
	l->waits.classes = waits_add(l->env.arena, l->env.waits, l->env.turn, NULL, l);
	l->waits.functions = waits_add(l->env.arena, l->env.waits, l->env.turn, NULL, l);
	await(l);
	return 0;
}
