// SPDX-License-Identifier: Apache-2.0
/* Starts tracing: compiles and loads the programs, runs BEGIN, attaches the probes. */
#include "session/start.h"

#include <errno.h>
#include <string.h>

#include "abi/kernel.h"
#include "abi/runtime.h"
#include "base/report.h"
#include "base/waits.h"
#include "compile/compile.h"
#include "compile/image.h"
#include "load/load.h"
#include "load/unwind/unwind.h"
#include "managed/java_attach.h"
#include "probe/attach.h"
#include "sema/sema.h"
#include "sema/typed.h"
#include "session/delivery.h"
#include "session/limits.h"
#include "session/named.h"
#include "session/options.h"
#include "session/refused.h"
#include "session/session.h"
#include "session/sinks.h"
#include "session/sizes.h"
#include "session/tracing.h"

/* ---- loading ---- */

/* Returns IMAGE with the sizes that are the session's alone. */
static struct load_image sized(const struct dtrace *d, const struct image *image)
{
	struct load_image img = image->load;

	img.stacksize = (uint64_t)options_number(d->opts, OPT_stacksize);
	return img;
}

void dtrace_set_progress_handler(
	struct dtrace *d, void (*handler)(void *arg, unsigned attached, unsigned all), void *arg)
{
	d->tracing.progress = handler;
	d->tracing.progress_arg = arg;
}

static void tell_progress(const struct tracing *t, uint32_t attached, uint32_t all)
{
	if (t->progress)
		t->progress(t->progress_arg, attached, all);
}

/* load_progress_fn */
static bool on_progress(void *arg, uint32_t attached, uint32_t all)
{
	struct dtrace *d = arg;

	tell_progress(&d->tracing, attached, all);
	return d->tracing.interrupts != 0;
}

static struct load_options load_options(struct dtrace *d)
{
	int64_t cpu = options_number(d->opts, OPT_cpu);
	int64_t lockmem = options_number(d->opts, OPT_lockmem);

	return (struct load_options){
		.features = compiling_features(&d->compiling),
		.progress = on_progress,
		.progress_arg = d,
		.force = options_on(d->opts, OPT_force),
		.unwindsize = (uint64_t)options_number(d->opts, OPT_unwindsize),
		.cpu = cpu < 0 ? UINT32_MAX : (uint32_t)cpu,
		.log = options_on(d->opts, OPT_bpflog),
		.log_size = (uint32_t)options_number(d->opts, OPT_bpflogsize),
		.lockmem = lockmem == OPTION_UNLIMITED ? UINT64_MAX : (uint64_t)lockmem,
		.places = limits_bound(&d->limits, LIMIT_probes),
		.memory = limits_bound(&d->limits, LIMIT_memory),
	};
}

static int load_programs(struct dtrace *d)
{
	struct load_image img = sized(d, d->image);
	struct load_options opts = load_options(d);
	struct load **load = &d->tracing.load;
	uint64_t start = report_now();
	int err;

	tell_progress(&d->tracing, 0, load_count_places(&img));
	err = load_open(&img, d->compiling.types, &opts, load);
	report_debug(&d->report, "%u programs %s in %.1f ms", img.nprogs,
		err ? "failed to load" : "loaded", report_ms(start));
	for (uint32_t i = 0; i < img.nprogs; i++)
		report_debug(&d->report, "program %s: %s", img.progs[i].name, img.progs[i].label);
	if (err && !*load)
		return report_no_memory(&d->report);
	return err ? report_error(&d->report, err, "%s", load_error(*load)) : 0;
}

static int compile_all(struct dtrace *d)
{
	int err = settings_for_machine(d);

	if (!err)
		err = compile_object(&d->compiling, &d->image);
	return err && d->compiling.diags.list.len ? compile_report(&d->compiling) : err;
}

static int refused(struct dtrace *d, const struct load_refusal *why)
{
	static const char *const texts[] = {
		[LIMIT_INSNS] = "the verifier gives up after 1,000,000 instructions",
		[LIMIT_BRANCHES] = "the verifier gives up after 8,192 branches",
		[LIMIT_FUNCTIONS] = "the kernel allows 256 loops and run-time functions",
	};

	return compile_refused(&d->compiling, why, texts[why->limit]);
}

int start_more(struct dtrace *d, const struct image *more, const char **text)
{
	const char *error = d->report.error, *hint = d->report.hint;
	struct load_image img = sized(d, more);
	uint64_t start = report_now();
	int err = load_more(d->tracing.load, &img, d->compiling.types);

	report_debug(&d->report, "%u more programs %s in %.1f ms", img.nprogs,
		err ? "failed to load" : "loaded", report_ms(start));
	if (!err) {
		d->image = more;
		return 0;
	}
	*text = load_error(d->tracing.load);
	if (load_refusal(d->tracing.load)) {
		compiling_begin(&d->compiling);
		refused(d, load_refusal(d->tracing.load));
		*text = d->report.error;
		d->report.error = error;
		d->report.hint = hint;
	}
	return err;
}

static int load_again(struct dtrace *d)
{
	int err;

	load_close(d->tracing.load);
	d->tracing.load = NULL;
	err = compile_all(d);
	return err ? err : load_programs(d);
}

/* A program is too long for the kernel: try it in pieces, else say which clause it is. */
static int load_cut(struct dtrace *d)
{
	struct load_refusal why = *load_refusal(d->tracing.load);
	int err;

	load_close(d->tracing.load);
	d->tracing.load = NULL;
	d->compiling.cut = true;
	err = compile_all(d);
	if (err)
		return err;
	if (d->image->has_pieces) {
		err = load_programs(d);
		if (!err || !d->tracing.load || !load_refusal(d->tracing.load))
			return err;
		why = *load_refusal(d->tracing.load);
	}
	return refused(d, &why);
}

