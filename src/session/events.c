// SPDX-License-Identifier: Apache-2.0
/* Passes records from the buffers to the sinks, in the order that options ask for. */
#include "session/events.h"

#include <errno.h>
#include <string.h>

#include "abi/kernel.h"
#include "abi/record.h"
#include "base/arena.h"
#include "base/report.h"
#include "base/vec.h"
#include "consume/drops.h"
#include "consume/event.h"
#include "consume/fill.h"
#include "consume/hold.h"
#include "consume/over.h"
#include "consume/ring.h"
#include "consume/spec.h"
#include "ir/lower.h"
#include "ir/target.h"
#include "load/load.h"
#include "out/sink.h"
#include "probe/registry.h"
#include "session/actions.h"
#include "session/faults.h"
#include "session/options.h"
#include "session/session.h"
#include "session/sinks.h"
#include "session/tables.h"
#include "session/tracing.h"
#include "sym/sym.h"
#include "target/target.h"

static const struct probe *probe_by_id(void *arg, uint32_t id)
{
	return registry_by_id(((struct dtrace *)arg)->compiling.registry, id);
}

/* ---- opening ---- */

static void on_failure(void *arg, const struct event *ev, const char *text)
{
	struct dtrace *d = arg;

	d->tracing.failed |= faults_report_action(d, ev, "%s", text) != 0;
}

static struct sink_env environment(struct dtrace *d)
{
	return (struct sink_env){
		.syms = d->tracing.syms,
		.opts = &d->tracing.outopts,
		.probe = probe_by_id,
		.failed = on_failure,
		.arg = d,
		.wall_offset = load_state(d->tracing.load)->wall_offset,
		.target = targets_first(d->targets),
	};
}

/* True if records wait for the end, or for those of other CPUs. */
static bool holds(const struct dtrace *d)
{
	return options_number(d->opts, OPT_bufpolicy) != POLICY_SWITCH ||
		!options_on(d->opts, OPT_temporal);
}

/* The parts of the consumer that this session needs; false: no memory. */
static bool open_consumer(struct dtrace *d)
{
	struct tracing *t = &d->tracing;
	int fill = load_map_fd(t->load, DT_MAP_FILL);

	t->syms = symtab_new();
	t->drops = drops_new(load_map_fd(t->load, DT_MAP_DROPS));
	t->specs = specs_new((uint32_t)options_number(d->opts, OPT_nspec),
		(uint64_t)options_number(d->opts, OPT_specsize));
	t->held = holds(d) ? hold_new() : NULL;
	t->fill = fill >= 0 ? fill_new(fill, load_cpus()) : NULL;
	return t->syms && t->drops && t->specs && (t->held || !holds(d)) && (t->fill || fill < 0);
}

int events_open(struct dtrace *d)
{
	struct tracing *t = &d->tracing;
	int fd = load_map_fd(t->load, DT_MAP_RING);

	if (!open_consumer(d))
		return report_no_memory(&d->report);
	t->env = environment(d);
	if (sinks_open(d) || tables_open(d))
		return report_no_memory(&d->report);
	if (t->user_addresses)
		sym_user_watch(t->syms);
	if (fd < 0) /* nothing is recorded */
		return 0;
	t->ring = ring_new(fd);
	return t->ring ? 0
		       : report_error(&d->report, -errno, "cannot map the ring buffer: %s",
				 strerror(errno));
}

/* ---- records ---- */

/* A record's user addresses are looked up when it is printed: its process must be known by then. */
static void remember(struct dtrace *d, const struct event *ev)
{
	for (uint32_t i = 0; i < ev->desc->nactions; i++) {
		const struct rec_action *a = &ev->desc->actions[i];

		if (!event_ran(ev, i))
			continue;
		for (uint32_t k = 0; k < a->ndata; k++) {
			uint64_t tgid;

			if (!datum_is_user(&a->data[k]))
				continue;
			memcpy(&tgid, (const char *)ev->data + a->data[k].offset, sizeof(tgid));
			sym_user_remember(d->tracing.syms, (pid_t)tgid);
		}
	}
}

/* A clause's record: false = it is none. */
static bool event_of(struct dtrace *d, const struct dt_rec *rec, size_t size, struct event *ev)
{
	ev->probe = probe_by_id(d, rec->probe);
	ev->desc = rec->clause < d->compiling.lowered->nrecs
		? d->compiling.lowered->recs[rec->clause]
		: NULL;
	ev->data = rec;
	ev->cpu = rec->cpu & ~DT_REC_CONTINUED;
	ev->continued = rec->cpu & DT_REC_CONTINUED;
	return ev->probe && ev->desc && size >= ev->desc->size;
}

