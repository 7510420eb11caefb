// SPDX-License-Identifier: Apache-2.0
/*
 * Gathers what the session's consumer gets into classic events.  The classic callbacks see a
 * firing as a whole before its first action, so it is delivered at its end.
 */
#include "abi/action.h"
#include "classic/classic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dtrace.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"

static void event_reset(struct classic_event *e)
{
	classic_records_reset(&e->recs);
	e->edesc.len = e->actions.len = e->chunks.len = e->text.len = 0;
	classic_entries_free(&e->entries);
	e->next = NULL;
}

void classic_event_free(struct classic_event *e)
{
	if (!e)
		return;
	classic_records_free(&e->recs);
	free(e->edesc.data);
	free(e->actions.data);
	free(e->chunks.data);
	free(e->text.data);
	classic_entries_free(&e->entries);
	free(e);
}

static struct classic_event *event_new(dtrace_hdl_t *h, enum event_kind kind)
{
	struct classic_event *e = h->spare ? h->spare : calloc(1, sizeof(*e));

	h->spare = NULL;
	if (e)
		e->kind = kind;
	return e;
}

/* E is complete: deliver it, or keep it for the next dtrace_work(). */
static int hand_over(dtrace_hdl_t *h, struct classic_event *e)
{
	int err;

	if (h->going) {
		*h->queue_end = e;
		h->queue_end = &e->next;
		return 0;
	}
	err = classic_deliver(h, e);
	event_reset(e);
	if (h->spare)
		classic_event_free(e);
	else
		h->spare = e;
	return err;
}

static int no_memory(dtrace_hdl_t *h)
{
	classic_fail(h, CLASSIC_NOMEM);
	return -ENOMEM;
}

/* Put TEXT into E with a NUL; its offset. */
static size_t put_text(struct classic_event *e, const char *text, size_t len)
{
	size_t at = e->text.len;
	char *to = classic_bytes_add(&e->text, len + 1, 1);

	if (to && len)
		memcpy(to, text, len);
	return at;
}

/* Stores the description without its records. */
static bool put_edesc(struct classic_event *e, uint32_t clause)
{
	dtrace_eprobedesc_t *d = classic_bytes_add(&e->edesc, sizeof(*d), 1);

	if (!d)
		return false;
	d->dtepd_epid = clause + 1;
	d->dtepd_probeid = e->probe.dtpd_id;
	return true;
}

/* ---- flow ---- */

/* The columns of option flowindent, as the text output has them: blanks and an arrow, or a bar. */
static void flow(struct classic_event *e, const char *prefix)
{
	const char *at = strrchr(prefix, '\n'), *arrow;

	e->data.dtpda_flow = DTRACEFLOW_NONE;
	if (at) /* the titles of the columns come before the first one */
		prefix = at + 1;
	at = prefix;
	while (*at == ' ')
		at++;
	while (*at >= '0' && *at <= '9') /* the CPU; with option noprefix there is none */
		at++;
	if (*at == ' ' && at > prefix && at[-1] != ' ')
		prefix = at + 1;
	for (arrow = prefix; *arrow == ' ';)
		arrow++;
	e->data.dtpda_indent = (int)(arrow - prefix);
	e->data.dtpda_prefix = e->prefix;
	if (*arrow == '-' || *arrow == '=')
		e->data.dtpda_flow = DTRACEFLOW_ENTRY;
	else if (*arrow == '<')
		e->data.dtpda_flow = DTRACEFLOW_RETURN;
	if (e->data.dtpda_flow == DTRACEFLOW_NONE) {
		strcpy(e->prefix, "| ");
		return;
	}
	e->data.dtpda_indent--; /* the blank before an arrow */
	memcpy(e->prefix, arrow, 2);
	strcpy(e->prefix + 2, " ");
}

/* ---- firings ---- */

static int on_begin(void *arg, const struct dtrace_record *r)
{
	dtrace_hdl_t *h = arg;
	int64_t flowindent = 0;
	struct classic_event *e;

	classic_event_free(h->now); /* of a firing that an error has cut short */
	h->now = e = event_new(h, EVENT_RECORD);
	if (!e)
		return no_memory(h);
	classic_probedesc(r->probe, &e->probe);
	memset(&e->data, 0, sizeof(e->data));
	e->data.dtpda_handle = h;
	e->data.dtpda_cpu = (processorid_t)r->cpu;
	e->data.dtpda_flow = DTRACEFLOW_NONE;
	dtrace_option_get(h->d, "flowindent", &flowindent);
	if (flowindent && r->prefix)
		flow(e, r->prefix);
	else if (!r->continued && !strcmp(r->probe->name, "entry"))
		e->data.dtpda_flow = DTRACEFLOW_ENTRY;
	else if (!r->continued && !strcmp(r->probe->name, "return"))
		e->data.dtpda_flow = DTRACEFLOW_RETURN;
	return put_edesc(e, r->clause) ? 0 : no_memory(h);
}