static int needs_flag(struct dtrace *d)
{
	int err = report_error(&d->report, -EPERM, "Destructive actions not allowed");

	d->report.hint = "permit them with -w, or with #pragma D option destructive";
	return err;
}

static struct sizes_used used_sizes(const struct dtrace *d)
{
	const struct image *img = d->image;
	const struct load *load = d->tracing.load;
	uint32_t reads = img ? img->load.rt_reads : 0;

	return (struct sizes_used){
		.ncpus = (uint32_t)load_cpus(),
		.limited = load && load_exceeds_memory(load),
		.stacks = reads & RT_STACKS,
		.aggregations = img && img->naggs,
		.walks = reads & RT_WALKS,
	};
}

/* Reduce sizes while the programs do not fit into memory, or into the user's share of it. */
static int load_smaller(struct dtrace *d)
{
	struct sizes_used used = used_sizes(d);
	int64_t before[SIZES];
	int err = -ENOMEM;

	while (err == -ENOMEM && !used.limited && sizes_halve(d, &used)) {
		err = load_again(d);
		used = used_sizes(d);
	}
	sizes_note(d, before);
	while (err == -ENOMEM && used.limited && sizes_halve(d, &used)) {
		err = load_again(d);
		used = used_sizes(d);
	}
	if (!err)
		sizes_tell(d, before);
	return err;
}

int start_programs(struct dtrace *d)
{
	int err = limits_check_destructive(d);

	if (err)
		return err;
	compiling_begin(&d->compiling);
	sizes_limit_rates(d);
	err = compile_all(d);
	if (err)
		return err;
	if (sema_session(d->compiling.sema)->destructive && !options_on(d->opts, OPT_destructive))
		return needs_flag(d);
	err = load_programs(d);
	if (err && d->tracing.load && load_refused_function(d->tracing.load)) {
		d->compiling.many = true;
		err = load_again(d);
	}
	if (err && d->tracing.load && load_refusal(d->tracing.load))
		err = load_cut(d);
	return err == -ENOMEM ? load_smaller(d) : err;
}

/* One that has ended meanwhile has no stacks either. */
static void prepare_stacks(struct dtrace *d, pid_t pid)
{
	uint64_t start = report_now();

	if (!unwind_add(d->tracing.load, pid))
		report_debug(&d->report, "user stacks prepared in %.1f ms", report_ms(start));
}

int start_unwind(struct dtrace *d)
{
	int err = unwind_start(d->tracing.load);

	if (err)
		return report_error(
			&d->report, err, "cannot prepare user stacks: %s", strerror(-err));
	named_each(d, prepare_stacks);
	return 0;
}

/* ---- BEGIN and attaching ---- */

static int load_failure(struct dtrace *d, int err)
{
	return err ? report_error(&d->report, err, "%s", load_error(d->tracing.load)) : 0;
}

/* Methods of Java VMs call the places of their probes from now on. */
static int change_java(struct dtrace *d)
{
	char why[JAVA_WHY];

	if (java_change(d->compiling.java, false, why, sizeof(why))) {
		java_release(d->compiling.java);
		return 0;
	}
	if (d->tracing.interrupts || load_state(d->tracing.load)->exited)
		return 0; /* nobody waits for the VM any more */
	return report_error(&d->report, -EINVAL, "cannot probe methods of %s", why);
}

static int attach(struct dtrace *d)
{
	uint64_t start = report_now();
	int err = load_attach(d->tracing.load);

	tell_progress(&d->tracing, 0, 0);
	report_debug(&d->report, "probes %s in %.1f ms", err ? "failed to attach" : "attached",
		report_ms(start));
	if (err == -EINTR) /* nothing is attached: END is what is left to do */
		err = 0;
	if (err)
		return load_failure(d, err);
	err = refused_check(d);
	if (!err)
		err = change_java(d);
	if (err)
		return err;
	refused_tell(d);
	return 0;
}

void start_firing(struct dtrace *d)
{
	volatile struct dt_state *st = load_state(d->tracing.load);

	/* an exit() may have come since a command of BEGIN let probes fire */
	if (st->activity == DT_BEGINNING)
		st->activity = DT_ACTIVE;
}

/* Attach programs of the network to namespaces that came; what fails is tried again. */
static int follow_nets(void *arg, uint64_t now)
{
	(void)now;
	load_follow_new(arg);
	return 0;
}

int start_tracing(struct dtrace *d)
{
	volatile struct dt_state *st = load_state(d->tracing.load);
	int err;

	st->activity = DT_BEGINNING;
	d->tracing.beginning = true;
	d->tracing.begun = true;
	err = load_failure(d, load_run(d->tracing.load, ATTACH_BEGIN));
	d->tracing.unattached = st->exited;
	if (err || st->exited) /* after exit() nothing else fires */
		return err;
	err = attach(d);
	if (err)
		return err;
	if (load_net_fd(d->tracing.load) >= 0)
		waits_add(d->arena, &d->tracing.waits, TURN_NEWS, follow_nets, d->tracing.load)
			->fd = load_net_fd(d->tracing.load);
	/* the thread has had the time of attaching for the tables of the C library */
	unwind_prepare(d->tracing.load, NULL, 0);
	/* what BEGIN asks of the consumer, a clear() for instance, is done before anything fires */
	err = delivery_consume(d, 0, false);
	if (err)
		return err;
	start_firing(d);
	return 0;
}

int start_showing(struct dtrace *d)
{
	int err = sinks_flush(d);

	return err ? sinks_failed(d, err) : 0;
}
