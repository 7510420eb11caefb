// SPDX-License-Identifier: Apache-2.0
/*
 * Keeps the probes of all processes out of those that translate or copy code (sym/copier.h), and
 * says which these are.  Those that come while tracing are seen when they map a file that has
 * probes, or, with option hold, before they execute a translator.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/report.h"
#include "base/strmap.h"
#include "load/load.h"
#include "late/late_int.h"
#include "sym/copier.h"
#include "sym/mapwatch.h"
#include "sym/process.h"
#include "target/holder.h"

/* load_separate()'s: some firings of the process were lost. */
static void on_attached(void *arg, pid_t pid)
{
	struct late *l = arg;

	late_count_early(l, pid, report_now());
}

/* Attaches to O, or all (NULL), process by process from now on, except in process EXCEPT. */
static int separate(struct late *l, const struct process_object *o, pid_t except)
{
	l->separated = report_now();
	return load_separate(l->env.load, o, except, on_attached, l);
}

static void note_error(struct late *l, int err)
{
	if (err == -EPIPE)
		late_check_deputy(l);
	else if (err < 0 && !l->files.error)
		l->files.error = err;
}

/* In late.left_out, beside the time: its execve(2) was told. */
#define EXECUTED 1u

/* ---- messages ---- */

/* True if it was not told yet that process PID is as C says; it is noted. */
static bool is_news(struct late *l, pid_t pid, const struct copier *c)
{
	const struct intmap_slot *s = intmap_find(&l->copiers, (uint64_t)pid);
	uint64_t why = strmap_hash(c->why);

	if (s && s->value == why)
		return false;
	(void)intmap_put(&l->copiers, (uint64_t)pid, why); /* else it is told again */
	return true;
}

#define NOT_TRACED "it is not traced, and the others are attached to one by one"

void late_tell_copiers(struct late *l)
{
	const struct copier *c;
	pid_t pid;

	while ((pid = load_next_copier(l->env.load, &c)) != 0)
		if (is_news(l, pid, c))
			report_message(l->env.report, "process %d (%s) %s: " NOT_TRACED, pid,
				c->name, c->why);
}

/* ---- processes that come ---- */

/* PID, which C is about, maps file O, or all (NULL); its probes are in all processes if SHARED. */
static void came(struct late *l, pid_t pid, const struct copier *c, const struct process_object *o,
	bool shared)
{
	struct load *load = l->env.load;
	bool probed = load_leave_process(load, pid) || shared;

	/* it is not asked again: one that hides its arguments takes time each time */
	(void)intmap_put(&l->left_out, (uint64_t)pid, report_now() << 1 | EXECUTED);

	if (shared)
		note_error(l, separate(l, o, 0));
	if (!is_news(l, pid, c))
		return;
	if (probed)
		report_message(l->env.report,
			"process %d (%s) %s, and came when probes were placed: it may end by SIGTRAP (option hold prevents that); " NOT_TRACED
			" from now on",
			pid, c->name, c->why);
	else
		report_message(l->env.report, "process %d (%s) %s: it is not traced", pid, c->name,
			c->why);
}

/* True if what the process maps is a library that copies the program's code, or translates. */
static bool on_library(struct late *l, const struct mapwatch_event *e)
{
	struct load *load = l->env.load;
	bool shared = load_shares(load, LOAD_SHARED);
	struct copier c, now;

	if ((!shared && !load_shares(load, LOAD_SEPARATE)) || !copier_is_library(e->map.path, &c))
		return false;
	if (!copier_is(late_looker(l), e->pid, COPIER_WHOLE, &now) || !now.all)
		return false;
	came(l, e->pid, &now, NULL, shared);
	return true;
}

/* True if the process of E had no probes of O because it ended before it was attached to. */
static bool ended_before(
	const struct late *l, const struct mapwatch_event *e, const struct process_object *o)
{
	return load_lacks(l->env.load, o, e->pid) && e->time >= l->separated;
}

static void on_map(struct late *l, const struct mapwatch_event *e)
{
	struct load *load = l->env.load;
	const char *slash = strrchr(e->map.path, '/');
	struct process_object o = {.path = e->map.path,
		.name = slash ? slash + 1 : e->map.path,
		.dev = e->map.dev,
		.ino = e->map.ino};
	enum load_sharing how = load_sharing(load, o.dev, o.ino, o.name);
	struct copier c;
	char exe[4096];

	if (on_library(l, e) || how == LOAD_UNSHARED)
		return;
	process_program(late_looker(l), e->pid, exe, sizeof(exe));
	o.main = !strcmp(exe, o.path);
	if (copier_is(late_looker(l), e->pid, COPIER_WHOLE, &c) && copier_concerns(&c, &o)) {
		came(l, e->pid, &c, &o, how == LOAD_SHARED);
		return;
	}
	if (how != LOAD_SEPARATE)
		return;
	if (load_attach_process(load, e->pid, false) > 0 || ended_before(l, e, &o))
		on_attached(l, e->pid);
}

/* Translators need not map as executable what they read. */
static void on_exec(struct late *l, const struct mapwatch_event *e)
{
	struct load *load = l->env.load;
	bool shared = load_shares(load, LOAD_SHARED);
	struct copier c;

	if ((shared || load_shares(load, LOAD_SEPARATE)) &&
		copier_is(late_looker(l), e->pid, COPIER_QUICK, &c) && c.all)
		came(l, e->pid, &c, NULL, shared);
}

/*
 * True if the process of E was left out, perhaps while it was held, before what E is about: it is
 * not asked again, because it may have become another by now, or not show everything.
 */
