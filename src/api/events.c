// SPDX-License-Identifier: Apache-2.0
/* What the programs recorded: to the sink, and the actions that the consumer carries out. */
#include "api/handle.h"
#include "probe/part.h"

#include <errno.h>
#include <string.h>

static const struct probe *probe_by_id(void *arg, uint32_t id)
{
	return registry_by_id(((struct dtrace *)arg)->registry, id);
}

/* ---- aggregations ---- */

static int map_fd(void *arg, const char *map)
{
	return load_map_fd(((struct dtrace *)arg)->load, map);
}

static int to_sink(void *arg, const struct agg_table *t)
{
	struct dtrace *d = arg;

	return d->sink->ops->aggregation(d->sink, t);
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

static bool is_user(const struct datum *k)
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

		if (!is_user(&w->agg->keys[i]))
			continue;
		memcpy(&tgid, (const char *)key + w->agg->keys[i].offset, sizeof(tgid));
		sym_user_remember(w->d->syms, (pid_t)tgid);
	}
	return w->visit(w->arg, key, percpu, ncpus);
}

/* An aggregation that no program updates has no map. */
static bool has_map(struct dtrace *d, const struct agg_desc *agg)
{
	return load_map_fd(d->load, agg->map) >= 0;
}

static int store_each(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg)
{
	struct watch w = {arg, agg, visit, varg};

	if (!has_map(w.d, agg))
		return 0;
	return w.d->store.each(w.d->store.arg, agg, watch_key, &w);
}

static int store_take(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg)
{
	struct dtrace *d = arg;

	if (!has_map(d, agg))
		return 0;
	return d->store.take(d->store.arg, agg, visit, varg);
}

static int store_take_key(
	void *arg, const struct agg_desc *agg, const void *key, agg_visit_fn visit, void *varg)
{
	struct dtrace *d = arg;

	if (!has_map(d, agg))
		return 0;
	return d->store.take_key(d->store.arg, agg, key, visit, varg);
}

/* Stacks that differ only in the tracing machinery's own frames are one key. */
static void drop_machinery(struct dtrace *d, void *bytes, uint32_t n)
{
	uint64_t pc;
	uint32_t skip = 0;

	for (; skip < DT_STACK_EXTRA && skip < n; skip++) {
		memcpy(&pc, (char *)bytes + 8 * skip, 8);
		if (!pc || !sym_kernel_is_tracing(d->syms, pc))
			break;
	}
	memmove(bytes, (char *)bytes + 8 * skip, 8 * (n - skip));
	memset((char *)bytes + 8 * (n - DT_STACK_EXTRA), 0, 8 * DT_STACK_EXTRA);
}

/* Addresses of one symbol (or module) are one key. */
static void reduce(void *arg, const struct datum *k, void *bytes)
{
	struct dtrace *d = arg;
	bool user = is_user(k), module = k->kind == DATUM_MOD || k->kind == DATUM_UMOD;
	uint64_t words[2], *addr = &words[user];
	struct sym_info info;

	if (k->kind == DATUM_STACK) {
		drop_machinery(d, bytes, k->size / 8);
		return;
	}
	memcpy(words, bytes, user ? 16 : 8);
	if (user)
		sym_user(d->syms, (pid_t)words[0], *addr, &info);
	else
		sym_kernel(d->syms, *addr, &info);
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
	p = probe_by_id(arg, (uint32_t)id);
	return p ? probe_part(p, k->part) : "";
}

static bool records_user_addresses(const struct lowered *l)
{
	for (uint32_t i = 0; i < l->nrecs; i++)
		for (uint32_t a = 0; l->recs[i] && a < l->recs[i]->nactions; a++)
			for (uint32_t k = 0; k < l->recs[i]->actions[a].ndata; k++)
				if (is_user(&l->recs[i]->actions[a].data[k]))
					return true;
	return false;
}

static int open_aggs(struct dtrace *d)
{
	struct agg_store watched = {store_each, store_take, store_take_key, d};
	const struct agg_desc **descs =
		arena_new_array(d->arena, const struct agg_desc *, d->lowered->naggs + 1);
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->lowered->naggs; i++) {
		const struct agg_desc *a = d->lowered->aggs[i];

		if (!a)
			continue;
		descs[n++] = a;
		for (uint32_t k = 0; k < a->nkeys; k++)
			d->user_keys |= is_user(&a->keys[k]);
	}
	d->user_addresses = d->user_keys || records_user_addresses(d->lowered);
	d->store = agg_store_bpf(map_fd, d, d->arena);
	d->aggs = aggs_new(descs, n, &watched);
	if (!d->aggs)
		return -ENOMEM;
	aggs_set_reduce(d->aggs, reduce, d);
	aggs_set_key_text(d->aggs, key_text, d);
	aggs_set_percpu(d->aggs, options_on(d->opts, OPT_aggpercpu));
	return 0;
}

