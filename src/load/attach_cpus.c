// SPDX-License-Identifier: Apache-2.0
/*
 * Attaches programs to a perf event on each CPU, or on one, and follows CPUs that go and come.
 *
 * The kernel takes the events off a CPU that goes, and does not put them back when it comes again
 * (kernel/events/core.c, perf_event_exit_cpu_context()).  The time for which an event was enabled
 * then stands still.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <sys/types.h>

#include "base/vec.h"
#include "load/internal.h"
#include "load/load.h"
#include "probe/attach.h"

HEAPVEC_STRUCT(cpus, uint32_t);

/* "0-3,8" (Documentation/admin-guide/cputopology.rst) */
static int cpus_online(struct cpus *cpus)
{
	FILE *f = fopen("/sys/devices/system/cpu/online", "re");
	unsigned first, last;
	int err = 0;

	if (!f)
		return -errno;
	while (!err && fscanf(f, "%u", &first) == 1) {
		int c = fgetc(f);

		last = first;
		if (c == '-') {
			if (fscanf(f, "%u", &last) != 1 || last < first)
				err = -EINVAL;
			else
				fgetc(f);
		}
		for (uint32_t cpu = first; !err && cpu <= last; cpu++)
			err = heapvec_push(cpus, cpu);
	}
	fclose(f);
	return err ? err : cpus->len ? 0 : -EINVAL;
}

static bool cpus_have(const struct cpus *cpus, uint32_t cpu)
{
	vec_for (c, cpus)
		if (*c == cpu)
			return true;
	return false;
}

static int add_event(struct load *l, int prog, uint32_t cpu, const struct attach_plan *plan)
{
	return heapvec_push(&l->cpu_events,
		(struct load_cpu_event){.event = -1, .prog = prog, .cpu = cpu, .plan = *plan});
}

static int attach_event(struct load *l, struct load_cpu_event *e)
{
	int err;

	l->attaching = e->prog;
	err = load_attach_event(l, e->prog, e->cpu, &e->plan);
	if (err)
		return err;
	e->event = vec_last(&l->hooks).event;
	e->enabled = 0;
	return 0;
}

int load_attach_cpus(struct load *l, int prog, const struct attach_plan *plan)
{
	struct cpus cpus = {0};
	int err = cpus_online(&cpus);

	if (!err && l->opts.cpu != UINT32_MAX) {
		err = cpus_have(&cpus, l->opts.cpu) ? 0 : -ENODEV;
		cpus.data[0] = l->opts.cpu;
		cpus.len = 1;
	}
	for (uint32_t i = 0; !err && i < cpus.len; i++) {
		err = add_event(l, prog, cpus.data[i], plan);
		if (!err)
			err = attach_event(l, &vec_last(&l->cpu_events));
		if (err == -ENODEV && i + 1 < cpus.len)
			err = 0; /* went offline just now */
		else if (!err && !plan->all_cpus)
			break;
	}
	heapvec_free(&cpus);
	return err;
}

/* ---- CPUs that go and come ---- */

/* Returns true if its CPU has gone since the last look, even if it is there again. */
static bool is_dead(struct load_cpu_event *e)
{
	uint64_t before = e->enabled;

	e->enabled = load_event_enabled(e->event);
	return e->enabled == before;
}

static void detach_event(struct load *l, struct load_cpu_event *e)
{
	load_close_clock(l, e->event, true);
	for (uint32_t i = l->hooks.len; i-- > 0;) {
		struct load_hook h = l->hooks.data[i];

		if (h.event != e->event)
			continue;
		if (h.link >= 0)
			close(h.link);
		close(h.event);
		l->hooks.data[i] = l->hooks.data[--l->hooks.len];
		break;
	}
	e->event = -1;
}

/* An event of one CPU moves to another that is there; what fails is tried again at the next look.
 */
static void attach_again(struct load *l, struct load_cpu_event *e, const struct cpus *online)
{
	if (!cpus_have(online, e->cpu)) {
		if (e->plan.all_cpus || l->opts.cpu != UINT32_MAX)
			return;
		e->cpu = online->data[0];
	}
	attach_event(l, e);
}

static bool has_event(const struct load *l, int prog, uint32_t cpu)
{
	vec_for (e, &l->cpu_events)
		if (e->prog == prog && e->cpu == cpu)
			return true;
	return false;
}

/* A CPU that was not there when tracing began: programs that are on each CPU get an event. */
static int add_cpu(struct load *l, uint32_t cpu)
{
	uint32_t n = l->cpu_events.len;
	int prog = -1, err = 0;

	for (uint32_t i = 0; !err && i < n; i++) {
		struct load_cpu_event e = l->cpu_events.data[i];

		if (!e.plan.all_cpus || e.prog == prog)
			continue;
		/* all programs have the same CPUs: the first says which are new */
		if (prog < 0 && has_event(l, e.prog, cpu))
			break;
		prog = e.prog;
		err = add_event(l, prog, cpu, &e.plan);
	}
	return err;
}

void load_follow_cpus(struct load *l)
{
	struct cpus online = {0};
	int err = l->cpu_events.len ? cpus_online(&online) : -ENOENT;

	if (l->opts.cpu == UINT32_MAX)
		for (uint32_t i = 0; !err && i < online.len; i++)
			err = add_cpu(l, online.data[i]);
	for (uint32_t i = 0; !err && i < l->cpu_events.len; i++) {
		struct load_cpu_event *e = &l->cpu_events.data[i];

		if (e->event >= 0 && is_dead(e))
			detach_event(l, e);
		if (e->event < 0)
			attach_again(l, e, &online);
	}
	heapvec_free(&online);
}

void load_forget_cpus(struct load *l, int prog)
{
	uint32_t n = 0;

	vec_for (e, &l->cpu_events)
		if (e->prog != prog)
			l->cpu_events.data[n++] = *e;
	l->cpu_events.len = n;
}
