// SPDX-License-Identifier: Apache-2.0
/* Carries out the actions on aggregations and hands their tables to the sinks. */
#include "session/tables.h"

#include <errno.h>
#include <string.h>

#include "abi/kernel.h"
#include "abi/record.h"
#include "base/arena.h"
#include "base/interrupt.h"
#include "base/report.h"
#include "base/units.h"
#include "base/vec.h"
#include "base/waits.h"
#include "compile/image.h"
#include "consume/agg_map.h"
#include "consume/agg_rest.h"
#include "consume/agg_sort.h"
#include "consume/agg_table.h"
#include "consume/drops.h"
#include "consume/event.h"
#include "consume/stacks.h"
#include "dtrace/dtrace.h"
#include "load/load.h"
#include "decode/sink.h"
#include "session/actions.h"
#include "session/events.h"
#include "session/faults.h"
#include "session/options.h"
#include "session/session.h"
#include "session/sinks.h"
#include "session/tracing.h"

/* ---- opening ---- */

static bool records_user_addresses(const struct image *l)
{
	for (uint32_t i = 0; i < l->nrecs; i++)
		for (uint32_t a = 0; l->recs[i] && a < l->recs[i]->nactions; a++)
			for (uint32_t k = 0; k < l->recs[i]->actions[a].ndata; k++)
				if (datum_is_user(&l->recs[i]->actions[a].data[k]))
					return true;
	return false;
}

static bool has_user_keys(const struct image *l)
{
	for (uint32_t i = 0; i < l->naggs; i++)
		for (uint32_t k = 0; l->aggs[i] && k < l->aggs[i]->nkeys; k++)
			if (datum_is_user(&l->aggs[i]->keys[k]))
				return true;
	return false;
}

static int follow_rest(void *arg, uint64_t now)
{
	struct dtrace *d = arg;
	int err = agg_rest_follow(d->tracing.maps.rest);

	(void)now;
	return err ? report_error(&d->report, err, "cannot read aggregations: %s", strerror(-err))
		   : 0;
}

/* Opens the store of keys that have no room in their maps, if a program hands such over. */
static int open_rest(struct dtrace *d)
{
	const struct image *l = d->image;
	struct tracing *t = &d->tracing;
	int fd = load_map_fd(t->load, DT_MAP_AGG_REST), err = 0;

	if (!t->maps.rest && fd >= 0) {
		t->maps.rest = agg_rest_new(fd, (uint64_t)options_number(d->opts, OPT_aggmem),
			options_on(d->opts, OPT_aggpercpu), (uint32_t)load_cpus());
		if (!t->maps.rest)
			return -errno;
		waits_add(d->arena, &t->waits, TURN_NEWS, follow_rest, d)->fd =
			agg_rest_fd(t->maps.rest);
	}
	for (uint32_t i = 0; t->maps.rest && i < l->naggs && !err; i++)
		if (l->aggs[i] && l->aggs[i]->nkeys)
			err = agg_rest_add(t->maps.rest, l->aggs[i]);
	return err;
}

int tables_open(struct dtrace *d)
{
	const struct image *l = d->image;
	const struct agg_desc **descs =
		arena_new_array(d->arena, const struct agg_desc *, l->naggs + 1);
	int *fds = arena_new_array(d->arena, int, l->naggs + 1);
	struct tracing *t = &d->tracing;
	struct agg_env env = {
		.store = agg_store_maps(&t->maps),
		.syms = t->syms,
		.stacks = t->stacks,
		.probe = t->env.probe,
		.arg = t->env.arg,
		.percpu = options_on(d->opts, OPT_aggpercpu),
	};
	uint32_t n = 0;
	int err = open_rest(d);

	if (err)
		return err;
	for (uint32_t i = 0; i < l->naggs; i++) {
		if (!l->aggs[i])
			continue;
		fds[l->aggs[i]->id] = load_map_fd(t->load, l->aggs[i]->map);
		descs[n++] = l->aggs[i];
	}
	t->maps.fds = fds;
	t->maps.load = t->load;
	t->maps.new_keys = (const uint64_t *)&load_state(t->load)->new_keys;
	t->user_keys = has_user_keys(l);
	t->user_addresses = t->user_keys || l->keeps_user_stacks || records_user_addresses(l);
	if (t->aggs)
		return aggs_extend(t->aggs, &env, descs, n);
	t->aggs = aggs_new(&env, descs, n);
	return t->aggs ? 0 : -ENOMEM;
}

