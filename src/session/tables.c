// SPDX-License-Identifier: Apache-2.0
/* A session's aggregations: their maps, and the actions that are about them. */
#include "session/tables.h"

#include <errno.h>
#include <string.h>

#include "ir/lower.h"
#include "probe/part.h"
#include "session/actions.h"
#include "session/faults.h"
#include "session/sinks.h"
#include "sym/sym.h"

/* ---- keys and maps ---- */

static int map_fd(void *arg, const char *map)
{
	return load_map_fd(((struct dtrace *)arg)->tracing.load, map);
}

bool tables_is_user(const struct datum *k)
{
	return k->kind == DATUM_USTACK || k->kind == DATUM_USYM || k->kind == DATUM_UADDR ||
		k->kind == DATUM_UMOD;
}

/* The maps, seen by way of a visitor that notes whose user addresses are in the keys. */
struct watch {
	struct dtrace *d;
	const struct agg_desc *agg;
	agg_visit_fn visit;
	void *arg;
};

static int watch_key(void *arg, const void *key, const void *percpu, uint32_t ncpus)
{
	struct watch *w = arg;

	for (uint32_t i = 0; i < w->agg->nkeys; i++) {
		uint64_t tgid;

		if (!tables_is_user(&w->agg->keys[i]))
			continue;
		memcpy(&tgid, (const char *)key + w->agg->keys[i].offset, sizeof(tgid));
		sym_user_remember(w->d->tracing.syms, (pid_t)tgid);
	}
	return w->visit(w->arg, key, percpu, ncpus);
}

/* An aggregation that no program updates has no map. */
static bool has_map(struct dtrace *d, const struct agg_desc *agg)
{
	return load_map_fd(d->tracing.load, agg->map) >= 0;
}

/*
 * Functions that the kernel runs through while it hands a map over do not fire (it turns tracing
 * of itself off, bpf_disable_instrumentation()): that is no loss.
 */
static uint64_t missed(const struct dtrace *d)
{
	return load_traces_functions(d->tracing.load) ? load_missed(d->tracing.load) : 0;
}

static int store_each(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg)
{
	struct watch w = {arg, agg, visit, varg};
	uint64_t before;
	int err;

	if (!has_map(w.d, agg))
		return 0;
	before = missed(w.d);
	err = w.d->tracing.store.each(w.d->tracing.store.arg, agg, watch_key, &w);
	w.d->tracing.own_missed += missed(w.d) - before;
	return err;
}

static int store_take(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg)
{
	struct dtrace *d = arg;
	uint64_t before;
	int err;

	if (!has_map(d, agg))
		return 0;
	before = missed(d);
	err = d->tracing.store.take(d->tracing.store.arg, agg, visit, varg);
	d->tracing.own_missed += missed(d) - before;
	return err;
}

static int store_take_key(
	void *arg, const struct agg_desc *agg, const void *key, agg_visit_fn visit, void *varg)
{
	struct dtrace *d = arg;

	if (!has_map(d, agg))
		return 0;
	return d->tracing.store.take_key(d->tracing.store.arg, agg, key, visit, varg);
}

/* Stacks that differ only in the tracing machinery's own frames are one key. */
static void drop_machinery(struct dtrace *d, void *bytes, uint32_t n)
{
	uint64_t pc;
	uint32_t skip = 0;

	for (; skip < DT_STACK_EXTRA && skip < n; skip++) {
		memcpy(&pc, (char *)bytes + 8 * skip, 8);
		if (!pc || !sym_kernel_is_tracing(d->tracing.syms, pc))
			break;
	}
	memmove(bytes, (char *)bytes + 8 * skip, 8 * (n - skip));
	memset((char *)bytes + 8 * (n - DT_STACK_EXTRA), 0, 8 * DT_STACK_EXTRA);
}

