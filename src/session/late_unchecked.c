// SPDX-License-Identifier: Apache-2.0
/*
 * Enables the clauses that did not compile without a probe (option zdefs) when a probe of theirs
 * comes while tracing: they are checked with it, and programs are loaded that have them and all
 * other clauses whose probes may come.  These are attached to what comes from then on, so that the
 * clauses of a firing run in the order of the program.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/report.h"
#include "compile/compile.h"
#include "compile/image.h"
#include "ir/lower.h"
#include "load/load.h"
#include "probe/probe.h"
#include "probe/registry.h"
#include "sema/sema.h"
#include "sema/typed.h"
#include "session/events.h"
#include "session/filters.h"
#include "session/late_int.h"
#include "session/options.h"
#include "session/session.h"
#include "session/start.h"

/* Clauses that are being enabled. */
struct enabling {
	struct dtrace *d;
	const struct late_process *process; /* whose probes came; NULL: shared ones */
	VEC(struct late_clause *) clauses;
};

/* ---- probes ---- */

struct looking {
	struct dtrace *d;
	const struct sema_clause *clause;
	pid_t pid;
	VEC(const struct probe *) found;
};

/* registry_visit()'s */
static void add_probe(void *arg, const struct probe *p)
{
	struct looking *l = arg;

	if (late_is_enabled(l->d, l->clause, p, l->pid))
		vec_push(l->d->tracing.late_probes->look, &l->found, p);
}

/* Finds the probes of C that there are now. */
static struct looking look(const struct enabling *e, const struct sema_clause *c)
{
	const struct late_process *p = e->process;
	struct registry *r = e->d->compiling.registry;
	struct looking l = {.d = e->d, .clause = c, .pid = p ? p->pid : 0};

	if (p)
		registry_visit(r, c->late, p->pid, 0, add_probe, &l);
	else
		registry_visit_shared(r, c->late, 0, add_probe, &l);
	return l;
}

/* ---- clauses ---- */

static void tell(
	struct dtrace *d, const struct sema_clause *c, const char *what, int err, const char *text)
{
	if (err == -ENOMEM && !*text)
		text = "out of memory";
	report_message(&d->report, "%s matches probes now, but %s: %s", c->text, what, text);
}

/* True if what a checked clause does is allowed; else *TEXT says why not. */
static bool is_permitted(struct dtrace *d, const char **text)
{
	*text = "Destructive actions not allowed";
	return !sema_session(d->compiling.sema)->destructive ||
		options_on(d->opts, OPT_destructive);
}

/* Checks C with the probes that it has now; false: reported, and all is as before. */
static bool check(const struct enabling *e, struct late_clause *c)
{
	const struct sema_saved *before = sema_save(e->d->compiling.sema);
	struct looking l = look(e, c->clause);
	struct dtrace *d = e->d;
	const char *text;
	int err;

	c->found = true;
	err = compile_check_clause(&d->compiling, c->clause, l.found.data, l.found.len, &text);
	if (!err && !is_permitted(d, &text))
		err = -EPERM;
	if (!err)
		return true;
	sema_restore(d->compiling.sema, before);
	tell(d, c->clause, "does not compile", err, text);
	return false;
}

/* ---- programs ---- */

/* Load programs for the clauses that are checked by now, and tell the consumer of what is new. */
static int load(struct dtrace *d, const char **text)
{
	const struct image *img = d->image, *more;
	int err = compile_more(&d->compiling, &d->tracing.late_probes->places, &more, text);

	if (err)
		return err;
	d->image = more;
	err = start_more(d, text);
	if (err)
		d->image = img;
	else
		d->tracing.late_probes->places = more->places;
	return err;
}

/* The programs are loaded: what they use may be new to all others. */
static int connect(struct dtrace *d)
{
	int err = events_more(d);

	if (!err)
		err = filters_install(d);
	if (!err)
		err = start_unwind(d);
	d->tracing.late_probes->names = late_needs_names(d);
	return err;
}

/*
 * Enables N of the clauses together, and takes out those that do not compile: 0, or a negative
 * errno and *TEXT if their programs cannot be, and none of them is checked any more.
 */
static int enable(struct enabling *e, struct late_clause **clauses, uint32_t *n, const char **text)
{
	struct compiling *c = &e->d->compiling;
	struct compile_point before;
	uint32_t checked = 0;
	int err = compile_point(c, &before);

	*text = "";
	for (uint32_t i = 0; !err && i < *n; i++)
		if (check(e, clauses[i]))
			clauses[checked++] = clauses[i];
	if (err)
		return err;
	*n = checked;
	if (!checked)
		return 0;
	err = load(e->d, text);
	if (err)
		compile_undo(c, &before);
	else if (connect(e->d))
		report_message(&e->d->report, "%s", e->d->report.error);
	return err;
}

/* What is wrong with one of the clauses is no reason to leave out the others. */
static void enable_each(struct enabling *e)
{
	vec_for (c, &e->clauses) {
		const char *text;
		uint32_t one = 1;
		int err = enable(e, c, &one, &text);

		if (err)
			tell(e->d, (*c)->clause, "cannot be enabled", err, text);
	}
}

static void enable_all(struct enabling *e)
{
	uint64_t start = report_now();
	const char *text;
	int err = enable(e, e->clauses.data, &e->clauses.len, &text);

	if (err && e->clauses.len == 1)
		tell(e->d, e->clauses.data[0]->clause, "cannot be enabled", err, text);
	else if (err)
		enable_each(e);
	report_debug(&e->d->report, "clauses that waited for probes: %.1f ms", report_ms(start));
}

void late_enable_unchecked(struct dtrace *d, const struct late_process *p)
{
	struct late_probes *l = d->tracing.late_probes;
	struct enabling e = {.d = d, .process = p};

	vec_for (c, &l->clauses)
		if (c->clause->unchecked && !c->found && look(&e, c->clause).found.len)
			vec_push(l->look, &e.clauses, c);
	if (e.clauses.len)
		enable_all(&e);
}