/* ---- actions ---- */

static struct agg_sort sorting(struct dtrace *d)
{
	return (struct agg_sort){
		.key = options_on(d->opts, OPT_aggsortkey),
		.rev = options_on(d->opts, OPT_aggsortrev),
		.keypos = (uint32_t)options_number(d->opts, OPT_aggsortkeypos),
		.pos = (uint32_t)options_number(d->opts, OPT_aggsortpos),
		.rows = (uint32_t)options_number(d->opts, OPT_aggrows),
		.nonzero = options_on(d->opts, OPT_aggnonzero),
	};
}

/* Reads the aggregations once a pass, so that all that is done with them sees the same values. */
static int tables_refresh(struct dtrace *d)
{
	int err = d->tracing.fresh ? 0 : aggs_snapshot(d->tracing.aggs);

	if (!d->tracing.fresh) {
		d->tracing.reading++;
		d->tracing.printing = 0;
	}
	d->tracing.fresh = true;
	return err;
}

int tables_refresh_last(struct dtrace *d)
{
	return d->tracing.stacks || aggs_has_rest(d->tracing.aggs) ? tables_refresh(d) : 0;
}

/* Show and free T, which action I of EV made; EV NULL: at the end of the session. */
static int show(struct dtrace *d, const struct event *ev, uint32_t i, struct agg_table *t)
{
	const unsigned requests = interrupt_count();
	int err = sinks_table(d, ev, i, t);

	if (ev && interrupt_count() != requests)
		report_message(&d->report, "interrupted: the rest of a table is not shown");
	agg_table_free(t);
	return err;
}

/* ---- printa( ) that is late ---- */

#define LATE 200000000u /* ns in a pass: printa() that took less is not skipped */

static struct print_turn *turn_of(struct tracing *t, const struct rec_action *act)
{
	vec_for (have, &t->printed)
		if (have->act == act)
			return have;
	return NULL;
}

/* True if EV's clause also empties what ACT prints: nobody else would print it. */
static bool empties(const struct event *ev, const struct rec_action *act)
{
	for (uint32_t i = 0; i < ev->desc->nactions; i++) {
		const struct rec_action *other = &ev->desc->actions[i];

		if (other->kind != REC_CLEAR && other->kind != REC_TRUNC)
			continue;
		for (uint32_t k = 0; k < act->naggs; k++)
			if (act->aggs[k] == other->aggs[0])
				return true;
	}
	return false;
}

/*
 * True if EV's printa(), action ACT, need not be carried out.  All that are found waiting in a pass
 * show what was read for the first of them: if tables take long to print, more would come meanwhile
 * than are printed, and that would never end.  After ^C those that were printed before are not
 * awaited, except in END and where the values go.
 */
static bool is_late(struct dtrace *d, const struct event *ev, const struct rec_action *act)
{
	const struct tracing *t = &d->tracing;
	const struct print_turn *had = turn_of(&d->tracing, act);

	if (had && had->reading == t->reading && t->printing > LATE)
		return true;
	return had && t->interrupts && !events_is_probe(ev->probe, "END") && !empties(ev, act);
}

void tables_tell_late(struct dtrace *d)
{
	if (d->tracing.late_prints)
		report_message(&d->report,
			"%llu printa( ) were late: each was skipped, as another had printed the same",
			(unsigned long long)d->tracing.late_prints);
}

static void note_turn(struct dtrace *d, const struct rec_action *act, uint64_t took)
{
	struct print_turn *turn = turn_of(&d->tracing, act);

	d->tracing.printing += took;
	if (!turn) {
		turn = vec_add(d->arena, &d->tracing.printed);
		turn->act = act;
	}
	turn->reading = d->tracing.reading;
}

