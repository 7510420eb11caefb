// SPDX-License-Identifier: Apache-2.0
/* Takes snapshots of aggregations, walks over them and prints them for the classic interface. */
#define _GNU_SOURCE
#include "classic/classic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dtrace.h"
#include "dtrace/dtrace.h"

/* ---- reading ---- */

struct classic_reading {
	dtrace_hdl_t *h;
	bool text; /* wanted, too */
};

static bool add_text(struct classic_entry *e, const struct dtrace_table *t, unsigned i)
{
	size_t len = 0;
	const char *text = dtrace_table_text(t, i, 1, &len);

	e->text = text ? strndup(text, len) : NULL;
	return e->text;
}

static int read_table(void *arg, const struct dtrace_table *t)
{
	const struct classic_reading *r = arg;
	struct classic_entries *out = &r->h->snapshot;

	for (unsigned i = 0; i < t->nrows; i++) {
		const struct dtrace_row *row = dtrace_table_row(t, i);
		long at = row ? classic_entries_add(r->h, out, t, row, 0) : -1;

		if (at < 0 || (r->text && !add_text(out->data[at], t, i)))
			return -ENOMEM;
	}
	return 0;
}

static int snapshot(dtrace_hdl_t *h, bool text)
{
	const struct dtrace_sort sort = {0};
	struct classic_reading r = {h, text};
	int err;

	classic_entries_free(&h->snapshot);
	err = dtrace_aggregation_each(h->d, NULL, &sort, read_table, &r);
	if (err == -ENOMEM)
		return classic_fail(h, CLASSIC_NOMEM);
	return err ? classic_failed(h, err) : 0;
}

int dtrace_aggregate_snap(dtrace_hdl_t *h)
{
	return snapshot(h, false);
}

/* ---- order ---- */

struct order {
	bool none;
	bool key;      /* else by value */
	bool var_last; /* the aggregation decides last, not first */
	bool reverse;
};

static int compare_numbers(const void *x, const void *y, uint32_t size, bool is_signed)
{
	uint64_t a = 0, b = 0;
	unsigned up = 64 - 8 * size;

	memcpy(&a, x, size);
	memcpy(&b, y, size);
	a <<= up;
	b <<= up;
	if (is_signed)
		return ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
	return (a > b) - (a < b);
}

static bool is_number(const dtrace_recdesc_t *r)
{
	return r->dtrd_action == DTRACEACT_DIFEXPR && r->dtrd_alignment == r->dtrd_size;
}

static int compare_key(const struct classic_entry *x, const struct classic_entry *y, int k)
{
	const dtrace_recdesc_t *rx = &x->layout->desc.dtagd_rec[k];
	const dtrace_recdesc_t *ry = &y->layout->desc.dtagd_rec[k];
	const char *px = x->data.dtada_data + rx->dtrd_offset;
	const char *py = y->data.dtada_data + ry->dtrd_offset;
	uint32_t n = rx->dtrd_size < ry->dtrd_size ? rx->dtrd_size : ry->dtrd_size;
	int c = 0;

	if (is_number(rx) && rx->dtrd_size == ry->dtrd_size)
		return compare_numbers(px, py, n, x->layout->sign[k] && y->layout->sign[k]);
	if (rx->dtrd_alignment == 8 && ry->dtrd_alignment == 8) /* addresses */
		for (uint32_t i = 0; i + 8 <= n && !c; i += 8)
			c = compare_numbers(px + i, py + i, 8, false);
	else
		c = memcmp(px, py, n);
	return c ? c : (rx->dtrd_size > ry->dtrd_size) - (rx->dtrd_size < ry->dtrd_size);
}

static int compare_keys(const struct classic_entry *x, const struct classic_entry *y)
{
	int nx = x->layout->desc.dtagd_nrecs - 1, ny = y->layout->desc.dtagd_nrecs - 1, c = 0;

	for (int k = 1; k < nx && k < ny && !c; k++)
		c = compare_key(x, y, k);
	return c ? c : (nx > ny) - (nx < ny);
}

static int compare_values(const struct classic_entry *x, const struct classic_entry *y)
{
	if (x->rank != y->rank)
		return x->rank > y->rank ? 1 : -1;
	return (x->zero > y->zero) - (x->zero < y->zero);
}

static int compare_entries(const void *x_, const void *y_, void *arg)
{
	const struct classic_entry *x = *(struct classic_entry *const *)x_,
				   *y = *(struct classic_entry *const *)y_;
	uint32_t vx = x->layout->desc.dtagd_id, vy = y->layout->desc.dtagd_id;
	int var = (vx > vy) - (vx < vy), c;
	const struct order *o = arg;

	c = o->var_last ? 0 : var;
	if (!c && !o->key)
		c = compare_values(x, y);
	if (!c && o->var_last && !o->key)
		c = var;
	if (!c)
		c = compare_keys(x, y);
	if (!c)
		c = var;
	return o->reverse ? -c : c;
}

/* ---- walking ---- */