static int on_event(struct dtrace *d, const struct event *ev)
{
	int err = sinks_begin(d, ev);

	for (uint32_t i = 0; i < ev->desc->nactions && !err; i++) {
		if (!event_ran(ev, i))
			continue;
		err = sinks_action(d, ev, i);
		if (!err)
			err = actions_carry_out(d, ev, i);
	}
	return err ? err : sinks_end(d, ev);
}

static int on_committed(void *arg, const struct dt_rec *rec, size_t size)
{
	struct event ev;

	return event_of(arg, rec, size, &ev) ? on_event(arg, &ev) : -EBADMSG;
}

/* The word that names the speculation which the record belongs to; 0 = to none. */
static uint64_t speculation(const struct event *ev)
{
	uint64_t word = 0;

	if (ev->desc->speculative)
		memcpy(&word, (const char *)ev->data + ev->desc->spec, sizeof(word));
	return word;
}

static bool is_probe(const struct probe *p, const char *name)
{
	return !strcmp(p->prov, "dtrace") && !strcmp(p->name, name);
}

/* What ERROR records for a fault in BEGIN is shown after all that BEGIN recorded. */
static int keep_late(struct dtrace *d, const struct dt_rec *rec, size_t size)
{
	struct late_record *l = vec_add(d->arena, &d->tracing.late);
	void *copy = arena_alloc(d->arena, size);

	memcpy(copy, rec, size);
	l->rec = copy;
	l->size = size;
	return 0;
}

static int show_late(struct dtrace *d)
{
	int err = 0;

	d->tracing.beginning = false;
	for (uint32_t i = 0; i < d->tracing.late.len && !err; i++)
		err = on_committed(d, d->tracing.late.data[i].rec, d->tracing.late.data[i].size);
	d->tracing.late.len = 0;
	return err;
}

/* A record that belongs to no speculation any more. */
static int show(void *arg, const struct dt_rec *rec, size_t size)
{
	struct dtrace *d = arg;
	struct event ev;
	int err = 0;

	if (d->tracing.failed)
		return -ECANCELED;
	if (rec->clause == DT_REC_FAULT) {
		return size < sizeof(struct dt_fault)
			? -EBADMSG
			: faults_report(d, (const struct dt_fault *)rec);
	}
	if (!event_of(d, rec, size, &ev))
		return -EBADMSG;
	if (d->tracing.beginning && is_probe(ev.probe, "ERROR"))
		return keep_late(d, rec, size);
	if (d->tracing.beginning && !is_probe(ev.probe, "BEGIN"))
		err = show_late(d);
	return err ? err : on_event(d, &ev);
}

/* A record as it was recorded; what is in no speculation, or committed, is for VISIT. */
static int sort_out(struct dtrace *d, const struct dt_rec *rec, size_t size,
	int (*visit)(void *arg, const struct dt_rec *rec, size_t size))
{
	struct event ev;
	uint64_t word;
	int err;

	if (rec->clause == DT_REC_SPEC)
		return size < sizeof(struct dt_spec_end)
			? -EBADMSG
			: specs_end(d->tracing.specs, (const struct dt_spec_end *)rec, visit, d);
	if (rec->clause == DT_REC_FAULT)
		return visit(d, rec, size);
	if (!event_of(d, rec, size, &ev))
		return -EBADMSG;
	remember(d, &ev);
	word = speculation(&ev);
	err = word ? specs_hold(d->tracing.specs, word, rec, size) : SPECS_COMMITTED;
	return err == SPECS_COMMITTED ? visit(d, rec, size) : err;
}

static int on_record(void *arg, const struct dt_rec *rec, size_t size)
{
	struct dtrace *d = arg;

	return d->tracing.failed ? -ECANCELED : sort_out(d, rec, size, show);
}

/* ---- records that wait ---- */

/* By CPU, but BEGIN's come first and END's last. */
static uint32_t group(struct dtrace *d, const struct dt_rec *rec)
{
	const struct probe *p = probe_by_id(d, rec->probe);

	if (p && is_probe(p, "BEGIN"))
		return 0;
	if (p && is_probe(p, "END"))
		return (uint32_t)load_cpus() + 1;
	return (rec->cpu & ~DT_REC_CONTINUED) + 1u;
}

/*
 * bufpolicy=fill: whether REC was committed, where what the programs count, the records of no
 * speculation, and what was committed before leave no room for it.
 */
