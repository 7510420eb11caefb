// SPDX-License-Identifier: Apache-2.0
/*
 * Looks at all processes again after the kernel had no room for some events: a process that it did
 * not tell of may go on for days.  Those that have ended meanwhile are in the number of lost
 * events.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "compile/compiling.h"
#include "probe/registry.h"
#include "prov/scope.h"
#include "late/late.h"
#include "late/late_int.h"
#include "sym/process.h"

#define PAUSE_NS 1000000000ULL /* between two looks: each reads all of /proc */

void late_note_lost(struct late *l, uint64_t n)
{
	l->lost = l->again = true;
	l->unseen += n;
}

uint64_t late_unseen(const struct late *l)
{
	return l ? l->unseen : 0;
}

/* process_all()'s: of processes with probes of their own. */
static int note_process(void *arg, pid_t pid)
{
	struct late *l = arg;
	bool family = l->env.follow &&
		(late_in_family(l, pid) || late_in_family(l, process_parent(late_looker(l), pid)));
	struct late_process *p = late_note_change(l, pid, true);

	if (p)
		p->family = family;
	return 0;
}

static int ask_followed(void *arg, pid_t pid)
{
	struct late *l = arg;

	if (late_is_followed(l, pid))
		late_files_of(l, pid);
	return 0;
}

int late_look_again(struct late *l)
{
	uint64_t now = report_now();
	int err;

	if (!l->again || (l->looked_again && now - l->looked_again < PAUSE_NS))
		return 0;
	l->again = false;
	if (l->by_process)
		(void)process_all(note_process, l);
	if (l->by_file) {
		late_files_ask(l);
		(void)scope_processes(registry_env(l->env.compiling->registry), ask_followed, l);
	}
	l->looked_again = report_now();
	err = l->by_file ? late_files_attach(l) : 0;
	return err == -EPIPE ? 0 : err; /* nobody attaches any more */
}