/* Clearing and removing are for whole aggregations: how many of AGG's keys were to be. */
static bool all_or_none(const struct classic_entries *s, uint32_t id, unsigned char *act)
{
	bool first = true;

	*act = DTRACE_AGGWALK_NEXT;
	for (size_t i = 0; i < s->len; i++) {
		if (s->data[i]->layout->desc.dtagd_id != id)
			continue;
		if (!first && s->data[i]->act != *act)
			return false;
		*act = s->data[i]->act;
		first = false;
	}
	return true;
}

static void clear_value(struct classic_entry *e)
{
	const dtrace_recdesc_t *r = &e->layout->desc.dtagd_rec[e->layout->desc.dtagd_nrecs - 1];
	uint32_t head = r->dtrd_arg ? sizeof(uint64_t) : 0; /* the parameters stay */

	memset(e->data.dtada_data + r->dtrd_offset + head, 0, r->dtrd_size - head);
	e->rank = 0;
	e->zero = 0;
}

static void drop_entries(struct classic_entries *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->len; i++) {
		struct classic_entry *e = s->data[i];

		if (e->act == DTRACE_AGGWALK_CLEAR)
			clear_value(e);
		if (e->act != DTRACE_AGGWALK_REMOVE) {
			s->data[n++] = e;
			continue;
		}
		free(e->text);
		free(e);
	}
	s->len = n;
}

/* Do what the callback has asked for. */
static int commit(dtrace_hdl_t *h)
{
	const struct classic_agg *list = (const struct classic_agg *)h->aggs.data;
	size_t n = h->aggs.len / sizeof(*list);
	unsigned char act;
	int err = 0;

	for (size_t i = 0; i < n; i++)
		if (!all_or_none(&h->snapshot, list[i].id, &act))
			return classic_fail(h, ENOTSUP);
	for (size_t i = 0; i < n && !err; i++) {
		all_or_none(&h->snapshot, list[i].id, &act);
		if (act == DTRACE_AGGWALK_CLEAR)
			err = dtrace_aggregation_clear(h->d, list[i].name);
		else if (act == DTRACE_AGGWALK_REMOVE)
			err = dtrace_aggregation_trunc(h->d, list[i].name, 0);
	}
	if (err)
		return classic_failed(h, err);
	drop_entries(&h->snapshot);
	return 0;
}

/* Take note of what the callback SAID about E; 0 or -1. */
static int apply_answer(dtrace_hdl_t *h, struct classic_entry *e, int said, bool *changes)
{
	switch (said) {
	case DTRACE_AGGWALK_NEXT:
		return 0;
	case DTRACE_AGGWALK_NORMALIZE:
		if (e->data.dtada_normal)
			return 0;
		e->data.dtada_normal = 1;
		return classic_fail(h, CLASSIC_BADNORMAL);
	case DTRACE_AGGWALK_DENORMALIZE:
		e->data.dtada_normal = 1;
		return 0;
	case DTRACE_AGGWALK_CLEAR:
	case DTRACE_AGGWALK_REMOVE:
		e->act = (unsigned char)said;
		*changes = true;
		return 0;
	case DTRACE_AGGWALK_ERROR: /* who prints has said why */
		return h->err ? -1 : classic_fail(h, CLASSIC_DIRABORT);
	case DTRACE_AGGWALK_ABORT:
		return classic_fail(h, CLASSIC_DIRABORT);
	default:
		return classic_fail(h, EINVAL);
	}
}

static int walk_entries(dtrace_hdl_t *h, dtrace_aggregate_f *f, void *arg, struct order order)
{
	size_t n = h->snapshot.len;
	struct classic_entry **list = calloc(n + 1, sizeof(struct classic_entry *));
	bool changes = false;
	int r = 0;

	if (!list)
		return classic_fail(h, CLASSIC_NOMEM);
	classic_fail(h, 0);
	for (size_t i = 0; i < n; i++) {
		list[i] = h->snapshot.data[i];
		list[i]->act = DTRACE_AGGWALK_NEXT;
	}
	if (!order.none)
		qsort_r(list, n, sizeof(struct classic_entry *), compare_entries, &order);
	for (size_t i = 0; i < n && !r; i++)
		r = apply_answer(h, list[i], f(&list[i]->data, arg), &changes);
	free(list);
	return r || !changes ? r : commit(h);
}

#define WALK(name, ...)                                                                    \
	int dtrace_aggregate_walk##name(dtrace_hdl_t *h, dtrace_aggregate_f *f, void *arg) \
	{                                                                                  \
		return walk_entries(h, f, arg, (struct order){__VA_ARGS__});               \
	}

WALK(, .none = true)
WALK(_keysorted, .key = true)
WALK(_valsorted, .key = false)
WALK(_keyvarsorted, .key = true, .var_last = true)
WALK(_valvarsorted, .var_last = true)
WALK(_keyrevsorted, .key = true, .reverse = true)
WALK(_valrevsorted, .reverse = true)
WALK(_keyvarrevsorted, .key = true, .var_last = true, .reverse = true)
WALK(_valvarrevsorted, .var_last = true, .reverse = true)

