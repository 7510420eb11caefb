// SPDX-License-Identifier: Apache-2.0
/* Turns records into events and hands these to the sinks and actions. */
#include "session/events.h"

#include <errno.h>
#include <string.h>

#include "abi/kernel.h"
#include "abi/managed.h"
#include "abi/record.h"
#include "abi/stacks.h"
#include "abi/syscalls.h"
#include "base/arena.h"
#include "base/report.h"
#include "base/vec.h"
#include "base/waits.h"
#include "compile/image.h"
#include "consume/drops.h"
#include "consume/event.h"
#include "consume/stacks.h"
#include "ir/target.h"
#include "load/load.h"
#include "decode/sink.h"
#include "probe/part.h"
#include "probe/registry.h"
#include "session/actions.h"
#include "session/delivery.h"
#include "session/faults.h"
#include "session/named.h"
#include "late/late.h"
#include "session/options.h"
#include "session/session.h"
#include "session/sinks.h"
#include "session/tables.h"
#include "session/tracing.h"
#include "sym/sym.h"
#include "target/target.h"

/* Returns P as process PID fires it: by the name that its provider has there. */
static const struct probe *in_process(
	struct shown_probe *shown, const struct probe *p, uint32_t pid)
{
	if (!p || !p->shared)
		return p;
	shown->probe = *p;
	shown->probe.prov = probe_provider_in(p, pid, shown->prov);
	return &shown->probe;
}

/* ID as a DATUM_PROBEID has it; the probe is valid until the next call. */
static const struct probe *probe_by_id(void *arg, uint64_t id)
{
	struct dtrace *d = arg;

	return in_process(&d->tracing.key_probe, registry_by_id(d->image->probes, (uint32_t)id),
		(uint32_t)(id >> 32));
}

/* ---- opening ---- */

static void on_failure(
	void *arg, const struct event *ev, const struct rec_action *act, const char *text)
{
	struct dtrace *d = arg;

	d->tracing.failed |= faults_report_action(d, ev, act, "%s", text) != 0;
}

static struct sink_env environment(struct dtrace *d)
{
	return (struct sink_env){
		.syms = d->tracing.syms,
		.stacks = &d->tracing.stacks,
		.opts = &d->tracing.outopts,
		.probe = probe_by_id,
		.failed = on_failure,
		.arg = d,
		.kernel_frames = d->settings.language.maxframes,
		.wall_offset = load_state(d->tracing.load)->wall_offset,
		.target = targets_first(d->targets),
	};
}

/* Reads the stacks that programs have added to the table since the last pass. */
static int follow_stacks(void *arg, uint64_t now)
{
	struct stacks *s = arg;

	(void)now;
	if (stacks_news(s))
		stacks_follow(s);
	return 0;
}

/* The table of stacks, if a program keeps any. */
static int open_stacks(struct dtrace *d)
{
	struct tracing *t = &d->tracing;
	int fd = load_map_fd(t->load, DT_MAP_STACKS);
	int news = load_map_fd(t->load, DT_MAP_STACKS_NEW), err;
	uint32_t frames = d->image->load.stack_frames;
	uint64_t size = (uint64_t)options_number(d->opts, OPT_stacksize);

	if (fd < 0 || t->stacks)
		return 0;
	err = stacks_open(fd, news, load_stack_ring(size, frames), frames, t->syms,
		(uint64_t)options_number(d->opts, OPT_stackmem), &t->stacks);
	if (err)
		return report_error(
			&d->report, err, "cannot map the table of stacks: %s", strerror(-err));
	if (stacks_fd(t->stacks) >= 0)
		waits_add(d->arena, &t->waits, TURN_NEWS, follow_stacks, t->stacks)->fd =
			stacks_fd(t->stacks);
	return 0;
}

/* A clause that compiles later can have user addresses, and a confined dtrace may not watch any
 * more. */
static void watch_mappings(struct dtrace *d)
{
	if (d->tracing.user_addresses || late_awaits_unchecked(&d->compiling))
		sym_user_watch(d->tracing.syms);
}

int events_open(struct dtrace *d)
{
	struct tracing *t = &d->tracing;
	int err;

	t->syms = symtab_new();
	t->drops = drops_new(load_map_fd(t->load, DT_MAP_DROPS));
	if (!t->syms || !t->drops)
		return report_no_memory(&d->report);
	sym_managed_open(t->syms, load_map_fd(t->load, DT_MAP_NAMES));
	err = open_stacks(d);
	if (err)
		return err;
	t->env = environment(d);
	err = sinks_open(d);
	if (err)
		return err == -ENOMEM ? report_no_memory(&d->report) : err;
	if (tables_open(d))
		return report_no_memory(&d->report);
	watch_mappings(d);
	return delivery_open(d);
}