static bool was_left_out(struct late *l, const struct mapwatch_event *e)
{
	const struct intmap_slot *s = intmap_find(&l->left_out, (uint64_t)e->pid);

	return s && e->time >= s->value >> 1;
}

/* Forgets that the process of E was left out: it executes something else, without being held. */
static void note_exec(struct late *l, const struct mapwatch_event *e)
{
	const struct intmap_slot *s = intmap_find(&l->left_out, (uint64_t)e->pid);

	if (!s || e->time < s->value >> 1)
		return;
	if (s->value & EXECUTED)
		intmap_remove(&l->left_out, (uint64_t)e->pid);
	else
		(void)intmap_put(&l->left_out, (uint64_t)e->pid, s->value | EXECUTED);
}

/* True if the new process of E was held since; events of a CPU can be read after its question. */
static bool was_decided(struct late *l, const struct mapwatch_event *e)
{
	const struct intmap_slot *s = intmap_find(&l->decided, (uint64_t)e->pid);

	if (s && e->time < s->value)
		return true;
	intmap_remove(&l->decided, (uint64_t)e->pid);
	return false;
}

void late_copied_event(struct late *l, const struct mapwatch_event *e)
{
	struct load *load = l->env.load;

	switch (e->kind) {
	case MAPWATCH_FORK:
		/* what was decided while it was held, and so later, holds */
		if (was_decided(l, e))
			break;
		/* one that had this number, and whose end was not told */
		load_leave_process(load, e->pid);
		intmap_remove(&l->copiers, (uint64_t)e->pid);
		intmap_remove(&l->left_out, (uint64_t)e->pid);
		if (load_shares(load, LOAD_SEPARATE) &&
			load_attach_process(load, e->pid, false) > 0)
			on_attached(l, e->pid);
		break;
	case MAPWATCH_EXEC:
		note_exec(l, e);
		if (!was_left_out(l, e))
			on_exec(l, e);
		break;
	case MAPWATCH_MAP:
		if (!was_left_out(l, e))
			on_map(l, e);
		break;
	default:
		break;
	}
}

/* ---- processes that are held ---- */

void late_copied_hold(struct late *l)
{
	if (!l->holder || l->asks_all || !load_shares(l->env.load, LOAD_SEPARATE))
		return;
	l->asks_all = true;
	holder_forget(l->holder);
}

/* It is a translator, or copies the code of O. */
static void leave_out(
	struct late *l, pid_t pid, const struct copier *c, const struct process_object *o)
{
	struct load *load = l->env.load;
	enum load_sharing how = load_sharing(load, o->dev, o->ino, o->name);

	(void)intmap_put(&l->left_out, (uint64_t)pid, report_now() << 1);
	load_leave_process(load, pid);
	if (!c->all && how == LOAD_UNSHARED)
		return; /* O has no probes */
	if (c->all ? load_shares(load, LOAD_SHARED) : how == LOAD_SHARED)
		note_error(l, separate(l, c->all ? NULL : o, pid));
	if (!is_news(l, pid, c))
		return;
	if (c->all)
		report_message(l->env.report, "process %d executes %s, which %s: " NOT_TRACED, pid,
			c->name, c->why);
	else
		report_message(
			l->env.report, "process %d (%s) %s: " NOT_TRACED, pid, c->name, c->why);
}

enum verdict { COPIES, COPIES_NOT, UNCERTAIN };

/* Looks at the arguments with which the held process executes O, a program that may copy its code.
 */
static enum verdict look_at_arguments(struct late *l, const struct held_file *held,
	const struct process_object *o, struct copier *c)
{
	struct held_arguments a;

	if (!holder_arguments(l->holder, held, &a))
		return UNCERTAIN;
	c->why = copier_by_args(o->path, a.args, a.nargs);
	if (!c->why)
		c->why = copier_by_environ(o->path, a.vars, a.nvars);
	return c->why ? COPIES : copier_has_files(o->path) ? UNCERTAIN : COPIES_NOT;
}

bool late_copied_opened(
	const struct late *l, const struct held_file *held, const struct process_object *o)
{
	struct copier c;
	struct stat st;

	if (copier_depends(o->path) || copier_is_program(o->path, &c))
		return true;
	return load_shares(l->env.load, LOAD_SEPARATE) && !fstat(held->fd, &st) &&
		(st.st_mode & 0111);
}

bool late_copied_held(struct late *l, const struct held_file *held, const struct process_object *o)
{
	struct load *load = l->env.load;
	enum verdict verdict = COPIES_NOT;
	bool depends = copier_depends(o->path);
	struct copier c;

	/* there can be probes when it is executed again */
	if (!load_shares(load, LOAD_SHARED) && !load_shares(load, LOAD_SEPARATE))
		return depends || copier_is_program(o->path, &c);
	(void)intmap_put(&l->decided, (uint64_t)held->pid, report_now());
	intmap_remove(&l->left_out, (uint64_t)held->pid);
	if (copier_is_program(o->path, &c)) {
		leave_out(l, held->pid, &c, o);
		return true;
	}
	c.all = false;
	if (depends)
		verdict = look_at_arguments(l, held, o, &c);
	if (verdict == COPIES) {
		leave_out(l, held->pid, &c, o);
		return true;
	}
	/* what it does is seen when it runs */
	if (verdict == UNCERTAIN && load_sharing(load, o->dev, o->ino, o->name) == LOAD_SHARED)
		note_error(l, separate(l, o, 0));
	if (!load_shares(load, LOAD_SEPARATE))
		return depends;
	if (verdict == UNCERTAIN) { /* it can end before anybody sees its arguments */
		load_leave_process(load, held->pid);
		on_attached(l, held->pid);
	} else {
		note_error(l, load_attach_process(load, held->pid, true));
	}
	return true;
}