/* Addresses of one symbol (or module) are one key. */
static void reduce(void *arg, const struct datum *k, void *bytes)
{
	struct dtrace *d = arg;
	bool user = tables_is_user(k), module = k->kind == DATUM_MOD || k->kind == DATUM_UMOD;
	uint64_t words[2], *addr = &words[user];
	struct sym_info info;

	if (k->kind == DATUM_STACK) {
		drop_machinery(d, bytes, k->size / 8);
		return;
	}
	memcpy(words, bytes, user ? 16 : 8);
	if (user)
		sym_user(d->tracing.syms, (pid_t)words[0], *addr, &info);
	else
		sym_kernel(d->tracing.syms, *addr, &info);
	if (module && *info.object)
		*addr = info.object_start;
	else if (!module && *info.name)
		*addr = info.start;
	memcpy(bytes, words, user ? 16 : 8);
}

static const char *key_text(void *arg, const struct datum *k, const void *bytes)
{
	const struct probe *p;
	uint64_t id;

	memcpy(&id, bytes, sizeof(id));
	p = registry_by_id(((struct dtrace *)arg)->compiling.registry, (uint32_t)id);
	return p ? probe_part(p, k->part) : "";
}

static bool records_user_addresses(const struct lowered *l)
{
	for (uint32_t i = 0; i < l->nrecs; i++)
		for (uint32_t a = 0; l->recs[i] && a < l->recs[i]->nactions; a++)
			for (uint32_t k = 0; k < l->recs[i]->actions[a].ndata; k++)
				if (tables_is_user(&l->recs[i]->actions[a].data[k]))
					return true;
	return false;
}

int tables_open(struct dtrace *d)
{
	struct agg_store watched = {store_each, store_take, store_take_key, d};
	const struct agg_desc **descs =
		arena_new_array(d->arena, const struct agg_desc *, d->compiling.lowered->naggs + 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->compiling.lowered->naggs; i++) {
		const struct agg_desc *a = d->compiling.lowered->aggs[i];

		if (!a)
			continue;
		descs[n++] = a;
		for (uint32_t k = 0; k < a->nkeys; k++)
			d->tracing.user_keys |= tables_is_user(&a->keys[k]);
	}
	d->tracing.user_addresses =
		d->tracing.user_keys || records_user_addresses(d->compiling.lowered);
	d->tracing.store = agg_store_bpf(map_fd, d, d->arena);
	d->tracing.aggs = aggs_new(descs, n, &watched);
	if (!d->tracing.aggs)
		return -ENOMEM;
	aggs_set_reduce(d->tracing.aggs, reduce, d);
	aggs_set_key_text(d->tracing.aggs, key_text, d);
	aggs_set_percpu(d->tracing.aggs, options_on(d->opts, OPT_aggpercpu));
	return 0;
}

/* ---- printing ---- */

/* Where a table comes from: action I of EV, or, EV NULL, the end of the session. */
struct destination {
	struct dtrace *d;
	const struct event *ev;
	uint32_t i;
};

static int to_sinks(void *arg, const struct agg_table *t)
{
	struct destination *to = arg;

	return sinks_table(to->d, to->ev, to->i, t);
}

static struct agg_sort sorting(struct dtrace *d)
{
	return (struct agg_sort){
		.key = options_on(d->opts, OPT_aggsortkey),
		.rev = options_on(d->opts, OPT_aggsortrev),
		.keypos = (uint32_t)options_number(d->opts, OPT_aggsortkeypos),
		.pos = (uint32_t)options_number(d->opts, OPT_aggsortpos),
	};
}

/* What the programs have counted so far; once a pass, so that all actions in it see the same. */
static int refresh(struct dtrace *d)
{
	int err = d->tracing.fresh ? 0 : aggs_snapshot(d->tracing.aggs);

	d->tracing.fresh = true;
	return err;
}

