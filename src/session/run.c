// SPDX-License-Identifier: Apache-2.0
/* Tracing: into the kernel, consumer passes, the end. */
#define _GNU_SOURCE
#include "session/debug.h"
#include "session/filters.h"
#include "session/handle.h"
#include "session/late.h"
#include "load/unwind.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NSEC_PER_SEC 1000000000ULL

static uint64_t clock_ns(clockid_t which)
{
	struct timespec ts;

	clock_gettime(which, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* ---- starting ---- */

static struct load_image image(struct dtrace *d)
{
	const struct ir_module *m = &d->lowered->module;
	struct load_prog *progs = arena_new_array(d->arena, struct load_prog, m->progs.len + 1);

	for (uint32_t i = 0; i < m->progs.len; i++) {
		progs[i].name = m->progs.data[i].func->name;
		progs[i].label = m->progs.data[i].label;
		progs[i].plan = m->progs.data[i].plan;
		progs[i].sites = m->progs.data[i].sites.data;
		progs[i].nsites = m->progs.data[i].sites.len;
	}
	return (struct load_image){
		.elf = d->object.data,
		.elf_len = d->object.len,
		.needs_rt = m->needs_rt,
		.progs = progs,
		.nprogs = m->progs.len,
		.strsize = (uint32_t)options_number(d->opts, OPT_strsize),
		.scratch_size = m->scratch_size,
		.nplaces = d->lowered->max_places,
		.nspec = (uint32_t)options_number(d->opts, OPT_nspec),
	};
}

/* load_progress_fn; another thread may look at the numbers. */
static bool on_progress(void *arg, uint32_t probes, uint32_t all)
{
	struct dtrace *d = arg;

	__atomic_store_n(&d->attached, probes, __ATOMIC_RELAXED);
	return d->interrupts != 0;
}

unsigned dtrace_session_attached(const struct dtrace *d, unsigned *all)
{
	*all = __atomic_load_n(&d->to_attach, __ATOMIC_RELAXED);
	return __atomic_load_n(&d->attached, __ATOMIC_RELAXED);
}

static uint32_t count_places(const struct load_image *img)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < img->nprogs; i++)
		n += img->progs[i].nsites ? img->progs[i].nsites : 1;
	return n;
}

static int load_programs(struct dtrace *d)
{
	int64_t cpu = options_number(d->opts, OPT_cpu);
	int64_t lockmem = options_number(d->opts, OPT_lockmem);
	struct load_image img = image(d);
	struct load_options opts = {
		.features = handle_features(d),
		.progress = on_progress,
		.progress_arg = d,
		.unwindsize = (uint64_t)options_number(d->opts, OPT_unwindsize),
		.cpu = cpu < 0 ? UINT32_MAX : (uint32_t)cpu,
		.log = options_on(d->opts, OPT_bpflog),
		.log_size = (uint32_t)options_number(d->opts, OPT_bpflogsize),
		.lockmem = lockmem == OPTION_UNLIMITED ? UINT64_MAX : (uint64_t)lockmem,
	};
	uint64_t start = debug_now();
	int err;

	__atomic_store_n(&d->to_attach, count_places(&img), __ATOMIC_RELAXED);
	err = load_open(&img, d->types, &opts, &d->load);

	debug(d, "%u programs %s in %.1f ms", img.nprogs, err ? "failed to load" : "loaded",
		debug_ms(start));
	for (uint32_t i = 0; i < img.nprogs; i++)
		debug(d, "program %s: %s", img.progs[i].name, img.progs[i].label);
	if (err)
		return handle_error(
			d, err, "%s", d->load ? load_error(d->load) : "Memory allocation failure");
	return 0;
}