/*
 * Adds the records of an action: its aggregations' ids and its values; one without data if it has
 * none.
 */
static void put_records(struct classic_event *e, const struct dtrace_item *item)
{
	dtrace_actkind_t action = action_classic(item->name);
	unsigned first = classic_records_count(&e->recs);

	for (unsigned i = 0; item->table && i < item->table->naggregations; i++) {
		int64_t *id = classic_records_add(&e->recs, action, sizeof(*id), sizeof(*id));

		if (id)
			*id = item->table->aggregations[i].id;
	}
	for (unsigned i = 0; i < item->nvalues; i++)
		classic_records_value(&e->recs, &item->values[i], action);
	if (classic_records_count(&e->recs) == first)
		classic_records_add(&e->recs, action ? action : DTRACEACT_DIFEXPR, 0, 1);
	for (unsigned i = first; item->format && i < classic_records_count(&e->recs); i++)
		((dtrace_recdesc_t *)e->recs.desc.data)[i].dtrd_format = 1;
}

/* ---- printa() ---- */

static void put_chunk(
	struct classic_event *e, const char *text, size_t len, long entry, uint32_t flags)
{
	size_t at = put_text(e, text, len);
	struct classic_chunk *c = classic_bytes_add(&e->chunks, sizeof(*c), 1);

	if (c)
		*c = (struct classic_chunk){at, entry, flags};
}

/* Which of the row's aggregations has the key. */
static unsigned present(const struct dtrace_table *t, const struct dtrace_row *row)
{
	unsigned i = 0;

	while (i + 1 < t->naggregations && !row->values[i].present)
		i++;
	return i;
}

static void put_row(
	dtrace_hdl_t *h, struct classic_event *e, const struct dtrace_table *t, unsigned i)
{
	uint32_t flags = DTRACE_BUFDATA_AGGKEY | DTRACE_BUFDATA_AGGVAL | DTRACE_BUFDATA_AGGLAST;
	const struct dtrace_row *row = dtrace_table_row(t, i);
	long entry = row ? classic_entries_add(h, &e->entries, t, row, present(t, row)) : -1;
	const char *text;
	size_t len = 0;

	if (!row)
		return;
	if (t->format) {
		put_chunk(e, row->text, row->text_len, entry, flags | DTRACE_BUFDATA_AGGFORMAT);
		return;
	}
	text = dtrace_table_text(t, i, 1, &len);
	put_chunk(e, text ? text : "", len, entry, flags);
}

/* Adds a table: every key is a chunk, for the handler of buffered text; a picture is one chunk. */
static void put_table(
	dtrace_hdl_t *h, struct classic_event *e, struct action *a, const struct dtrace_table *t)
{
	int64_t hist = 0, pack = 0;
	size_t before = e->chunks.len;

	dtrace_option_get(h->d, "agghist", &hist);
	dtrace_option_get(h->d, "aggpack", &pack);
	if (!h->on.buffered || (!t->format && (hist || pack)))
		return;
	if (!t->format)
		put_chunk(e, "\n", 1, -1, 0);
	for (unsigned i = 0; i < t->nrows; i++)
		put_row(h, e, t, i);
	a->chunk = (unsigned)(before / sizeof(struct classic_chunk));
	a->nchunks = (unsigned)((e->chunks.len - before) / sizeof(struct classic_chunk));
}

/* ---- actions ---- */

static void put_option(
	dtrace_hdl_t *h, struct classic_event *e, struct action *a, const struct dtrace_item *item)
{
	const struct dtrace_value *name = &item->values[0];

	a->option = put_text(e, name->bytes, name->len);
	if (e->text.failed || dtrace_getopt(h, e->text.data + a->option, &a->before))
		a->before = DTRACEOPT_UNSET;
}