int tables_action(struct dtrace *d, const struct event *ev, uint32_t i)
{
	const struct rec_action *act = &ev->desc->actions[i];
	struct destination to = {d, ev, i};
	struct agg_out out = {to_sinks, &to};
	struct agg_sort sort = sorting(d);
	int err = refresh(d);

	if (err)
		return err;
	switch (act->kind) {
	case REC_PRINTA:
		return aggs_print(d->tracing.aggs, act->aggs, act->naggs, act->format, &sort, &out);
	case REC_CLEAR:
		return aggs_clear(d->tracing.aggs, act->aggs[0]);
	case REC_TRUNC:
		return aggs_trunc(d->tracing.aggs, act->aggs[0],
			act->ndata ? actions_integer(ev->data, &act->data[0]) : 0);
	case REC_DENORMALIZE:
		return aggs_normalize(d->tracing.aggs, act->aggs[0], 1);
	default:
		err = aggs_normalize(d->tracing.aggs, act->aggs[0],
			(uint64_t)actions_integer(ev->data, &act->data[0]));
		if (err == -EINVAL) {
			err = faults_report_action(d, ev, "Invalid normalization");
		}
		return err;
	}
}

int tables_finish(struct dtrace *d)
{
	struct destination to = {.d = d};
	struct agg_out out = {to_sinks, &to};
	struct agg_sort sort = sorting(d);
	int err = aggs_snapshot(d->tracing.aggs);

	return err ? err : aggs_print_rest(d->tracing.aggs, &sort, &out);
}

/* ---- for consumers ---- */

struct walk {
	struct dtrace *d;
	int (*visit)(void *arg, const struct dtrace_table *t);
	void *arg;
};

static int to_visitor(void *arg, const struct agg_table *t)
{
	struct walk *w = arg;

	return sink_table_view(&w->d->tracing.env, t, w->visit, w->arg);
}

int dtrace_aggregation_each(struct dtrace *d, const char *name, const struct dtrace_sort *sort,
	int (*visit)(void *arg, const struct dtrace_table *t), void *arg)
{
	struct walk w = {d, visit, arg};
	struct agg_out out = {to_visitor, &w};
	struct agg_sort by;
	int err;

	if (!d->tracing.aggs)
		return report_error(&d->report, -EINVAL, "tracing has not begun");
	by = sort ? (struct agg_sort){sort->by_key, sort->reverse, sort->key, sort->value}
		  : sorting(d);
	err = aggs_snapshot(d->tracing.aggs);
	if (err)
		return report_error(&d->report, err, "%s", strerror(-err));
	for (uint32_t i = 0; i < d->compiling.lowered->naggs && !err; i++) {
		const struct agg_desc *a = d->compiling.lowered->aggs[i];

		if (a && (!name || !strcmp(a->name, name)))
			err = aggs_walk(d->tracing.aggs, a, &by, &out);
	}
	return err;
}

static const struct agg_desc *find_aggregation(struct dtrace *d, const char *name)
{
	for (uint32_t i = 0; d->tracing.aggs && i < d->compiling.lowered->naggs; i++)
		if (d->compiling.lowered->aggs[i] &&
			!strcmp(d->compiling.lowered->aggs[i]->name, name))
			return d->compiling.lowered->aggs[i];
	return NULL;
}

static int unknown(struct dtrace *d)
{
	return d->tracing.aggs ? report_error(&d->report, -ENOENT, "Unknown aggregation name")
			       : report_error(&d->report, -EINVAL, "tracing has not begun");
}

int dtrace_aggregation_clear(struct dtrace *d, const char *name)
{
	const struct agg_desc *a = find_aggregation(d, name);
	int err = a ? aggs_clear(d->tracing.aggs, a) : 0;

	if (!a)
		return unknown(d);
	return err ? report_error(&d->report, err, "%s", strerror(-err)) : 0;
}

int dtrace_aggregation_trunc(struct dtrace *d, const char *name, int64_t n)
{
	const struct agg_desc *a = find_aggregation(d, name);
	int err = a ? aggs_trunc(d->tracing.aggs, a, n) : 0;

	if (!a)
		return unknown(d);
	return err ? report_error(&d->report, err, "%s", strerror(-err)) : 0;
}
