// SPDX-License-Identifier: Apache-2.0
/* Runs a session: starts tracing, consumes records while probes fire, stops. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "abi/kernel.h"
#include "base/interrupt.h"
#include "confine/privilege.h"
#include "base/report.h"
#include "base/safe.h"
#include "base/waits.h"
#include "consume/agg_rest.h"
#include "consume/agg_table.h"
#include "consume/drops.h"
#include "consume/ring.h"
#include "consume/spec.h"
#include "consume/stacks.h"
#include "dtrace/dtrace.h"
#include "load/load.h"
#include "lang/tool.h"
#include "load/unwind/unwind.h"
#include "probe/attach.h"
#include "session/asleep.h"
#include "session/delivery.h"
#include "session/events.h"
#include "session/filters.h"
#include "session/governor.h"
#include "late/late.h"
#include "session/options.h"
#include "session/params.h"
#include "session/session.h"
#include "session/sinks.h"
#include "session/snapshots.h"
#include "session/tables.h"
#include "session/start.h"
#include "session/tables.h"
#include "session/tracing.h"
#include "sym/sym.h"
#include "target/target.h"

#define NSEC_PER_SEC  1000000000ULL
#define NSEC_PER_MSEC 1000000LL
#define PASS_RECORDS  100000	  /* at most in one pass, so that signals are answered */
#define FILL_CHECK    20000000ULL /* ns between looks at how full the buffer is */

