// SPDX-License-Identifier: Apache-2.0
/*
 * Reports the clauses that did not compile without a probe (option zdefs) when a probe of theirs
 * comes while tracing.
 */
#include <errno.h>
#include <stddef.h>

#include "base/report.h"
#include "compile/compile.h"
#include "probe/probe.h"
#include "probe/registry.h"
#include "sema/typed.h"
#include "session/late_int.h"
#include "session/session.h"

struct looking {
	struct dtrace *d;
	const struct sema_clause *clause;
	pid_t pid;
	const struct probe *found;
};

/* registry_visit()'s */
static void find_probe(void *arg, const struct probe *p)
{
	struct looking *l = arg;

	if (!l->found && late_is_enabled(l->d, l->clause, p, l->pid))
		l->found = p;
}

static void tell(struct dtrace *d, const struct sema_clause *c, const struct probe *p)
{
	const char *text;
	int err = compile_check_clause(&d->compiling, c, p, &text);

	if (err == -ENOMEM)
		report_no_memory(&d->report);
	else if (err)
		report_message(&d->report, "%s matches probes now, but does not compile: %s",
			c->text, text);
	else
		report_message(&d->report,
			"%s matches probes now, without which its actions did not compile: start "
			"again to run them",
			c->text);
}

void late_tell_unchecked(struct dtrace *d, const struct late_process *p)
{
	struct late_probes *l = d->tracing.late_probes;

	vec_for (c, &l->clauses) {
		struct looking look = {d, c->clause, p ? p->pid : 0, NULL};

		if (!c->clause->unchecked || c->found)
			continue;
		if (p)
			registry_visit(d->compiling.registry, c->clause->late, p->pid, 0,
				find_probe, &look);
		else
			registry_visit_shared(
				d->compiling.registry, c->clause->late, 0, find_probe, &look);
		if (!look.found)
			continue;
		c->found = true;
		tell(d, c->clause, look.found);
	}
}