static int begin(struct dtrace *d)
{
	volatile struct dt_state *st = load_state(d->load);
	uint32_t skipped;
	uint64_t start;
	int err;

	st->activity = DT_BEGINNING;
	d->beginning = true;
	err = load_run(d->load, ATTACH_BEGIN);
	if (err)
		return handle_error(d, err, "%s", load_error(d->load));
	if (st->exited) /* BEGIN called exit(): nothing else fires */
		return 0;
	start = debug_now();
	err = load_attach(d->load);
	debug(d, "probes %s in %.1f ms", err ? "failed to attach" : "attached", debug_ms(start));
	if (err == -EINTR) /* nothing is attached: what is left is END */
		err = 0;
	if (err)
		return handle_error(d, err, "%s", load_error(d->load));
	skipped = load_skipped(d->load) + registry_env(d->registry)->left_out;
	if (skipped)
		handle_message(d,
			"%u of the probes are not enabled: the kernel refuses to "
			"instrument these functions",
			skipped);
	/* what BEGIN asks of the consumer, a clear() for instance, is done before anything fires */
	err = events_consume(d, 0, false);
	if (err)
		return err;
	err = sinks_flush(d);
	if (err)
		return handle_error(d, err, "%s", strerror(-err));
	st->activity = DT_ACTIVE;
	return 0;
}

static int compile_and_load(struct dtrace *d)
{
	int err;

	sizes_limit_rates(d);
	err = codegen(d);
	if (err)
		return d->diags.list.len ? compile_report(d) : err;
	if (sema_session(d->sema)->destructive && !options_on(d->opts, OPT_destructive))
		return handle_error(d, -EPERM, "Destructive actions not allowed");
	err = load_programs(d);
	while (err == -ENOMEM && sizes_lower(d, (uint32_t)load_cpus())) {
		load_close(d->load);
		d->load = NULL;
		err = codegen(d);
		if (!err)
			err = load_programs(d);
	}
	return err;
}

static void debug_unwind(const struct dtrace *d)
{
	struct unwind_stats stats;

	unwind_stats(d->load, &stats);
	if (stats.pool)
		debug(d,
			"user stacks: %u processes, tables of %u files, %llu of %llu KB, %u "
			"requests",
			stats.processes, stats.objects, (unsigned long long)stats.used >> 10,
			(unsigned long long)stats.pool >> 10, stats.requests);
}

/* The tables for user stacks, if any are asked for. */
static int start_unwind(struct dtrace *d)
{
	uint64_t start = debug_now();
	int err = unwind_start(d->load);

	if (err)
		return handle_error(d, err, "cannot prepare user stacks: %s", strerror(-err));
	/* what has ended meanwhile has no stacks either */
	if (targets_first(d->targets) && !unwind_add(d->load, targets_first(d->targets)))
		debug(d, "user stacks prepared in %.1f ms", debug_ms(start));
	return 0;
}

int dtrace_session_go(struct dtrace *d)
{
	int err;

	if (d->phase != PHASE_NEW)
		return handle_error(d, -EBUSY, "Operation illegal when tracing is active");
	err = handle_prepare(d);
	if (err)
		return err;
	d->diags.list.len = 0;
	handle_refresh_options(d);
	err = compile_and_load(d);
	if (!err) {
		load_state(d->load)->wall_offset =
			clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC);
		err = events_open(d);
	}
	if (!err)
		err = filters_install(d);
	if (!err)
		err = late_open(d);
	if (!err)
		err = start_unwind(d);
	if (!err)
		err = begin(d);
	if (!err) {
		events_remember_target(d);
		err = targets_resume(d->targets);
	}
	if (err)
		return err;
	d->phase = PHASE_TRACING;
	d->next_status = clock_ns(CLOCK_MONOTONIC);
	return 0;
}

void dtrace_session_print_log(const struct dtrace *d, FILE *out)
{
	const char *p = d->load ? load_log(d->load) : "";

	if (d->load && load_log_lost(d->load)) {
		fprintf(out,
			"BPF verifier log is incomplete and is not reported.\n"
			"Set DTrace option 'bpflogsize' to some greater size for more output.\n"
			"(Current size is %u.)\n",
			load_log_lost(d->load));
		return;
	}
	while (*p) {
		size_t n = strcspn(p, "\n");

		fprintf(out, "BPF: %.*s\n", (int)n, p);
		p += n + (p[n] == '\n');
	}
}