/* ---- clearing ---- */

static int note_aggregation(void *arg, const struct dtrace_table *t)
{
	return classic_agg(arg, &t->aggregations[0]) ? 0 : -ENOMEM;
}

void dtrace_aggregate_clear(dtrace_hdl_t *h)
{
	const struct classic_agg *list;

	if (dtrace_aggregation_each(h->d, NULL, NULL, note_aggregation, h))
		return;
	list = (const struct classic_agg *)h->aggs.data;
	for (size_t i = 0; i < h->aggs.len / sizeof(*list); i++)
		dtrace_aggregation_clear(h->d, list[i].name);
}

/* ---- printing ---- */

struct printing {
	dtrace_hdl_t *h;
	FILE *fp;
};

static int print_entry(struct printing *p, const struct classic_entry *e, const char *text)
{
	const dtrace_aggdesc_t *d = e->data.dtada_desc;
	const dtrace_bufdata_t what = {
		.dtbda_handle = p->h,
		.dtbda_buffered = text,
		.dtbda_recdesc = &d->dtagd_rec[d->dtagd_nrecs - 1],
		.dtbda_aggdata = &e->data,
		.dtbda_flags =
			DTRACE_BUFDATA_AGGKEY | DTRACE_BUFDATA_AGGVAL | DTRACE_BUFDATA_AGGLAST,
	};

	return classic_emit(p->h, p->fp, &what);
}

static int print_row(struct printing *p, const struct dtrace_table *t, unsigned i)
{
	struct classic_entries one = {0};
	const struct dtrace_row *row = dtrace_table_row(t, i);
	long at = row ? classic_entries_add(p->h, &one, t, row, 0) : -1;
	int err = at < 0 || !add_text(one.data[at], t, i) ? -ENOMEM : 0;

	if (!err)
		err = print_entry(p, one.data[at], one.data[at]->text);
	classic_entries_free(&one);
	return err;
}

static int print_whole(struct printing *p, const struct dtrace_table *t)
{
	dtrace_bufdata_t what = {.dtbda_handle = p->h};
	size_t len = 0;
	const char *text = dtrace_table_text(t, 0, t->nrows, &len);

	if (!text)
		return -ENOMEM;
	what.dtbda_buffered = text;
	return classic_emit(p->h, p->fp, &what);
}

static int print_table(void *arg, const struct dtrace_table *t)
{
	struct printing *p = arg;
	const struct classic_agg *agg = classic_agg(p->h, &t->aggregations[0]);
	int64_t hist = 0, pack = 0;
	int err = agg ? 0 : -ENOMEM;

	if (err || agg->printed)
		return err;
	dtrace_option_get(p->h->d, "agghist", &hist);
	dtrace_option_get(p->h->d, "aggpack", &pack);
	if (p->fp || hist || pack)
		return print_whole(p, t);
	for (unsigned i = 0; i < t->nrows && !err; i++)
		err = print_row(p, t, i);
	return err;
}

/* By the options; aggsortrev has the last aggregation first. */
static int print_by_options(struct printing *p)
{
	const struct classic_agg *list;
	int64_t reverse = 0;
	int err = 0;

	dtrace_option_get(p->h->d, "aggsortrev", &reverse);
	if (!reverse)
		return dtrace_aggregation_each(p->h->d, NULL, NULL, print_table, p);
	err = dtrace_aggregation_each(p->h->d, NULL, NULL, note_aggregation, p->h);
	list = (const struct classic_agg *)p->h->aggs.data;
	for (uint32_t id = UINT32_MAX; !err;) {
		const struct classic_agg *next = NULL;

		for (size_t i = 0; i < p->h->aggs.len / sizeof(*list); i++)
			if (list[i].id < id && (!next || list[i].id > next->id))
				next = &list[i];
		if (!next)
			break;
		id = next->id;
		err = dtrace_aggregation_each(p->h->d, next->name, NULL, print_table, p);
	}
	return err;
}

static int print_visited(const dtrace_aggdata_t *data, void *arg)
{
	const struct classic_entry *e =
		(const struct classic_entry *)data; /* it is the first member */
	struct printing *p = arg;

	if (data->dtada_desc->dtagd_flags & DTRACE_AGD_PRINTED)
		return DTRACE_AGGWALK_NEXT;
	return print_entry(p, e, e->text) ? DTRACE_AGGWALK_ERROR : DTRACE_AGGWALK_NEXT;
}

int dtrace_aggregate_print(dtrace_hdl_t *h, FILE *fp, dtrace_aggregate_walk_f *walker)
{
	struct printing p = {h, fp};
	int err;

	if (walker)
		return snapshot(h, true) ? -1 : walker(h, print_visited, &p);
	classic_fail(h, 0);
	err = print_by_options(&p);
	if (!err)
		return 0;
	if (err == -ENOMEM)
		return classic_fail(h, CLASSIC_NOMEM);
	return h->err ? -1 : classic_failed(h, err);
}