static uint64_t clock_ns(clockid_t which)
{
	struct timespec ts;

	clock_gettime(which, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* ---- the time of day ---- */

/* Returns the time of day minus the monotonic clock; the shortest of three readings counts. */
static uint64_t wall_offset(void)
{
	uint64_t shortest = UINT64_MAX, offset = 0;

	for (int i = 0; i < 3; i++) {
		uint64_t before = clock_ns(CLOCK_MONOTONIC), wall = clock_ns(CLOCK_REALTIME);
		uint64_t took = clock_ns(CLOCK_MONOTONIC) - before;

		if (took < shortest) {
			shortest = took;
			offset = wall - before - took / 2;
		}
	}
	return offset;
}

static int note_wall_clock(struct dtrace *d)
{
	load_state(d->tracing.load)->wall_offset = wall_offset();
	governor_alive(d, clock_ns(CLOCK_MONOTONIC));
	return 0;
}

/* The time of day was set. A small difference is that of two readings: time would go back. */
static void follow_wall_clock(struct dtrace *d)
{
	uint64_t now = wall_offset();
	int64_t change = (int64_t)(now - load_state(d->tracing.load)->wall_offset);

	if (change > NSEC_PER_MSEC || change < -NSEC_PER_MSEC)
		load_state(d->tracing.load)->wall_offset = now;
}

/* ---- what a pass tells ---- */

static int on_drop(void *arg, const struct drop *drop)
{
	struct dtrace *d = arg;

	report_message(&d->report, "%s", drop->text);
	return sinks_drop(d, drop);
}

static int report_drops(struct dtrace *d)
{
	struct tracing *t = &d->tracing;

	drops_set(t->drops, DT_DROP_SPEC, specs_dropped(t->specs) + t->beyond);
	drops_set(t->drops, DT_DROP_UNPLACED, late_unplaced(t->late_probes));
	drops_set(t->drops, DT_DROP_UNSEEN, late_unseen(t->late_probes));
	drops_set(t->drops, DT_DROP_UNPLACED_NET, load_nets_late(t->load));
	drops_set(t->drops, DT_DROP_UNPLACED_CALL, load_function_calls(t->load));
	drops_set(t->drops, DT_DROP_STOPPED, load_clocks_missed(t->load));
	drops_set(t->drops, DT_DROP_UNCOUNTED, load_uncounted(t->load));
	if (t->maps.rest)
		drops_set(t->drops, DT_DROP_AGGREST, agg_rest_lost(t->maps.rest));
	if (t->stacks)
		drops_set(t->drops, DT_DROP_EVICTED, stacks_missed(t->stacks));
	drops_set(t->drops, DT_DROP_MISSED, load_missed(t->load) - t->maps.missed);
	return drops_report(t->drops, options_on(d->opts, OPT_droptags), on_drop, d);
}

/* Report once that the tables for user stacks have reached their limit. */
static void report_unwind(struct dtrace *d)
{
	const char *text = unwind_message(d->tracing.load);

	if (text)
		report_message(&d->report, "%s", text);
}

/* At statusrate: check for drops, new processes and namespaces, and full buffers. */
static int check_status(void *arg, uint64_t now)
{
	struct dtrace *d = arg;
	struct tracing *t = &d->tracing;
	int err = 0;

	if (now < t->at_status->until)
		return 0;
	t->at_status->until = now + (uint64_t)options_number(d->opts, OPT_statusrate);
	events_remember_named(d);
	follow_wall_clock(d);
	load_follow(t->load);
	load_follow_cpus(t->load);
	load_start_clocks(t->load);
	report_unwind(d);
	asleep_check(d, false);
	if (t->stacks)
		stacks_follow(t->stacks);
	if (t->user_keys) /* learn of processes while they live */
		err = aggs_snapshot(t->aggs);
	if (!err)
		err = tables_free_stacks(d);
	if (!err) {
		t->filled = delivery_filled(d);
		err = report_drops(d);
	}
	return err ? report_error(&d->report, err, "%s", strerror(-err)) : 0;
}

/* ---- what ends it ---- */

static void on_death(void *arg, pid_t pid, const char *text)
{
	struct dtrace *d = arg;

	(void)pid;
	if (!d->tracing.outopts.quiet)
		report_message(&d->report, "%s", text);
}

enum dtrace_ending dtrace_session_ending(struct dtrace *d)
{
	struct tracing *t = &d->tracing;

	if (t->interrupts)
		return DTRACE_ENDING_INTERRUPTED;
	if (t->load && load_state(t->load)->exited)
		return DTRACE_ENDING_EXIT;
	if (t->filled)
		return DTRACE_ENDING_FILLED;
	if (t->load && governor_is_dead(d))
		return DTRACE_ENDING_BEHIND;
	if (t->governor.over)
		return DTRACE_ENDING_OVERHEAD;
	if (t->stopped)
		return DTRACE_ENDING_STOPPED;
	if (t->param_gone)
		return DTRACE_ENDING_TARGETS;
	if (d->phase == PHASE_TRACING && targets_count(d->targets) &&
		!targets_reap(d->targets, on_death, d) && !late_family_lives(t->late_probes))
		return DTRACE_ENDING_TARGETS;
	return DTRACE_ENDING_NOT;
}

static bool should_stop(struct dtrace *d)
{
	return dtrace_session_ending(d) != DTRACE_ENDING_NOT;
}

/* ---- records ---- */

/*
 * After a pass that found records the next one waits for a millisecond: to wake this thread for a
 * few records costs more than they do (getppid(2) under dtruss on one CPU takes 1.4 us without the
 * pause and 0.8 us with it).  The first record after a longer time is delivered at once.
 */
#define PAUSE	    1000000ULL /* ns */
#define PAUSE_BYTES (1u << 20) /* a smaller buffer would fill meanwhile */

static bool should_pause(const struct ring *r, unsigned long read)
{
	return read && ring_size(r) >= PAUSE_BYTES && read < ring_size(r) / 4;
}

/*
 * Records end the wait, but not before switchrate is over; until then it is looked whether the
 * buffer fills.
 */
static void await_records(struct dtrace *d, uint64_t now)
{
	struct tracing *t = &d->tracing;
	bool later = t->next_switch > now;

	t->at_records->fd = t->ring && !later ? ring_fd(t->ring) : -1;
	t->at_records->until = later ? t->next_switch : WAIT_NEVER;
	if (t->ring && later && now + FILL_CHECK < t->next_switch)
		t->at_records->until = now + FILL_CHECK;
}

/* At switchrate, or when the buffer fills: deliver records. */
static int deliver(struct dtrace *d, uint64_t now)
{
	struct tracing *t = &d->tracing;
	unsigned long from = 0;
	int err;

	if (now < t->next_switch && !(t->ring && ring_filling(t->ring)))
		return 0;
	if (t->ring)
		from = ring_position(t->ring);
	err = delivery_consume(d, PASS_RECORDS, false);
	t->next_switch = now + (uint64_t)options_number(d->opts, OPT_switchrate);
	if (t->ring && should_pause(t->ring, ring_position(t->ring) - from) &&
		t->next_switch < now + PAUSE)
		t->next_switch = now + PAUSE;
	if (!err && t->drained)
		late_consumed(t->late_probes);
	if (err)
		return err;
	err = sinks_flush(d);
	return err ? sinks_failed(d, err) : 0;
}

static int consume(void *arg, uint64_t now)
{
	struct dtrace *d = arg;
	int err = deliver(d, now);

	now = clock_ns(CLOCK_MONOTONIC);
	if (!d->tracing.ring || !ring_filling(d->tracing.ring))
		governor_alive(d, now);
	await_records(d, now);
	return err;
}

/* Wait for signal handlers, and for the next look at drops and records. */
static void wait_for_data(struct dtrace *d, uint64_t now)
{
	struct tracing *t = &d->tracing;

	waits_add(d->arena, &t->waits, TURN_NEWS, NULL, d)->fd = t->wake;
	t->at_status = waits_add(d->arena, &t->waits, TURN_STATUS, check_status, d);
	t->at_status->until = now;
	t->at_records = waits_add(d->arena, &t->waits, TURN_RECORDS, consume, d);
	await_records(d, now);
}

/* ---- go ---- */

static int resume_targets(struct dtrace *d)
{
	events_remember_named(d);
	if (targets_count(d->targets)) /* their ends are looked for in each pass */
		waits_add(d->arena, &d->tracing.waits, TURN_NEWS, NULL, d)->fd =
			targets_poll_fd(d->targets);
	return targets_resume(d->targets);
}

/* A process that a script is about may have ended before a probe could see that. */
static int note_params(struct dtrace *d)
{
	const struct param_value *gone = params_gone(d);

	if (gone)
		report_message(&d->report, "pid %d has exited", (int)gone->number);
	d->tracing.param_gone = gone != NULL;
	return 0;
}

static int begin_late(struct dtrace *d)
{
	return late_begin(d->tracing.late_probes);
}

static int go(struct dtrace *d)
{
	static int (*const stages[])(struct dtrace * d) = {
		session_prepare, /* types, registry, names */
		start_programs,	 /* compile, load */
		note_wall_clock,
		events_open,	 /* buffers, sinks, aggregations */
		filters_install, /* the control group */
		start_late,	 /* probes that come while tracing */
		start_unwind,	 /* tables for user stacks */
		start_tracing,	 /* BEGIN, attach */
		begin_late,	 /* probes that came meanwhile; option hold */
		start_showing,	 /* what BEGIN says: who waits for it is traced from then on */
		note_params,
		resume_targets,
	};
	uint64_t now;
	int err = 0;

	if (d->phase != PHASE_NEW)
		return report_error(&d->report, -EBUSY, "Operation illegal when tracing is active");
	settings_refresh(d);
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]) && !err; i++)
		err = stages[i](d);
	if (err)
		return err;
	asleep_check(d, true);
	d->phase = PHASE_TRACING;
	now = clock_ns(CLOCK_MONOTONIC);
	wait_for_data(d, now);
	snapshots_begin(d, now);
	governor_alive(d, now); /* attaching may have taken long */
	return governor_begin(d, now);
}

