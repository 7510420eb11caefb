// SPDX-License-Identifier: Apache-2.0
/* What the programs recorded: to the sinks, and the actions that the consumer carries out. */
#include "session/handle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>

const struct probe *events_probe(void *arg, uint32_t id)
{
	return registry_by_id(((struct dtrace *)arg)->registry, id);
}

/* ---- consumer actions ---- */

int64_t events_integer(const void *data, const struct datum *k)
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

/* Tell the sinks and the message handler. */
static int report(struct dtrace *d, const struct fault *f)
{
	handle_message(d, "%s", f->text);
	return sinks_fault(d, f);
}

/* "error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): WHAT" */
static int report_text(struct dtrace *d, struct fault *f, uint32_t id)
{
	const struct probe *p = f->probe;
	struct buf b = {0};
	int err;

	buf_printf(&b, "error in dt_clause_%u for probe ID %u (%s:%s:%s:%s): %s", f->clause, id,
		p ? p->prov : "", p ? p->mod : "", p ? p->func : "", p ? p->name : "", f->what);
	f->text = b.failed ? f->what : b.data;
	err = report(d, f);
	buf_free(&b);
	d->failed |= options_on(d->opts, OPT_errexit);
	return err;
}

/* A failure in the consumer. */
int events_error(struct dtrace *d, const struct event *ev, const char *fmt, ...)
{
	struct fault f = {.probe = ev->probe,
		.clause = ev->desc->clause,
		.cpu = ev->cpu,
		.code = DT_FAULT_LIBRARY};
	struct buf b = {0};
	va_list ap;
	int err;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	f.what = b.failed ? "" : b.data;
	err = report_text(d, &f, ev->probe->id);
	buf_free(&b);
	return err;
}

static int set_option(struct dtrace *d, const struct event *ev, const struct rec_action *act)
{
	const char *name = string(ev, &act->data[0]), *text = "";
	const char *value = act->ndata > 1 ? string(ev, &act->data[1]) : NULL;

	if (options_set(d->opts, name, value, FROM_SETOPT, true, &text))
		return events_error(d, ev, "couldn't set option \"%s\" to \"%s\": %s", name,
			value ? value : "1", text);
	handle_refresh_options(d);
	return 0;
}

/* What the consumer itself has to do about action I. */
static int carry_out(struct dtrace *d, const struct event *ev, uint32_t i)
{
	const struct rec_action *act = &ev->desc->actions[i];

	switch (act->kind) {
	case REC_EXIT:
		d->exit_status = (int)events_integer(ev->data, &act->data[0]);
		return 0;
	case REC_SETOPT:
		return set_option(d, ev, act);
	case REC_PRINTA:
	case REC_CLEAR:
	case REC_TRUNC:
	case REC_NORMALIZE:
	case REC_DENORMALIZE:
		return tables_action(d, ev, i);
	default:
		return 0;
	}
}

/* ---- opening ---- */

static void on_failure(void *arg, const struct event *ev, const char *text)
{
	struct dtrace *d = arg;

	d->failed |= events_error(d, ev, "%s", text) != 0;
}

static struct sink_env environment(struct dtrace *d)
{
	return (struct sink_env){
		.syms = d->syms,
		.opts = &d->outopts,
		.probe = events_probe,
		.failed = on_failure,
		.arg = d,
		.wall_offset = load_state(d->load)->wall_offset,
		.target = targets_first(d->targets),
	};
}

/* Whether records wait for the end, or for those of other CPUs. */
static bool holds(const struct dtrace *d)
{
	return options_number(d->opts, OPT_bufpolicy) != POLICY_SWITCH ||
		!options_on(d->opts, OPT_temporal);
}

int events_open(struct dtrace *d)
{
	int fd = load_map_fd(d->load, DT_MAP_RING);
	bool none;

	d->syms = symtab_new();
	d->drops = drops_new(load_map_fd(d->load, DT_MAP_DROPS));
	d->specs = specs_new((uint32_t)options_number(d->opts, OPT_nspec),
		(uint64_t)options_number(d->opts, OPT_specsize));
	d->held = holds(d) ? hold_new() : NULL;
	none = !d->syms || !d->drops || !d->specs || (holds(d) && !d->held);
	if (!none) {
		d->env = environment(d);
		none = sinks_open(d) || tables_open(d);
	}
	if (none)
		return handle_error(d, -ENOMEM, "Memory allocation failure");
	if (d->user_addresses)
		sym_user_watch(d->syms);
	if (fd >= 0) {
		d->ring = ring_new(fd);
		if (!d->ring)
			return handle_error(
				d, -errno, "cannot map the ring buffer: %s", strerror(errno));
	}
	return 0;
}