static bool is_beyond(struct dtrace *d, const struct dt_rec *rec, size_t size)
{
	struct event ev;

	return options_number(d->opts, OPT_bufpolicy) == POLICY_FILL && !d->tracing.stopped &&
		rec->clause != DT_REC_FAULT && event_of(d, rec, size, &ev) && speculation(&ev) &&
		hold_bytes(d->tracing.held, group(d, rec)) + size >
		(uint64_t)options_number(d->opts, OPT_bufsize);
}

static int hold(void *arg, const struct dt_rec *rec, size_t size)
{
	struct dtrace *d = arg;

	if (is_beyond(d, rec, size)) {
		d->tracing.beyond++;
		return 0;
	}
	return hold_add(d->tracing.held, group(d, rec), rec, size);
}

/* In the order in which all was recorded: a speculation can end on another CPU. */
static int on_held(void *arg, const struct dt_rec *rec, size_t size)
{
	return sort_out(arg, rec, size, hold);
}

static int deliver(struct dtrace *d)
{
	return d->tracing.held
		? hold_deliver(d->tracing.held, !options_on(d->opts, OPT_temporal), show, d)
		: 0;
}

/* bufpolicy=ring: what is left in the buffers. */
static int read_over(struct dtrace *d)
{
	const struct over o = {
		.fd = load_map_fd(d->tracing.load, DT_MAP_OVER),
		.heads = load_map_fd(d->tracing.load, DT_MAP_OVER_HEADS),
		.size = d->compiling.lowered->over.size,
		.chunk = d->compiling.lowered->over.chunk,
		.value = d->compiling.lowered->over.value,
	};
	int err;

	if (o.fd < 0 || o.heads < 0) /* nothing is recorded */
		return 0;
	if (options_on(d->opts, OPT_temporal))
		return over_read(&o, on_record, d);
	err = over_read(&o, on_held, d);
	return err ? err : deliver(d);
}

/* Everything: first what was recorded before END, then END's own. */
static long consume_last(struct dtrace *d)
{
	long n = deliver(d);

	if (!n && d->tracing.ring)
		n = ring_consume(d->tracing.ring, on_record, d, 0);
	if (n >= 0 && options_number(d->opts, OPT_bufpolicy) == POLICY_RING)
		n = read_over(d);
	return n;
}

/* ---- consuming ---- */

static long consume(struct dtrace *d, long most)
{
	long n;

	if (!d->tracing.ring)
		return 0;
	if (!holds(d))
		return ring_consume(d->tracing.ring, on_record, d, most);
	n = ring_consume(d->tracing.ring, on_held, d, most);
	return n < 0 || options_number(d->opts, OPT_bufpolicy) != POLICY_SWITCH ? n : deliver(d);
}

int events_hold(struct dtrace *d)
{
	long n = 0;

	if (!d->tracing.held)
		d->tracing.held = hold_new();
	if (!d->tracing.held)
		n = -ENOMEM;
	else if (d->tracing.ring)
		n = ring_consume(d->tracing.ring, on_held, d, 0);
	if (n >= 0 && d->tracing.fill)
		n = fill_reset(d->tracing.fill);
	return n < 0 ? report_error(&d->report, (int)n, "%s", strerror((int)-n)) : 0;
}

int events_consume(struct dtrace *d, long most, bool last)
{
	bool over = last || options_number(d->opts, OPT_bufpolicy) == POLICY_SWITCH;
	long n;

	d->tracing.fresh = false;
	n = last ? consume_last(d) : consume(d, most);
	d->tracing.drained = n >= 0 && (!most || n < most);
	if (n >= 0 && d->tracing.beginning && over)
		n = show_late(d);
	/* a consumer may say so as well */
	if (n < 0 && !(n == -ECANCELED && d->tracing.failed))
		return report_error(&d->report, (int)n, "%s", strerror((int)-n));
	return 0;
}

bool events_filled(struct dtrace *d)
{
	return d->tracing.beyond || (d->tracing.fill && fill_is_full(d->tracing.fill));
}

void events_remember_target(struct dtrace *d)
{
	if (d->tracing.user_addresses)
		sym_user_watch(d->tracing.syms);
	if (d->tracing.user_addresses && targets_first(d->targets))
		sym_user_remember(d->tracing.syms, targets_first(d->targets));
}

int dtrace_address_text(struct dtrace *d, pid_t pid, uint64_t address, char *buf, size_t size)
{
	return sink_address_text(&d->tracing.env, pid, address, buf, size);
}

int events_finish(struct dtrace *d)
{
	int err = sinks_newline(d);

	if (!err)
		err = tables_finish(d);
	if (!err)
		err = sinks_finish(d);
	return err
		? report_error(&d->report, err, "failed to print aggregations: %s", strerror(-err))
		: 0;
}