int dtrace_session_go(struct dtrace *d)
{
	return SESSION_TRY(d, go(d));
}

/* ---- passes and their end ---- */

/* End tracing after a fault (option errexit). */
static int aborted(struct dtrace *d)
{
	return report_error(&d->report, -ECANCELED, "Abort due to error");
}

static int finish(struct dtrace *d);

static int pass(struct dtrace *d)
{
	int err;

	if (d->phase == PHASE_DONE)
		return DTRACE_WORK_DONE;
	if (d->phase != PHASE_TRACING)
		return report_error(&d->report, -EINVAL, "tracing has not begun");
	if (d->tracing.failed)
		return aborted(d);
	if (should_stop(d)) {
		err = finish(d);
		if (!err)
			err = governor_verdict(d);
		return err ? err : DTRACE_WORK_DONE;
	}
	err = waits_work(&d->tracing.waits, TURN_NEWS, TURN_SHOW);
	return err ? err : DTRACE_WORK_OKAY;
}

int dtrace_session_poll(struct dtrace *d)
{
	return SESSION_TRY(d, pass(d));
}

static int wait_for_work(struct dtrace *d)
{
	if (d->phase == PHASE_NEW)
		return report_error(&d->report, -EINVAL, "tracing has not begun");
	if (d->phase == PHASE_TRACING && !d->tracing.failed && !should_stop(d))
		waits_for(&d->tracing.waits, clock_ns(CLOCK_MONOTONIC) + NSEC_PER_SEC);
	return 0;
}