/* ---- records ---- */

static int report_fault(struct dtrace *d, const struct dt_fault *f)
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
	const char *phrase =
		f->code <= DT_FAULT_LOOPBOUND ? phrases[f->code] : phrases[DT_FAULT_UNKNOWN];
	struct fault out = {
		.probe = events_probe(d, f->rec.probe),
		.clause = f->clause,
		.cpu = f->rec.cpu & ~DT_REC_CONTINUED,
		.code = f->code,
		.value = f->value,
	};
	char what[80], detail[40] = "";

	if (f->code == DT_FAULT_BADINDEX || f->code == DT_FAULT_LOOPBOUND)
		snprintf(detail, sizeof(detail), " (%lld)", (long long)f->value);
	else if ((f->code == DT_FAULT_BADADDR && f->value != ~0ULL) ||
		f->code == DT_FAULT_BADALIGN || f->code == DT_FAULT_BADSTACK ||
		f->code == DT_FAULT_BADSIZE)
		snprintf(detail, sizeof(detail), " (0x%llx)", (unsigned long long)f->value);
	snprintf(what, sizeof(what), "%s%s", phrase, detail);
	out.what = what;
	return report_text(d, &out, f->rec.probe);
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

			if (!tables_is_user(&a->data[k]))
				continue;
			memcpy(&tgid, (const char *)ev->data + a->data[k].offset, sizeof(tgid));
			sym_user_remember(d->syms, (pid_t)tgid);
		}
	}
}