/* ---- consumer passes ---- */

static void on_death(void *arg, pid_t pid, const char *text)
{
	struct dtrace *d = arg;

	(void)pid;
	if (!d->outopts.quiet)
		handle_message(d, "%s", text);
}

static int on_drop(void *arg, const struct drop *drop)
{
	handle_message(arg, "%s", drop->text);
	return sinks_drop(arg, drop);
}

static void on_sum(void *arg, const char *text)
{
	handle_message(arg, "%s", text);
}

static int report_drops(struct dtrace *d)
{
	drops_set(d->drops, DT_DROP_SPEC, specs_dropped(d->specs) + d->beyond);
	drops_set(d->drops, DT_DROP_MISSED, load_missed(d->load) - d->own_missed);
	return drops_report(d->drops, options_on(d->opts, OPT_droptags), on_drop, d);
}

enum dtrace_ending dtrace_session_ending(struct dtrace *d)
{
	if (d->interrupts)
		return DTRACE_ENDING_INTERRUPTED;
	if (d->load && load_state(d->load)->exited)
		return DTRACE_ENDING_EXIT;
	if (d->filled)
		return DTRACE_ENDING_FILLED;
	if (d->stopped)
		return DTRACE_ENDING_STOPPED;
	if (d->phase == PHASE_TRACING && targets_count(d->targets) &&
		!targets_reap(d->targets, on_death, d))
		return DTRACE_ENDING_TARGETS;
	return DTRACE_ENDING_NOT;
}

static bool should_stop(struct dtrace *d)
{
	return dtrace_session_ending(d) != DTRACE_ENDING_NOT;
}

#define FILL_CHECK 20000000ULL /* ns between looks at how full the buffer is */

/* Wait until there is data, a target died or the next thing is due; a signal ends it too. */
static void wait_for_data(struct dtrace *d)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC), until = now + NSEC_PER_SEC;
	struct pollfd fds[4] = {{.fd = d->wake, .events = POLLIN}};
	nfds_t n = 1;
	struct timespec ts;

	if (d->next_status < until)
		until = d->next_status;
	if (d->next_switch > now) { /* not before, unless the buffer fills */
		until = d->next_switch < until ? d->next_switch : until;
		if (d->ring && until > now + FILL_CHECK)
			until = now + FILL_CHECK;
	} else if (d->ring)
		fds[n++] = (struct pollfd){.fd = ring_fd(d->ring), .events = POLLIN};
	if (targets_count(d->targets))
		fds[n++] = (struct pollfd){.fd = targets_poll_fd(d->targets), .events = POLLIN};
	if (late_fd(d) >= 0)
		fds[n++] = (struct pollfd){.fd = late_fd(d), .events = POLLIN};
	if (until <= now)
		return;
	ts.tv_sec = (time_t)((until - now) / NSEC_PER_SEC);
	ts.tv_nsec = (long)((until - now) % NSEC_PER_SEC);
	ppoll(fds, n, &ts, NULL);
}

/* The tables for user stacks are as large as they may be: told once. */
static void report_unwind(struct dtrace *d)
{
	const char *text = unwind_message(d->load);

	if (text)
		handle_message(d, "%s", text);
}

static int periodic(struct dtrace *d)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	int err;

	if (now < d->next_status)
		return 0;
	d->next_status = now + (uint64_t)options_number(d->opts, OPT_statusrate);
	events_remember_target(d);
	if (!d->stopped)
		load_follow(d->load);
	report_unwind(d);
	if (d->user_keys) { /* learn of processes while they live */
		err = aggs_snapshot(d->aggs);
		if (err)
			return err;
	}
	d->filled = events_filled(d);
	return report_drops(d);
}