static int print(struct dtrace *d, const struct event *ev, uint32_t i)
{
	const struct rec_action *act = &ev->desc->actions[i];
	struct agg_sort sort = sorting(d);
	uint64_t start = report_now();
	struct agg_table *t;
	int err;

	if (is_late(d, ev, act)) {
		d->tracing.late_prints++;
		return 0;
	}
	err = aggs_print(d->tracing.aggs, act->aggs, act->naggs, act->format, &sort, &t);
	if (!err)
		err = show(d, ev, i, t);
	if (!err)
		note_turn(d, act, report_now() - start);
	return err;
}

/* Hand A, as it was last read, to the outputs that follow its values: clear() or trunc() comes. */
static int tell(struct dtrace *d, const struct agg_desc *a, bool after)
{
	const struct agg_table empty = {.aggs = &a, .naggs = 1};
	struct agg_sort any = sorting(d);
	struct agg_table *t = NULL;
	int err;

	if (!sinks_follow(d))
		return 0;
	any.rows = 0;
	any.nonzero = false;
	err = aggs_walk(d->tracing.aggs, a, &any, &t);
	if (!err)
		err = sinks_changing(d, t ? t : &empty, after);
	agg_table_free(t);
	return err;
}

static int clear(struct dtrace *d, const struct agg_desc *a)
{
	int err = tell(d, a, false);

	if (!err)
		err = aggs_clear(d->tracing.aggs, a);
	return err ? err : tell(d, a, true);
}

static int trunc_to(struct dtrace *d, const struct agg_desc *a, int64_t n)
{
	int err = tell(d, a, false);

	if (!err)
		err = aggs_trunc(d->tracing.aggs, a, n);
	return err ? err : tell(d, a, true);
}

int tables_action(struct dtrace *d, const struct event *ev, uint32_t i)
{
	const struct rec_action *act = &ev->desc->actions[i];
	int err = tables_refresh(d);

	if (err)
		return err;
	switch (act->kind) {
	case REC_PRINTA:
		return print(d, ev, i);
	case REC_CLEAR:
		return clear(d, act->aggs[0]);
	case REC_TRUNC:
		return trunc_to(
			d, act->aggs[0], act->ndata ? actions_integer(ev->data, &act->data[0]) : 0);
	case REC_DENORMALIZE:
		return aggs_normalize(d->tracing.aggs, act->aggs[0], 1);
	default:
		err = aggs_normalize(d->tracing.aggs, act->aggs[0],
			(uint64_t)actions_integer(ev->data, &act->data[0]));
		if (err == -EINVAL)
			err = faults_report_action(d, ev, act, "Invalid normalization");
		return err;
	}
}

int tables_finish(struct dtrace *d)
{
	struct agg_sort sort = sorting(d);
	struct agg_table *t = NULL;
	uint32_t at = 0;
	int err = aggs_has_rest(d->tracing.aggs) ? aggs_snapshot(d->tracing.aggs) : 0;

	do {
		if (!err)
			err = aggs_rest(d->tracing.aggs, &sort, &at, &t);
		if (!err && t)
			err = show(d, NULL, 0, t);
	} while (!err && t);
	return err;
}

#define MORE_MOST 64 /* times the room: one key can be dropped any number of times */

void tables_advise(struct dtrace *d)
{
	uint64_t lost = drops_total(d->tracing.drops, DT_DROP_AGGREGATION), size, want;
	const struct agg_desc *agg;
	uint32_t keys, room;
	char text[32];

	if (!lost || options_given(d->opts, OPT_aggsize))
		return;
	agg = aggs_fullest(d->tracing.aggs, &keys);
	room = agg ? agg_maps_room(&d->tracing.maps, agg) : 0;
	if (!room)
		return;
	size = want = (uint64_t)options_number(d->opts, OPT_aggsize);
	while (want / size < MORE_MOST && want / size * room < keys + lost)
		want *= 2;
	report_message(&d->report,
		"new keys of an aggregation came faster than they were read: -x aggsize=%s %s",
		units_print_size(text, sizeof(text), want),
		want / size * room < keys + lost ? "has room for more" : "has room for all");
}

static void name_stack(void *arg, uint64_t id)
{
	stacks_name(arg, id);
}