/* A clause's record: false = it is none. */
static bool event_of(struct dtrace *d, const struct dt_rec *rec, size_t size, struct event *ev)
{
	ev->probe = events_probe(d, rec->probe);
	ev->desc = rec->clause < d->lowered->nrecs ? d->lowered->recs[rec->clause] : NULL;
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
			err = carry_out(d, ev, i);
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

/* A record that belongs to no speculation any more. */
static int show(void *arg, const struct dt_rec *rec, size_t size)
{
	struct dtrace *d = arg;
	struct event ev;
	int err = 0;

	if (d->failed)
		return -ECANCELED;
	if (rec->clause == DT_REC_FAULT) {
		return size < sizeof(struct dt_fault)
			? -EBADMSG
			: report_fault(d, (const struct dt_fault *)rec);
	}
	if (!event_of(d, rec, size, &ev))
		return -EBADMSG;
	if (d->beginning && is_probe(ev.probe, "ERROR"))
		return keep_late(d, rec, size);
	if (d->beginning && !is_probe(ev.probe, "BEGIN"))
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
			: specs_end(d->specs, (const struct dt_spec_end *)rec, visit, d);
	if (rec->clause == DT_REC_FAULT)
		return visit(d, rec, size);
	if (!event_of(d, rec, size, &ev))
		return -EBADMSG;
	remember(d, &ev);
	word = speculation(&ev);
	err = word ? specs_hold(d->specs, word, rec, size) : SPECS_COMMITTED;
	return err == SPECS_COMMITTED ? visit(d, rec, size) : err;
}

static int on_record(void *arg, const struct dt_rec *rec, size_t size)
{
	struct dtrace *d = arg;

	return d->failed ? -ECANCELED : sort_out(d, rec, size, show);
}

/* ---- records that wait ---- */

/* By CPU, but BEGIN's come first and END's last. */
static uint32_t group(struct dtrace *d, const struct dt_rec *rec)
{
	const struct probe *p = events_probe(d, rec->probe);

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

	return options_number(d->opts, OPT_bufpolicy) == POLICY_FILL && !d->stopped &&
		rec->clause != DT_REC_FAULT && event_of(d, rec, size, &ev) && speculation(&ev) &&
		hold_bytes(d->held, group(d, rec)) + size >
		(uint64_t)options_number(d->opts, OPT_bufsize);
}

static int hold(void *arg, const struct dt_rec *rec, size_t size)
{
	struct dtrace *d = arg;

	if (is_beyond(d, rec, size)) {
		d->beyond++;
		return 0;
	}
	return hold_add(d->held, group(d, rec), rec, size);
}

/* In the order in which all was recorded: a speculation can end on another CPU. */
static int on_held(void *arg, const struct dt_rec *rec, size_t size)
{
	return sort_out(arg, rec, size, hold);
}

static int deliver(struct dtrace *d)
{
	return d->held ? hold_deliver(d->held, !options_on(d->opts, OPT_temporal), show, d) : 0;
}

/* bufpolicy=ring: what is left in the buffers. */
static int read_over(struct dtrace *d)
{
	const struct over o = {
		.fd = load_map_fd(d->load, DT_MAP_OVER),
		.heads = load_map_fd(d->load, DT_MAP_OVER_HEADS),
		.size = d->lowered->over.size,
		.chunk = d->lowered->over.chunk,
		.value = d->lowered->over.value,
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

	if (!n && d->ring)
		n = ring_consume(d->ring, on_record, d, 0);
	if (n >= 0 && options_number(d->opts, OPT_bufpolicy) == POLICY_RING)
		n = read_over(d);
	return n;
}

/* ---- consuming ---- */

static long consume(struct dtrace *d, long most)
{
	long n;

	if (!d->ring)
		return 0;
	if (!holds(d))
		return ring_consume(d->ring, on_record, d, most);
	n = ring_consume(d->ring, on_held, d, most);
	return n < 0 || options_number(d->opts, OPT_bufpolicy) != POLICY_SWITCH ? n : deliver(d);
}

/* bufpolicy=fill: the buffers are empty, so that END and what it leads to have room. */
static int empty_accounts(struct dtrace *d)
{
	int fd = load_map_fd(d->load, DT_MAP_FILL), ncpus = load_cpus(), err;
	struct dt_fill *none;
	uint32_t first = 0;

	if (fd < 0 || ncpus <= 0)
		return 0;
	none = calloc((size_t)ncpus, sizeof(*none));
	err = none ? bpf_map_update_elem(fd, &first, none, 0) : -ENOMEM;
	free(none);
	return err;
}

int events_hold(struct dtrace *d)
{
	long n = 0;

	if (!d->held)
		d->held = hold_new();
	if (!d->held)
		n = -ENOMEM;
	else if (d->ring)
		n = ring_consume(d->ring, on_held, d, 0);
	if (n >= 0)
		n = empty_accounts(d);
	return n < 0 ? handle_error(d, (int)n, "%s", strerror((int)-n)) : 0;
}

int events_consume(struct dtrace *d, long most, bool last)
{
	bool over = last || options_number(d->opts, OPT_bufpolicy) == POLICY_SWITCH;
	long n;

	d->fresh = false;
	n = last ? consume_last(d) : consume(d, most);
	if (n >= 0 && d->beginning && over)
		n = show_late(d);
	/* a consumer may say so as well */
	if (n < 0 && !(n == -ECANCELED && d->failed))
		return handle_error(d, (int)n, "%s", strerror((int)-n));
	return 0;
}

bool events_filled(struct dtrace *d)
{
	int fd = load_map_fd(d->load, DT_MAP_FILL), ncpus = load_cpus();
	struct dt_fill *list;
	uint32_t first = 0;
	bool full = d->beyond > 0;

	if (fd < 0 || ncpus <= 0)
		return full;
	list = calloc((size_t)ncpus, sizeof(*list));
	if (list && !bpf_map_lookup_elem(fd, &first, list))
		for (int i = 0; i < ncpus; i++)
			full |= list[i].full != 0;
	free(list);
	return full;
}

void events_remember_target(struct dtrace *d)
{
	if (d->user_addresses)
		sym_user_watch(d->syms);
	if (d->user_addresses && targets_first(d->targets))
		sym_user_remember(d->syms, targets_first(d->targets));
}

int dtrace_address_text(struct dtrace *d, pid_t pid, uint64_t address, char *buf, size_t size)
{
	return sink_address_text(&d->env, pid, address, buf, size);
}

int events_finish(struct dtrace *d)
{
	int err = sinks_newline(d);

	if (!err)
		err = tables_finish(d);
	if (!err)
		err = sinks_finish(d);
	return err ? handle_error(d, err, "failed to print aggregations: %s", strerror(-err)) : 0;
}