int dtrace_session_wait(struct dtrace *d)
{
	return SESSION_TRY(d, wait_for_work(d));
}

int dtrace_session_work(struct dtrace *d)
{
	int err = dtrace_session_wait(d);

	return err ? err : dtrace_session_poll(d);
}

/* ---- the end ---- */

static void debug_unwind(const struct dtrace *d)
{
	struct unwind_stats stats;

	unwind_stats(d->tracing.load, &stats);
	if (stats.pool)
		report_debug(&d->report,
			"user stacks: %u processes, tables of %u files, %llu of %llu KB, %u requests",
			stats.processes, stats.objects, (unsigned long long)stats.used >> 10,
			(unsigned long long)stats.pool >> 10, stats.requests);
}

/* Detach, then run END; its records are consumed later. */
static int stop(struct dtrace *d)
{
	struct tracing *t = &d->tracing;
	volatile struct dt_state *st;
	uint64_t start = report_now();
	int err;

	if (d->phase == PHASE_NEW)
		return report_error(&d->report, -EINVAL, "tracing has not begun");
	if (d->phase != PHASE_TRACING || t->stopped)
		return 0;
	st = load_state(t->load);
	st->activity = DT_DRAINING;
	load_detach(t->load);
	report_debug(&d->report, "probes detached in %.1f ms", report_ms(start));
	debug_unwind(d);
	/* END must find room, however much was recorded before */
	err = delivery_hold(d);
	if (err)
		return err;
	if (st->exited)
		st->exited = DT_EXITED_EARLIER;
	st->activity = DT_ENDING;
	err = load_run(t->load, ATTACH_END);
	if (err)
		return report_error(&d->report, err, "%s", load_error(t->load));
	st->activity = DT_INACTIVE;
	t->stopped = true;
	return 0;
}

int dtrace_session_stop(struct dtrace *d)
{
	return SESSION_TRY(d, stop(d));
}

static void on_sum(void *arg, const char *text)
{
	struct dtrace *d = arg;

	report_message(&d->report, "%s", text);
}

static void report_hidden(struct dtrace *d)
{
	const char *why = sym_kernel_nameless(d->tracing.syms) ? sym_kernel_hides() : NULL;

	if (why)
		report_message(&d->report, "kernel addresses have no names: %s", why);
	if (sym_user_nameless(d->tracing.syms))
		report_message(&d->report,
			"addresses of other users' processes have no names: it takes %s",
			privilege_caps(PRIVILEGE_PROCESSES));
	if (sym_user_lacks_room(d->tracing.syms))
		report_message(&d->report,
			"some compiled functions have no names: the files /tmp/perf-PID.map of the traced processes are too large");
}

/* Fewer are not told: a CPU is late, too, and the first and last period are not whole. */
#define IDLE_LEAST 20