int tables_free_stacks(struct dtrace *d)
{
	struct stacks *s = d->tracing.stacks;
	int err;

	/* what variables hold is not looked for */
	if (!s || !stacks_are_many(s) || d->image->stores_stacks)
		return 0;
	err = aggs_snapshot(d->tracing.aggs);
	if (err)
		return err;
	aggs_each_stack(d->tracing.aggs, name_stack, s);
	stacks_sweep(s);
	return 0;
}

int tables_each(struct dtrace *d, int (*visit)(void *arg, const struct agg_table *t), void *arg)
{
	struct agg_sort sort = sorting(d);
	int err = aggs_snapshot(d->tracing.aggs);

	sort.rows = 0; /* a picture shows all */
	for (uint32_t i = 0; i < d->image->naggs && !err; i++) {
		const struct agg_desc *a = d->image->aggs[i];
		struct agg_table *t = NULL;

		if (a)
			err = aggs_walk(d->tracing.aggs, a, &sort, &t);
		if (!err && t)
			err = visit(arg, t);
		agg_table_free(t);
	}
	return err;
}

/* ---- for consumers ---- */

static int visit_table(struct dtrace *d, const struct agg_desc *agg, const struct agg_sort *by,
	int (*visit)(void *arg, const struct dtrace_table *t), void *arg)
{
	struct agg_table *t;
	int err = aggs_walk(d->tracing.aggs, agg, by, &t);

	if (err || !t)
		return err;
	err = sink_table_view(&d->tracing.env, t, visit, arg);
	agg_table_free(t);
	return err;
}

static int each_table(struct dtrace *d, const char *name, const struct dtrace_sort *sort,
	int (*visit)(void *arg, const struct dtrace_table *t), void *arg)
{
	struct agg_sort by;
	int err;

	if (!d->tracing.aggs)
		return report_error(&d->report, -EINVAL, "tracing has not begun");
	by = sort ? (struct agg_sort){sort->by_key, sort->reverse, sort->key, sort->value, 0, false}
		  : sorting(d);
	err = aggs_snapshot(d->tracing.aggs);
	if (err)
		return report_error(&d->report, err, "%s", strerror(-err));
	for (uint32_t i = 0; i < d->image->naggs && !err; i++) {
		const struct agg_desc *a = d->image->aggs[i];

		if (a && (!name || !strcmp(a->name, name)))
			err = visit_table(d, a, &by, visit, arg);
	}
	return err;
}

int dtrace_aggregation_each(struct dtrace *d, const char *name, const struct dtrace_sort *sort,
	int (*visit)(void *arg, const struct dtrace_table *t), void *arg)
{
	return SESSION_TRY(d, each_table(d, name, sort, visit, arg));
}

static const struct agg_desc *find_aggregation(struct dtrace *d, const char *name)
{
	for (uint32_t i = 0; d->tracing.aggs && i < d->image->naggs; i++)
		if (d->image->aggs[i] && !strcmp(d->image->aggs[i]->name, name))
			return d->image->aggs[i];
	return NULL;
}

static int unknown(struct dtrace *d)
{
	return d->tracing.aggs ? report_error(&d->report, -ENOENT, "Unknown aggregation name")
			       : report_error(&d->report, -EINVAL, "tracing has not begun");
}

static int clear_named(struct dtrace *d, const char *name)
{
	const struct agg_desc *a = find_aggregation(d, name);
	int err = a ? clear(d, a) : 0;

	if (!a)
		return unknown(d);
	return err ? report_error(&d->report, err, "%s", strerror(-err)) : 0;
}

int dtrace_aggregation_clear(struct dtrace *d, const char *name)
{
	return SESSION_TRY(d, clear_named(d, name));
}

static int trunc_named(struct dtrace *d, const char *name, int64_t n)
{
	const struct agg_desc *a = find_aggregation(d, name);
	int err = a ? trunc_to(d, a, n) : 0;

	if (!a)
		return unknown(d);
	return err ? report_error(&d->report, err, "%s", strerror(-err)) : 0;
}

int dtrace_aggregation_trunc(struct dtrace *d, const char *name, int64_t n)
{
	return SESSION_TRY(d, trunc_named(d, name, n));
}
