// SPDX-License-Identifier: Apache-2.0
/* Watches what tracing costs, and whether the consumer keeps up. */
#include "session/governor.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "abi/kernel.h"
#include "base/arena.h"
#include "base/report.h"
#include "base/waits.h"
#include "confine/privilege.h"
#include "load/load.h"
#include "load/unwind/unwind.h"
#include "session/limits.h"
#include "session/options.h"
#include "session/session.h"
#include "session/tracing.h"

#define SECOND 1000000000ULL
#define LOOK   10000000ULL /* ns */

/* Of dt_state.user_frames_shift: no stack has as many frames. */
#define NO_FRAMES 31

/* Returns who set the limit that holds in place of option maxoverhead; NULL: the option holds. */
static const char *limited_by(const struct dtrace *d)
{
	struct load_bound most = limits_bound(&d->limits, LIMIT_overhead);
	int64_t wanted = options_given(d->opts, OPT_maxoverhead)
		? options_number(d->opts, OPT_maxoverhead)
		: 0;

	return most.by && (!wanted || (uint64_t)wanted > most.most) ? most.by : NULL;
}

static unsigned limit(const struct dtrace *d)
{
	if (limited_by(d))
		return (unsigned)limits_bound(&d->limits, LIMIT_overhead).most;
	return (unsigned)options_number(d->opts, OPT_maxoverhead);
}

static enum option_overload overload(const struct dtrace *d)
{
	int64_t word = options_number(d->opts, OPT_overload);

	if (limits_bound(&d->limits, LIMIT_overhead).by)
		return OVERLOAD_END;
	if (word != OVERLOAD_AUTO)
		return (enum option_overload)word;
	return options_given(d->opts, OPT_maxoverhead) ? OVERLOAD_END : OVERLOAD_WARN;
}

bool governor_is_wanted(const struct dtrace *d)
{
	return options_given(d->opts, OPT_maxoverhead) ||
		limits_bound(&d->limits, LIMIT_overhead).by;
}

/* ---- phases ---- */

static void rest(struct governor *g, uint64_t now)
{
	g->phase = GOVERNOR_RESTS;
	g->wait->until = now + SECOND - LOOK;
}

/* Returns the CPU time, in ns, that our threads have taken; 0 if it is not to count. */
static uint64_t consumer_ns(const struct dtrace *d)
{
	struct timespec t;

	if (!governor_is_wanted(d) || clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t))
		return 0;
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec + unwind_cpu_ns(d->tracing.load);
}

static void measure(struct dtrace *d, enum governor_phase phase, uint64_t now, uint64_t ns)
{
	struct governor *g = &d->tracing.governor;

	g->phase = phase;
	g->since = now;
	g->cpu = consumer_ns(d);
	g->wait->until = now + ns;
}

/* ---- beyond the limit ---- */

/* What is wrong, as text in the session's arena. */
static const char *complaint(struct dtrace *d)
{
	const struct governor *g = &d->tracing.governor;
	uint32_t n = d->settings.target.ncpus;
	const char *probes = arena_printf(d->arena, "probes take %u.%u%% of the time of %u CPU%s",
		g->share / 10, g->share % 10, n, n == 1 ? "" : "s");
	const char *most = limited_by(d)
		? arena_printf(d->arena, "%s allows %u%%", limited_by(d), limit(d))
		: arena_printf(d->arena, "more than %u%%", limit(d));

	if (!g->reading)
		return arena_printf(d->arena, "%s, %s", probes, most);
	return arena_printf(d->arena, "%s and reading their records %u.%u%%, %s", probes,
		g->reading / 10, g->reading % 10, most);
}

/* User stacks first, then the program that cost most; without one there is nothing to do. */
static void shed(struct dtrace *d, const struct load_cost *cost)
{
	struct governor *g = &d->tracing.governor;

	if (!g->no_stacks && unwind_is_used(d->tracing.load)) {
		g->no_stacks = true;
		load_state(d->tracing.load)->user_frames_shift = NO_FRAMES;
		report_message(
			&d->report, "%s: user stacks are left out from now on", complaint(d));
	} else if (cost->most_ns) {
		report_message(&d->report,
			"%s: '%s' and the probes of its program are left out from now on",
			complaint(d), load_leave_out(d->tracing.load, cost->most));
	}
}

