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

#include "base/interrupt.h"
#include "base/report.h"
#include "compile/compile.h"
#include "compile/compiling.h"
#include "compile/image.h"
#include "ir/lower.h"
#include "load/load.h"
#include "probe/probe.h"
#include "probe/registry.h"
#include "sema/sema.h"
#include "sema/typed.h"
#include "late/late_int.h"

/* Clauses that are being enabled. */
struct enabling {
	struct late *late;
	const struct late_process *process; /* whose probes came; NULL: shared ones */
	VEC(struct late_clause *) clauses;
};

/* ---- probes ---- */

struct looking {
	struct late *late;
	const struct sema_clause *clause;
	pid_t pid;
	VEC(const struct probe *) found;
};

/* Collects P if the enabling wants it in the process. */
static void add_probe(void *arg, const struct probe *p)
{
	struct looking *l = arg;

	if (late_is_enabled(l->late, l->clause, p, l->pid))
		vec_push(l->late->look, &l->found, p);
}

/* Finds the probes of C that there are now. */
static struct looking look(const struct enabling *e, const struct sema_clause *c)
{
	const struct late_process *p = e->process;
	struct registry *r = e->late->env.compiling->registry;
	struct looking l = {.late = e->late, .clause = c, .pid = p ? p->pid : 0};

	if (p)
		registry_visit(r, c->late, p->pid, 0, add_probe, &l);
	else
		registry_visit_shared(r, c->late, 0, add_probe, &l);
	return l;
}

/* ---- clauses ---- */

static void tell(
	struct late *l, const struct sema_clause *c, const char *what, int err, const char *text)
{
	if (err == -ENOMEM && !*text)
		text = "out of memory";
	if (err == -EINTR)
		report_message(l->env.report,
			"%s matches probes now, but is not enabled: interrupted", c->text);
	else
		report_message(
			l->env.report, "%s matches probes now, but %s: %s", c->text, what, text);
}

/* True if a request to end came during the look: what was being read may lack anything. */
static bool is_ending(const struct late *l)
{
	return interrupt_count() != l->requests;
}

/* True if what a checked clause does is allowed; else *TEXT says why not. */
static bool is_permitted(struct late *l, const char **text)
{
	*text = "Destructive actions not allowed";
	return !sema_session(l->env.compiling->sema)->destructive || l->env.destructive;
}

/* Checks C with the probes that it has now; false: reported, and all is as before. */
static bool check(const struct enabling *e, struct late_clause *c)
{
	const struct sema_saved *before = sema_save(e->late->env.compiling->sema);
	struct looking have = look(e, c->clause);
	struct late *l = e->late;
	const char *text = "";
	int err = -EINTR;

	c->found = true;
	if (!is_ending(l))
		err = compile_check_clause(
			l->env.compiling, c->clause, have.found.data, have.found.len, &text);
	if (is_ending(l))
		err = -EINTR;
	if (!err && !is_permitted(l, &text))
		err = -EPERM;
	if (!err)
		return true;
	sema_restore(l->env.compiling->sema, before);
	tell(l, c->clause, "does not compile", err, text);
	return false;
}

/* ---- programs ---- */

/* Load programs for the clauses that are checked by now. */
static int load(struct late *l, const char **text)
{
	const struct image *more;
	int err = compile_more(l->env.compiling, &l->places, &more, text);

	if (!err)
		err = l->env.add(l->env.arg, more, text);
	if (err)
		return err;
	l->env.image = more;
	l->places = more->places;
	l->names = late_needs_names(l);
	return 0;
}

/*
 * Enables N of the clauses together, and takes out those that do not compile: 0, or a negative
 * errno and *TEXT if their programs cannot be, and none of them is checked any more.
 */
static int enable(struct enabling *e, struct late_clause **clauses, uint32_t *n, const char **text)
{
	struct compiling *c = e->late->env.compiling;
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
	err = load(e->late, text);
	if (err)
		compile_undo(c, &before);
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
			tell(e->late, (*c)->clause, "cannot be enabled", err, text);
	}
}

static void enable_all(struct enabling *e)
{
	uint64_t start = report_now();
	const char *text;
	int err = enable(e, e->clauses.data, &e->clauses.len, &text);

	if (err && e->clauses.len == 1)
		tell(e->late, e->clauses.data[0]->clause, "cannot be enabled", err, text);
	else if (err)
		enable_each(e);
	report_debug(
		e->late->env.report, "clauses that waited for probes: %.1f ms", report_ms(start));
}

void late_enable_unchecked(struct late *l, const struct late_process *p)
{
	struct enabling e = {.late = l, .process = p};

	vec_for (c, &l->clauses)
		if (c->clause->unchecked && !c->found && look(&e, c->clause).found.len)
			vec_push(l->look, &e.clauses, c);
	if (e.clauses.len)
		enable_all(&e);
}