int dtrace_session_stop(struct dtrace *d)
{
	volatile struct dt_state *st;
	uint64_t start = debug_now();
	int err;

	if (d->phase != PHASE_TRACING || d->stopped)
		return d->phase == PHASE_NEW ? handle_error(d, -EINVAL, "tracing has not begun")
					     : 0;
	st = load_state(d->load);
	st->activity = DT_DRAINING;
	load_detach(d->load);
	debug(d, "probes detached in %.1f ms", debug_ms(start));
	debug_unwind(d);
	/* nothing that was recorded before shall keep END from recording */
	err = events_hold(d);
	if (err)
		return err;
	st->activity = DT_ENDING;
	err = load_run(d->load, ATTACH_END);
	if (err)
		return handle_error(d, err, "%s", load_error(d->load));
	st->activity = DT_INACTIVE;
	d->stopped = true;
	return 0;
}

/* Option errexit: there was a fault. */
static int aborted(struct dtrace *d)
{
	return handle_error(d, -ECANCELED, "Abort due to error");
}

/* The last pass: END, what is left in the buffer, aggregations. */
static int finish(struct dtrace *d)
{
	const volatile struct dt_state *st = load_state(d->load);
	int err = dtrace_session_stop(d);

	if (err)
		return err;
	d->phase = PHASE_DONE;
	report_unwind(d);
	/* bufpolicy=ring may have lost the record that says so */
	d->exit_status = st->exited ? st->exit_status : 0;
	if (d->interrupts && !d->outopts.noprefix) {
		err = sinks_newline(d);
		if (err)
			return handle_error(d, err, "%s", strerror(-err));
	}
	if (d->interrupts > 1) /* impatient: what is left is not shown */
		return 0;
	err = events_consume(d, 0, true);
	if (!err && d->failed)
		return aborted(d);
	if (!err)
		err = report_drops(d);
	if (!err)
		drops_sum_up(d->drops, on_sum, d);
	return err ? err : events_finish(d);
}

#define PASS_RECORDS 100000 /* at most in one pass, so that signals are answered */

int dtrace_session_wait(struct dtrace *d)
{
	if (d->phase == PHASE_NEW)
		return handle_error(d, -EINVAL, "tracing has not begun");
	if (d->phase == PHASE_TRACING && !d->failed && !should_stop(d))
		wait_for_data(d);
	return 0;
}

int dtrace_session_work(struct dtrace *d)
{
	int err = dtrace_session_wait(d);

	return err ? err : dtrace_session_poll(d);
}

int dtrace_session_poll(struct dtrace *d)
{
	int err;

	if (d->phase == PHASE_DONE)
		return DTRACE_WORK_DONE;
	if (d->phase != PHASE_TRACING)
		return handle_error(d, -EINVAL, "tracing has not begun");
	if (d->failed)
		return aborted(d);
	if (should_stop(d)) {
		err = finish(d);
		if (err)
			return err;
		err = sinks_flush(d);
		return err ? handle_error(d, err, "%s", strerror(-err)) : DTRACE_WORK_DONE;
	}
	err = d->stopped ? 0 : late_work(d);
	if (err)
		return err;
	err = periodic(d);
	if (err)
		return handle_error(d, err, "%s", strerror(-err));
	if (clock_ns(CLOCK_MONOTONIC) < d->next_switch && !(d->ring && ring_filling(d->ring)))
		return DTRACE_WORK_OKAY;
	d->next_switch =
		clock_ns(CLOCK_MONOTONIC) + (uint64_t)options_number(d->opts, OPT_switchrate);
	err = events_consume(d, PASS_RECORDS, false);
	if (!err)
		err = sinks_flush(d);
	return err ? err : DTRACE_WORK_OKAY;
}

void dtrace_session_interrupt(struct dtrace *d)
{
	const uint64_t one = 1;
	ssize_t n;

	d->interrupts++;
	/* so that a signal between looking and waiting ends the wait, too */
	n = write(d->wake, &one, sizeof(one));
	(void)n;
}

bool dtrace_session_dropped(const struct dtrace *d)
{
	return d->drops && drops_any(d->drops);
}

int dtrace_session_exit_status(const struct dtrace *d)
{
	return d->exit_status;
}