int events_open(struct dtrace *d)
{
	int fd = load_map_fd(d->load, DT_MAP_RING);

	d->syms = symtab_new();
	d->env = (struct sink_env){
		.syms = d->syms,
		.opts = &d->outopts,
		.probe = probe_by_id,
		.arg = d,
		.target = targets_first(d->targets),
	};
	d->sink = sink_text_new(&d->env, d->out);
	d->drops = drops_new(load_map_fd(d->load, DT_MAP_DROPS));
	d->specs = specs_new((uint32_t)options_number(d->opts, OPT_nspec),
		(uint64_t)options_number(d->opts, OPT_specsize));
	if (!d->syms || !d->sink || !d->drops || !d->specs || open_aggs(d))
		return handle_error(d, -ENOMEM, "Memory allocation failure");
	if (fd >= 0) {
		d->ring = ring_new(fd);
		if (!d->ring)
			return handle_error(
				d, -errno, "cannot map the ring buffer: %s", strerror(errno));
	}
	return 0;
}

/* ---- consumer actions ---- */

static int64_t integer(const void *data, const struct datum *k)
{
	const char *p = (const char *)data + k->offset;
	uint64_t v = 0;
	unsigned up = 64 - 8 * k->size;

	memcpy(&v, p, k->size <= 8 ? k->size : 8);
	if (k->size >= 8 || !k->size)
		return (int64_t)v;
	return k->is_signed ? (int64_t)(v << up) >> up : (int64_t)v;
}

static const char *string(const struct event *ev, const struct datum *k)
{
	return k->kind == DATUM_LITERAL ? k->literal : (const char *)ev->data + k->offset;
}