/*
 * Counts the firings that clocks missed on CPUs where they missed more than half: what fires late
 * on a busy machine is not so much.
 */
static void count_idle(struct dtrace *d)
{
	struct tracing *t = &d->tracing;
	uint64_t sum = 0;

	for (uint32_t cpu = 0; cpu < drops_cpus(t->drops); cpu++) {
		uint64_t due = load_firings_due(t->load, cpu);
		uint64_t fired = drops_on_cpu(t->drops, DT_COUNT_CLOCK, cpu);

		if (fired < due / 2 && due - fired >= IDLE_LEAST)
			sum += due - fired;
	}
	drops_set(t->drops, DT_DROP_IDLE, sum);
}

/* Make the last pass: remaining records, END's records, aggregations. */
static int consume_rest(struct dtrace *d)
{
	int err = delivery_consume(d, 0, true);

	if (err)
		return err;
	if (d->tracing.failed)
		return aborted(d);
	err = tables_refresh_last(d);
	if (!err)
		err = report_drops(d);
	if (!err) {
		count_idle(d);
		err = report_drops(d);
	}
	if (err)
		return err;
	drops_sum_up(d->tracing.drops, on_sum, d);
	tables_advise(d);
	tables_tell_late(d);
	late_ended(d->tracing.late_probes);
	err = snapshots_finish(d);
	if (!err)
		err = events_finish(d);
	report_hidden(d);
	return err;
}

static int finish(struct dtrace *d)
{
	struct tracing *t = &d->tracing;
	const volatile struct dt_state *st = load_state(t->load);
	int err = waits_work(&t->waits, TURN_NEWS, TURN_NEWS); /* what ran too early until now */

	if (!err)
		err = dtrace_session_stop(d);
	if (err)
		return err;
	d->phase = PHASE_DONE;
	report_unwind(d);
	/* bufpolicy=ring may have lost the record that says so */
	t->exit_status = st->exited ? st->exit_status : 0;
	if (t->interrupts && !t->outopts.noprefix)
		err = sinks_newline(d);
	if (err)
		return sinks_failed(d, err);
	if (t->interrupts <= 1) /* twice: the user is impatient, the rest is not shown */
		err = consume_rest(d);
	if (err) {
		int saved = errno; /* why a write failed */

		sinks_flush(d); /* what the other outputs have is whole */
		errno = saved;
		return err;
	}
	err = sinks_flush(d);
	return err ? sinks_failed(d, err) : 0;
}

void dtrace_session_interrupt(struct dtrace *d)
{
	const uint64_t one = 1;
	ssize_t n;

	d->tracing.interrupts++;
	interrupt_note();
	/* a signal between looking and waiting ends the wait as well */
	n = write(d->tracing.wake, &one, sizeof(one));
	(void)n;
}

enum dtrace_stage dtrace_session_stage(const struct dtrace *d)
{
	return !d->tracing.begun	 ? DTRACE_STAGE_START
		: d->phase == PHASE_DONE ? DTRACE_STAGE_END
					 : DTRACE_STAGE_TRACE;
}

bool dtrace_session_dropped(const struct dtrace *d)
{
	return d->tracing.saved_losses || (d->tracing.drops && drops_any(d->tracing.drops));
}

int dtrace_session_exit_status(const struct dtrace *d)
{
	return d->tracing.exit_status;
}

void dtrace_session_print_log(const struct dtrace *d, FILE *out)
{
	struct load *load = d->tracing.load;
	const char *p = load ? load_log(load) : "";

	if (load && load_log_lost(load)) {
		fprintf(out,
			"BPF verifier log is incomplete and is not reported.\n"
			"Set DTrace option 'bpflogsize' to some greater size for more output.\n"
			"(Current size is %u.)\n",
			load_log_lost(load));
		return;
	}
	while (*p) {
		size_t n = strcspn(p, "\n");

		fputs("BPF: ", out);
		safe_put(out, p, n);
		fputc('\n', out);
		p += n + (p[n] == '\n');
	}
}