int events_more(struct dtrace *d)
{
	struct tracing *t = &d->tracing;
	int err = open_stacks(d);

	sym_managed_open(t->syms, load_map_fd(t->load, DT_MAP_NAMES));
	if (err)
		return err;
	if (tables_open(d))
		return report_no_memory(&d->report);
	watch_mappings(d);
	return 0;
}

/* ---- records ---- */

/* True if the SIZE bytes of REC are a record of clause D, whole or ending as `tail` says. */
static bool is_whole(const struct rec_desc *d, const struct dt_rec *rec, size_t size)
{
	const struct dt_syscall *call = (const void *)((const char *)rec + d->tail);

	if (size >= d->size)
		return true;
	if (!d->tail || size < d->tail)
		return false;
	if (size == d->tail)
		return d->conditional;
	size -= d->tail;
	return size >= offsetof(struct dt_syscall, cap) &&
		(call->plain || (size >= sizeof(*call) && call->used <= size - sizeof(*call)));
}

bool event_of(struct dtrace *d, const struct dt_rec *rec, size_t size, struct event *ev)
{
	uint64_t pid = 0;

	ev->desc = rec->clause < d->image->nrecs ? d->image->recs[rec->clause] : NULL;
	ev->data = rec;
	ev->cpu = rec->cpu & ~DT_REC_CONTINUED;
	ev->continued = rec->cpu & DT_REC_CONTINUED;
	if (!ev->desc || !is_whole(ev->desc, rec, size))
		return false;
	if (ev->desc->by_process)
		memcpy(&pid, (const char *)rec + ev->desc->process, sizeof(pid));
	ev->probe = in_process(&d->tracing.event_probe,
		registry_by_id(d->image->probes, rec->probe), (uint32_t)pid);
	return ev->probe != NULL;
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

bool events_is_probe(const struct probe *p, const char *name)
{
	return !strcmp(p->prov, "dtrace") && !strcmp(p->name, name);
}

/* Keep a record of ERROR for a fault in BEGIN until all records of BEGIN are shown. */
static int keep_late(struct dtrace *d, const struct dt_rec *rec, size_t size)
{
	struct late_record *l = vec_add(d->arena, &d->tracing.late);
	void *copy = arena_alloc(d->arena, size);

	memcpy(copy, rec, size);
	l->rec = copy;
	l->size = size;
	return 0;
}

int events_begun(struct dtrace *d)
{
	int err = 0;

	if (!d->tracing.beginning)
		return 0;
	d->tracing.beginning = false;
	for (uint32_t i = 0; i < d->tracing.late.len && !err; i++)
		err = on_committed(d, d->tracing.late.data[i].rec, d->tracing.late.data[i].size);
	d->tracing.late.len = 0;
	return err;
}

int events_show(void *arg, const struct dt_rec *rec, size_t size)
{
	struct dtrace *d = arg;
	struct event ev;
	int err = 0;

	if (d->tracing.failed)
		return -ECANCELED;
	if (d->tracing.interrupts > 1) /* nothing more is shown */
		return 0;
	if (rec->clause == DT_REC_FAULT) {
		return size < sizeof(struct dt_fault)
			? -EBADMSG
			: faults_report(d, (const struct dt_fault *)rec);
	}
	if (!event_of(d, rec, size, &ev))
		return -EBADMSG;
	if (d->tracing.beginning && events_is_probe(ev.probe, "ERROR"))
		return keep_late(d, rec, size);
	if (!events_is_probe(ev.probe, "BEGIN"))
		err = events_begun(d);
	return err ? err : on_event(d, &ev);
}

static void remember(struct dtrace *d, pid_t pid)
{
	sym_user_remember(d->tracing.syms, pid);
}

void events_remember_named(struct dtrace *d)
{
	watch_mappings(d);
	if (d->tracing.user_addresses)
		named_each(d, remember);
}

static int address_text(struct dtrace *d, pid_t pid, uint64_t address, char *buf, size_t size)
{
	return sink_address_text(&d->tracing.env, pid, address, buf, size);
}

int dtrace_address_text(struct dtrace *d, pid_t pid, uint64_t address, char *buf, size_t size)
{
	return SESSION_TRY(d, address_text(d, pid, address, buf, size));
}

int events_finish(struct dtrace *d)
{
	int err = sinks_newline(d);

	if (!err)
		err = tables_finish(d);
	return err ? sinks_failed(d, err) : sinks_finish(d);
}