/* A failure in the consumer, with DTrace's prefix for faults. */
static void library_error(struct dtrace *d, const struct event *ev, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void library_error(struct dtrace *d, const struct event *ev, const char *fmt, ...)
{
	struct buf b = {0};
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	handle_message(d, "error in dt_clause_%u for probe ID %u (%s:%s:%s:%s): %s",
		ev->desc->clause, ev->probe->id, ev->probe->prov, ev->probe->mod, ev->probe->func,
		ev->probe->name, b.failed ? "" : b.data);
	buf_free(&b);
}

static void set_option(struct dtrace *d, const struct event *ev, const struct rec_action *act)
{
	const char *name = string(ev, &act->data[0]), *text = "";
	const char *value = act->ndata > 1 ? string(ev, &act->data[1]) : NULL;

	if (options_set(d->opts, name, value, FROM_SETOPT, true, &text))
		library_error(d, ev, "couldn't set option \"%s\" to \"%s\": %s", name,
			value ? value : "1", text);
	else
		handle_refresh_options(d);
}

static int aggregation_action(
	struct dtrace *d, const struct event *ev, const struct rec_action *act)
{
	struct agg_out out = {to_sink, d};
	struct agg_sort sort = sorting(d);
	int err = 0;

	if (!d->fresh)
		err = aggs_snapshot(d->aggs);
	d->fresh = true;
	if (err)
		return err;
	switch (act->kind) {
	case REC_PRINTA:
		return aggs_print(d->aggs, act->aggs, act->naggs, act->format, &sort, &out);
	case REC_CLEAR:
		return aggs_clear(d->aggs, act->aggs[0]);
	case REC_TRUNC:
		return aggs_trunc(
			d->aggs, act->aggs[0], act->ndata ? integer(ev->data, &act->data[0]) : 0);
	case REC_DENORMALIZE:
		return aggs_normalize(d->aggs, act->aggs[0], 1);
	default:
		err = aggs_normalize(
			d->aggs, act->aggs[0], (uint64_t)integer(ev->data, &act->data[0]));
		if (err == -EINVAL) {
			library_error(d, ev, "Invalid normalization");
			err = 0;
		}
		return err;
	}
}

static int on_action(void *arg, const struct event *ev, const struct rec_action *act)
{
	struct dtrace *d = arg;

	switch (act->kind) {
	case REC_EXIT:
		d->exit_status = (int)integer(ev->data, &act->data[0]);
		return 0;
	case REC_SETOPT:
		set_option(d, ev, act);
		return 0;
	case REC_PRINTA:
	case REC_CLEAR:
	case REC_TRUNC:
	case REC_NORMALIZE:
	case REC_DENORMALIZE:
		return aggregation_action(d, ev, act);
	default:
		return 0;
	}
}

static void on_failure(void *arg, const struct event *ev, const char *text)
{
	library_error(arg, ev, "%s", text);
}

/* ---- records ---- */

static void report_fault(struct dtrace *d, const struct dt_fault *f)
{
	static const char *const phrases[] = {
		[DT_FAULT_UNKNOWN] = "unknown fault",
		[DT_FAULT_BADADDR] = "invalid address",
		[DT_FAULT_BADALIGN] = "invalid alignment",
		[DT_FAULT_ILLOP] = "illegal operation",
		[DT_FAULT_DIVZERO] = "divide-by-zero",
		[DT_FAULT_NOSCRATCH] = "out of scratch space",
		[DT_FAULT_KPRIV] = "invalid kernel access",
		[DT_FAULT_UPRIV] = "invalid user access",
		[DT_FAULT_TUPOFLOW] = "tuple stack overflow",
		[DT_FAULT_BADSTACK] = "bad stack",
		[DT_FAULT_BADSIZE] = "invalid size",
		[DT_FAULT_BADINDEX] = "index out of bounds",
		[DT_FAULT_LOOPBOUND] = "loop bound exceeded",
	};
	const struct probe *p = probe_by_id(d, f->rec.probe);
	const char *phrase =
		f->code <= DT_FAULT_LOOPBOUND ? phrases[f->code] : phrases[DT_FAULT_UNKNOWN];
	char detail[40] = "";

	if (f->code == DT_FAULT_BADINDEX || f->code == DT_FAULT_LOOPBOUND)
		snprintf(detail, sizeof(detail), " (%lld)", (long long)f->value);
	else if ((f->code == DT_FAULT_BADADDR && f->value != ~0ULL) ||
		f->code == DT_FAULT_BADALIGN || f->code == DT_FAULT_BADSTACK ||
		f->code == DT_FAULT_BADSIZE)
		snprintf(detail, sizeof(detail), " (0x%llx)", (unsigned long long)f->value);
	handle_message(d, "error in dt_clause_%u for probe ID %u (%s:%s:%s:%s): %s%s", f->clause,
		f->rec.probe, p ? p->prov : "", p ? p->mod : "", p ? p->func : "", p ? p->name : "",
		phrase, detail);
}

/* A record's user addresses are looked up when it is printed: its process must be known by then. */
static void remember(struct dtrace *d, const struct event *ev)
{
	for (uint32_t i = 0; i < ev->desc->nactions; i++) {
		const struct rec_action *a = &ev->desc->actions[i];

		if (!event_ran(ev, i))
			continue;
		for (uint32_t k = 0; k < a->ndata; k++) {
			uint64_t tgid;

			if (!is_user(&a->data[k]))
				continue;
			memcpy(&tgid, (const char *)ev->data + a->data[k].offset, sizeof(tgid));
			sym_user_remember(d->syms, (pid_t)tgid);
		}
	}
}

/* A clause's record: false = it is none. */
static bool event_of(struct dtrace *d, const struct dt_rec *rec, size_t size, struct event *ev)
{
	ev->probe = probe_by_id(d, rec->probe);
	ev->desc = rec->clause < d->lowered->nrecs ? d->lowered->recs[rec->clause] : NULL;
	ev->data = rec;
	ev->cpu = rec->cpu & ~DT_REC_CONTINUED;
	ev->continued = rec->cpu & DT_REC_CONTINUED;
	return ev->probe && ev->desc && size >= ev->desc->size;
}

static int on_event(struct dtrace *d, const struct event *ev)
{
	struct event_handler handler = {on_action, on_failure, d};

	return d->sink->ops->event(d->sink, ev, &handler);
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
	struct late_record *l = vec_add(d->arena, &d->late);
	void *copy = arena_alloc(d->arena, size);

	memcpy(copy, rec, size);
	l->rec = copy;
	l->size = size;
	return 0;
}

static int show_late(struct dtrace *d)
{
	int err = 0;

	d->beginning = false;
	for (uint32_t i = 0; i < d->late.len && !err; i++)
		err = on_committed(d, d->late.data[i].rec, d->late.data[i].size);
	d->late.len = 0;
	return err;
}

static int on_record(void *arg, const struct dt_rec *rec, size_t size)
{
	struct dtrace *d = arg;
	struct event ev;
	uint64_t word;

	if (rec->clause == DT_REC_FAULT) {
		if (size >= sizeof(struct dt_fault))
			report_fault(d, (const struct dt_fault *)rec);
		return 0;
	}
	if (rec->clause == DT_REC_SPEC)
		return size < sizeof(struct dt_spec_end)
			? -EBADMSG
			: specs_end(d->specs, (const struct dt_spec_end *)rec, on_committed, d);
	if (!event_of(d, rec, size, &ev))
		return -EBADMSG;
	remember(d, &ev);
	if (d->beginning && is_probe(ev.probe, "ERROR"))
		return keep_late(d, rec, size);
	if (d->beginning && !is_probe(ev.probe, "BEGIN")) {
		int err = show_late(d);

		if (err)
			return err;
	}
	word = speculation(&ev);
	return word ? specs_hold(d->specs, word, rec, size) : on_event(d, &ev);
}

int events_consume(struct dtrace *d, long most)
{
	long n = 0;

	d->fresh = false;
	if (d->ring)
		n = ring_consume(d->ring, on_record, d, most);
	if (n >= 0 && d->beginning)
		n = show_late(d);
	return n < 0 ? handle_error(d, (int)n, "%s", strerror((int)-n)) : 0;
}

void events_remember_target(struct dtrace *d)
{
	if (d->user_addresses && targets_first(d->targets))
		sym_user_remember(d->syms, targets_first(d->targets));
}

int events_finish(struct dtrace *d)
{
	struct agg_out out = {to_sink, d};
	struct agg_sort sort = sorting(d);
	int err = d->sink->ops->newline(d->sink);

	if (!err)
		err = aggs_snapshot(d->aggs);
	if (!err)
		err = aggs_print_rest(d->aggs, &sort, &out);
	return err ? handle_error(d, err, "failed to print aggregations: %s", strerror(-err)) : 0;
}
