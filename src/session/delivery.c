// SPDX-License-Identifier: Apache-2.0
/*
 * Reads the buffers and delivers their records in the order that bufpolicy and temporal ask for.
 *
 * switch: as they were recorded, in each pass; without temporal, sorted by CPU within a pass.
 * fill: all at the end, as switch does.
 * ring: all at the end; the programs overwrite old records, so the buffers are read once.
 * With each policy, records of a speculation wait until it is committed.
 */
#include "session/delivery.h"

#include <errno.h>
#include <string.h>

#include "abi/kernel.h"
#include "abi/record.h"
#include "base/report.h"
#include "compile/image.h"
#include "consume/event.h"
#include "consume/fill.h"
#include "consume/hold.h"
#include "consume/over.h"
#include "consume/ring.h"
#include "consume/spec.h"
#include "ir/target.h"
#include "load/load.h"
#include "probe/probe.h"
#include "probe/registry.h"
#include "session/events.h"
#include "session/options.h"
#include "session/session.h"
#include "session/sinks.h"
#include "sym/sym.h"

static bool has_policy(const struct dtrace *d, enum buffer_policy policy)
{
	return options_number(d->opts, OPT_bufpolicy) == policy;
}

/* True if records wait for the end, or for those of other CPUs. */
static bool holds(const struct dtrace *d)
{
	return !has_policy(d, POLICY_SWITCH) || !options_on(d->opts, OPT_temporal);
}

int delivery_open(struct dtrace *d)
{
	struct tracing *t = &d->tracing;
	int fill = load_map_fd(t->load, DT_MAP_FILL), ring = load_map_fd(t->load, DT_MAP_RING);

	t->specs = specs_new((uint32_t)options_number(d->opts, OPT_nspec),
		(uint64_t)options_number(d->opts, OPT_specsize));
	t->held = holds(d) ? hold_new() : NULL;
	t->fill = fill >= 0 ? fill_new(fill, load_cpus()) : NULL;
	if (!t->specs || (!t->held && holds(d)) || (!t->fill && fill >= 0))
		return report_no_memory(&d->report);
	if (ring < 0) /* nothing is recorded, or with bufpolicy=ring */
		return 0;
	t->ring = ring_new(ring);
	return t->ring ? 0
		       : report_error(&d->report, -errno, "cannot map the ring buffer: %s",
				 strerror(errno));
}

/* ---- speculations ---- */

/* Note the processes of EV's user addresses: they are looked up later, when it is printed. */
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

/* Returns the word that names the speculation of EV's record; 0 = none. */
static uint64_t speculation(const struct event *ev)
{
	uint64_t word = 0;

	if (ev->desc->speculative)
		memcpy(&word, (const char *)ev->data + ev->desc->spec, sizeof(word));
	return word;
}

/* Keep a record that is still speculative; give VISIT the others, and those that REC commits. */
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
	int err = d->tracing.failed ? -ECANCELED : sort_out(d, rec, size, events_show);

	if (err)
		return err;
	/* no pass goes on after ^C: what is left is delivered after END */
	return d->tracing.interrupts && !d->tracing.stopped;
}

/* ---- records that wait ---- */

/* Returns the group that REC is delivered with: BEGIN, a CPU or END, in this order. */
static uint32_t group(struct dtrace *d, const struct dt_rec *rec)
{
	const struct probe *p = registry_by_id(d->image->probes, rec->probe);

	if (p && events_is_probe(p, "BEGIN"))
		return 0;
	if (p && events_is_probe(p, "END"))
		return (uint32_t)load_cpus() + 1;
	return (rec->cpu & ~DT_REC_CONTINUED) + 1u;
}

/*
 * True if bufpolicy=fill has no room for REC, which was committed: the programs do not count
 * speculative records.
 */
static bool is_beyond(struct dtrace *d, const struct dt_rec *rec, size_t size)
{
	struct event ev;

	return has_policy(d, POLICY_FILL) && !d->tracing.stopped && rec->clause != DT_REC_FAULT &&
		event_of(d, rec, size, &ev) && speculation(&ev) &&
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

/* Speculations are sorted out before records are: one can end on another CPU. */
static int on_held(void *arg, const struct dt_rec *rec, size_t size)
{
	return sort_out(arg, rec, size, hold);
}

static int deliver_held(struct dtrace *d)
{
	return d->tracing.held
		? hold_deliver(d->tracing.held, !options_on(d->opts, OPT_temporal), events_show, d)
		: 0;
}

/* ---- reading the buffers ---- */

/* bufpolicy=ring: deliver the records that were not overwritten. */
static int read_over(struct dtrace *d)
{
	const struct over o = {
		.fd = load_map_fd(d->tracing.load, DT_MAP_OVER),
		.heads = load_map_fd(d->tracing.load, DT_MAP_OVER_HEADS),
		.size = d->image->over.size,
		.chunk = d->image->over.chunk,
		.value = d->image->over.value,
	};
	int err;

	if (o.fd < 0 || o.heads < 0) /* nothing is recorded */
		return 0;
	if (options_on(d->opts, OPT_temporal))
		return over_read(&o, on_record, d);
	err = over_read(&o, on_held, d);
	return err ? err : deliver_held(d);
}

/* Deliver the held records, which were made before END, and then the rest. */
static long consume_last(struct dtrace *d)
{
	long n = deliver_held(d);

	if (!n && d->tracing.ring)
		n = ring_consume(d->tracing.ring, on_record, d, 0);
	if (n >= 0 && has_policy(d, POLICY_RING))
		n = read_over(d);
	return n;
}

static long consume(struct dtrace *d, long most)
{
	long n;

	if (!d->tracing.ring)
		return 0;
	if (!holds(d))
		return ring_consume(d->tracing.ring, on_record, d, most);
	n = ring_consume(d->tracing.ring, on_held, d, most);
	return n < 0 || !has_policy(d, POLICY_SWITCH) ? n : deliver_held(d);
}

int delivery_hold(struct dtrace *d)
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
	return n < 0 ? sinks_failed(d, (int)n) : 0;
}

int delivery_consume(struct dtrace *d, long most, bool last)
{
	long n;

	d->tracing.fresh = false;
	n = last ? consume_last(d) : consume(d, most);
	d->tracing.drained = n >= 0 && (!most || n < most) && !d->tracing.interrupts;
	if (n >= 0 && (last || has_policy(d, POLICY_SWITCH)))
		n = events_begun(d);
	/* a consumer may return -ECANCELED as well */
	if (n < 0 && !(n == -ECANCELED && d->tracing.failed))
		return sinks_failed(d, (int)n);
	return 0;
}

bool delivery_filled(const struct dtrace *d)
{
	return d->tracing.beyond || (d->tracing.fill && fill_is_full(d->tracing.fill));
}