static int on_item(void *arg, const struct dtrace_record *r, const struct dtrace_item *item)
{
	dtrace_hdl_t *h = arg;
	struct classic_event *e = h->now;
	struct action a = {.kind = item->action, .rec = classic_records_count(&e->recs)}, *to;

	put_records(e, item);
	a.text_len = item->text ? item->text_len : 0;
	a.text = put_text(e, item->text, a.text_len);
	if (item->action == DTRACE_ACTION_SETOPT && item->nvalues)
		put_option(h, e, &a, item);
	if (item->action == DTRACE_ACTION_PRINTA && item->table) {
		put_table(h, e, &a, item->table);
		for (unsigned i = 0; item->table->nrows && i < item->table->naggregations; i++)
			if (classic_printed(h, &item->table->aggregations[i]))
				return no_memory(h);
	}
	to = classic_bytes_add(&e->actions, sizeof(*to), 1);
	if (to)
		*to = a;
	return 0;
}

/* Completes the description; on_begin() put the part before the records there. */
static bool make_edesc(struct classic_event *e)
{
	size_t n = classic_records_count(&e->recs);
	dtrace_eprobedesc_t *d;

	if (n > 1 && !classic_bytes_add(&e->edesc, (n - 1) * sizeof(dtrace_recdesc_t), 1))
		return false;
	d = (dtrace_eprobedesc_t *)e->edesc.data;
	d->dtepd_size = (uint32_t)e->recs.data.len;
	d->dtepd_nrecs = (int)n;
	if (n)
		memcpy(d->dtepd_rec, e->recs.desc.data, n * sizeof(dtrace_recdesc_t));
	return true;
}

static int on_end(void *arg, const struct dtrace_record *r)
{
	dtrace_hdl_t *h = arg;
	struct classic_event *e = h->now;

	h->now = NULL;
	if (!make_edesc(e) || classic_records_failed(&e->recs) || e->text.failed ||
		e->actions.failed || e->chunks.failed) {
		classic_event_free(e);
		return no_memory(h);
	}
	return hand_over(h, e);
}

/* ---- drops and faults ---- */

static dtrace_dropkind_t drop_kind(const char *kind)
{
	static const char *const kinds[] = {
		[DTRACEDROP_PRINCIPAL] = "PRINCIPAL",
		[DTRACEDROP_AGGREGATION] = "AGGREGATION",
		[DTRACEDROP_DYNAMIC] = "DYNAMIC",
		[DTRACEDROP_DYNRINSE] = "DYNRINSE",
		[DTRACEDROP_DYNDIRTY] = "DYNDIRTY",
		[DTRACEDROP_SPEC] = "SPEC",
		[DTRACEDROP_SPECBUSY] = "SPECBUSY",
		[DTRACEDROP_SPECUNAVAIL] = "SPECUNAVAIL",
		[DTRACEDROP_STKSTROVERFLOW] = "STKSTROVERFLOW",
		[DTRACEDROP_DBLERROR] = "DBLERROR",
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kind, kinds[i]))
			return (dtrace_dropkind_t)i;
	return DTRACEDROP_PRINCIPAL;
}

static int on_drop(void *arg, const struct dtrace_drop *d)
{
	dtrace_hdl_t *h = arg;
	struct classic_event *e = event_new(h, EVENT_DROP);

	if (!e)
		return no_memory(h);
	put_text(e, d->text, strlen(d->text));
	e->drop = (dtrace_dropdata_t){
		.dtdda_handle = h,
		.dtdda_cpu = d->cpu,
		.dtdda_kind = drop_kind(d->kind),
		.dtdda_drops = d->count,
		.dtdda_total = d->total,
	};
	return hand_over(h, e);
}

static int on_fault(void *arg, const struct dtrace_fault *f)
{
	dtrace_hdl_t *h = arg;
	struct classic_event *e = event_new(h, EVENT_FAULT);

	if (!e)
		return no_memory(h);
	memset(&e->probe, 0, sizeof(e->probe));
	if (f->probe)
		classic_probedesc(f->probe, &e->probe);
	put_text(e, f->text, strlen(f->text));
	if (!put_edesc(e, f->clause)) {
		classic_event_free(e);
		return no_memory(h);
	}
	e->fault = (dtrace_errdata_t){
		.dteda_handle = h,
		.dteda_cpu = (int)f->cpu,
		.dteda_action = (int)f->action,
		.dteda_offset = -1,
		.dteda_fault = (int)f->code,
		.dteda_addr = f->value,
	};
	return hand_over(h, e);
}

struct dtrace_consumer classic_consumer(dtrace_hdl_t *h)
{
	return (struct dtrace_consumer){
		.arg = h,
		.want_text = true,
		.begin = on_begin,
		.item = on_item,
		.end = on_end,
		.drop = on_drop,
		.fault = on_fault,
	};
}
