// SPDX-License-Identifier: Apache-2.0
/*
 * Tells of probes that match and never fire, because their process was started without a flag.
 *
 * HotSpot has three groups of them (src/hotspot/share/runtime/globals.hpp).  Providers of other
 * programs have no such flags: a build either has the probes or lacks them, and semaphores turn on
 * what is costly.
 */
#include "session/asleep.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intmap.h"
#include "base/report.h"
#include "base/vec.h"
#include "managed/java_flag.h"
#include "probe/glob.h"
#include "sema/sema.h"
#include "sema/typed.h"
#include "late/late.h"
#include "session/session.h"
#include "session/tracing.h"
#include "target/target.h"

#define PROVIDER "hotspot"

static const struct need {
	const char *flag, *probes;
	const char *names[9]; /* that PROBES is short for */
} needs[] = {
	{"DTraceMonitorProbes", "monitor-*",
		{"monitor-contended-enter", "monitor-contended-entered", "monitor-contended-exit",
			"monitor-notify", "monitor-notifyAll", "monitor-wait", "monitor-waited"}},
	{"DTraceMethodProbes", "method-entry and method-return", {"method-entry", "method-return"}},
	{"DTraceAllocProbes", "object-alloc", {"object-alloc"}},
};

#define NNEEDS (sizeof(needs) / sizeof(needs[0]))

static bool names_one(const struct need *need, const char *pattern)
{
	for (size_t i = 0; need->names[i]; i++)
		if (glob_match(pattern, need->names[i]))
			return true;
	return false;
}

/* The process that the description is about alone, hotspot1234; 0: it is about several. */
static pid_t named_process(const char *prov)
{
	size_t len = strlen(PROVIDER);

	if (strncmp(prov, PROVIDER, len) != 0 || !isdigit((unsigned char)prov[len]))
		return 0;
	return (pid_t)strtol(prov + len, NULL, 10);
}

/* Bits: which of needs[] the clause has, in process PID. */
static unsigned needs_of(const struct sema_clause *c, pid_t pid)
{
	unsigned wanted = 0;
	char prov[32];

	snprintf(prov, sizeof(prov), PROVIDER "%d", (int)pid);
	if (!c->enabled || !glob_match(c->pat.prov, prov) || !glob_match(c->pat.mod, "libjvm.so"))
		return 0;
	for (size_t i = 0; i < NNEEDS; i++)
		if (names_one(&needs[i], c->pat.name))
			wanted |= 1u << i;
	return wanted;
}

static unsigned all_needs(struct dtrace *d, pid_t pid)
{
	unsigned wanted = 0;

	vec_for (c, &sema_session(d->compiling.sema)->clauses)
		wanted |= needs_of(*c, pid);
	return wanted;
}

/* Tells of process PID what it lacks; false: there is no VM, or it is not known yet. */
static bool look_at(struct dtrace *d, pid_t pid)
{
	unsigned wanted = all_needs(d, pid);
	struct java_flag flags[NNEEDS];

	if (!wanted)
		return false;
	for (size_t i = 0; i < NNEEDS; i++)
		flags[i].name = needs[i].flag;
	if (!java_flags(pid, flags, NNEEDS) || flags[0].is == JAVA_FLAG_UNKNOWN)
		return false;
	for (size_t i = 0; i < NNEEDS; i++)
		if ((wanted & 1u << i) && flags[i].is == JAVA_FLAG_OFF)
			report_message(&d->report,
				"process %d: " PROVIDER
				"'s %s do not fire: it runs without -XX:+%s",
				(int)pid, needs[i].probes, needs[i].flag);
	return true;
}

static void look_once(struct dtrace *d, pid_t pid)
{
	struct intmap *told = &d->tracing.told_asleep;

	if (pid > 0 && !intmap_find(told, (uint64_t)pid) && look_at(d, pid))
		intmap_put(told, (uint64_t)pid, 1); /* without memory it is told again */
}

/* Looks at all processes: a description may be about any. */
static void look_at_all(struct dtrace *d)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;

	while (proc && (e = readdir(proc)))
		look_once(d, (pid_t)atoi(e->d_name));
	if (proc)
		closedir(proc);
}

/* True if C can have them.  *PID is named_process(). */
static bool concerns(const struct sema_clause *c, pid_t *pid)
{
	*pid = named_process(c->pat.prov);
	return needs_of(c, *pid ? *pid : 1); /* any number stands for the process */
}

static bool any_concerned(const struct dtrace *d)
{
	pid_t pid;

	vec_for (c, &sema_session(d->compiling.sema)->clauses)
		if (concerns(*c, &pid))
			return true;
	return false;
}

bool asleep_concerns(struct dtrace *d)
{
	struct tracing *t = &d->tracing;

	if (!t->asleep) /* there can be very many clauses, and no other ones come */
		t->asleep = any_concerned(d) ? ASLEEP_SOME : ASLEEP_NONE;
	return t->asleep == ASLEEP_SOME;
}

static void look_again(void *arg, pid_t pid)
{
	look_once(arg, pid);
}

void asleep_check(struct dtrace *d, bool all)
{
	bool others = false;
	pid_t pid;

	if (!asleep_concerns(d))
		return;
	vec_for (c, &sema_session(d->compiling.sema)->clauses) {
		if (!concerns(*c, &pid))
			continue;
		look_once(d, pid);
		others |= !pid;
	}
	if (all && others)
		look_at_all(d);
	for (unsigned i = 0; targets_nth(d->targets, i); i++)
		look_once(d, targets_nth(d->targets, i));
	late_each_process(d->tracing.late_probes, look_again, d);
}