static void act(struct dtrace *d, const struct load_cost *cost)
{
	struct governor *g = &d->tracing.governor;

	switch (overload(d)) {
	case OVERLOAD_SHED:
		shed(d, cost);
		break;
	case OVERLOAD_END:
		g->over = true;
		break;
	default:
		if (!g->warned)
			report_message(&d->report, "%s", complaint(d));
		g->warned = true;
	}
}

/* ---- work ---- */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* Does what is due in the run loop. */
static int work(void *arg, uint64_t now)
{
	struct dtrace *d = arg;
	struct governor *g = &d->tracing.governor;
	struct load *l = d->tracing.load;
	struct load_cost cost;
	uint64_t all, reading;

	if (g->phase == GOVERNOR_OFF || now < g->wait->until || g->over)
		return 0;
	if (g->phase == GOVERNOR_RESTS) {
		if (load_cost_begin(l)) { /* we may not measure, and nobody asked us to */
			g->phase = GOVERNOR_OFF;
			g->wait->until = WAIT_NEVER;
		} else {
			/* now: the kernel has changed its code, which can take longer than a look
			 */
			measure(d, GOVERNOR_LOOKS, now_ns(), LOOK);
		}
		return 0;
	}
	load_cost(l, &cost);
	all = (now - g->since) * d->settings.target.ncpus;
	reading = consumer_ns(d);
	reading = reading > g->cpu ? reading - g->cpu : 0; /* another thread may read now */
	if (cost.ns + reading <= all / 100 * limit(d)) {
		/* a load that moves about the limit is told once */
		g->warned = g->warned && cost.ns + reading > all / 200 * limit(d);
	} else if (g->phase == GOVERNOR_LOOKS) {
		measure(d, GOVERNOR_CONFIRMS, now, SECOND);
		return 0;
	} else {
		g->share = (unsigned)(cost.ns * 1000 / all);
		g->reading = (unsigned)(reading * 1000 / all);
		act(d, &cost);
	}
	load_cost_end(l, &cost);
	rest(g, now);
	return 0;
}

int governor_begin(struct dtrace *d, uint64_t now)
{
	struct governor *g = &d->tracing.governor;
	struct load_cost cost;
	const char *lacks;
	int err;

	if (!limit(d))
		return 0;
	g->wait = waits_add(d->arena, &d->tracing.waits, TURN_COSTS, work, d);
	rest(g, now);
	if (!governor_is_wanted(d))
		return 0;
	err = load_cost_begin(d->tracing.load);
	if (!err) {
		load_cost_end(d->tracing.load, &cost);
		return 0;
	}
	lacks = privilege_lacking(PRIVILEGE_STATS);
	return report_error(&d->report, err, "%s cannot be %s: %s%s",
		limited_by(d) ? limited_by(d) : "option maxoverhead",
		limited_by(d) ? "kept" : "set", lacks ? "it takes " : strerror(-err),
		lacks ? lacks : "");
}

/* ---- the consumer itself ---- */

void governor_alive(struct dtrace *d, uint64_t now)
{
	uint64_t ns = (uint64_t)options_number(d->opts, OPT_deadman);

	/* dtrace_session_wait() may sleep for a second first */
	load_state(d->tracing.load)->dead_at = ns ? now + SECOND + ns : UINT64_MAX;
}

bool governor_is_dead(const struct dtrace *d)
{
	return load_state(d->tracing.load)->dead;
}

int governor_verdict(struct dtrace *d)
{
	if (governor_is_dead(d))
		return report_error(
			&d->report, -ETIMEDOUT, "Abort due to systemic unresponsiveness");
	if (!d->tracing.governor.over)
		return 0;
	return report_error(&d->report, -EDQUOT, "%s", complaint(d));
}
