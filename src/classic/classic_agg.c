// SPDX-License-Identifier: Apache-2.0
/* Stores keys of aggregations as classic entries: raw data and its description. */
#include "abi/aggregation.h"
#include "base/heapvec.h"
#include "base/vec.h"
#include "classic/classic.h"
#include "dtrace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- aggregations ---- */

static size_t aggs_known(const dtrace_hdl_t *h)
{
	return h->aggs.len / sizeof(struct classic_agg);
}

struct classic_agg *classic_agg(dtrace_hdl_t *h, const struct dtrace_aggregation *a)
{
	struct classic_agg *list = (struct classic_agg *)h->aggs.data, *agg;
	char *name;

	for (size_t i = 0; i < aggs_known(h); i++)
		if (list[i].id == a->id)
			return &list[i];
	name = strdup(a->name);
	agg = name ? classic_bytes_add(&h->aggs, sizeof(*agg), 1) : NULL;
	if (!agg) {
		free(name);
		return NULL;
	}
	agg->id = a->id;
	agg->name = name;
	return agg;
}

int classic_printed(dtrace_hdl_t *h, const struct dtrace_aggregation *a)
{
	struct classic_agg *agg = classic_agg(h, a);

	if (!agg)
		return -ENOMEM;
	agg->printed = true;
	for (struct classic_layout *l = agg->layouts; l; l = l->next)
		l->desc.dtagd_flags |= DTRACE_AGD_PRINTED;
	return 0;
}

void classic_aggs_free(dtrace_hdl_t *h)
{
	struct classic_agg *list = (struct classic_agg *)h->aggs.data;

	for (size_t i = 0; i < aggs_known(h); i++) {
		while (list[i].layouts) {
			struct classic_layout *l = list[i].layouts;

			list[i].layouts = l->next;
			free(l);
		}
		free(list[i].name);
	}
	free(h->aggs.data);
}

/* ---- layouts ---- */

static bool same_layout(const struct classic_layout *l, const struct records *r)
{
	return l->desc.dtagd_nrecs == (int)classic_records_count(r) &&
		l->desc.dtagd_size == r->data.len &&
		!memcmp(l->desc.dtagd_rec, r->desc.data, r->desc.len) &&
		!memcmp(l->sign, r->sign.data, r->sign.len);
}

static struct classic_layout *new_layout(struct classic_agg *agg, const struct records *r)
{
	struct classic_layout *l = calloc(1, sizeof(*l) + r->desc.len + r->sign.len);

	if (!l)
		return NULL;
	l->desc.dtagd_name = agg->name;
	l->desc.dtagd_varid = agg->id;
	l->desc.dtagd_id = agg->id;
	l->desc.dtagd_flags = agg->printed ? DTRACE_AGD_PRINTED : 0;
	l->desc.dtagd_size = (uint32_t)r->data.len;
	l->desc.dtagd_nrecs = (int)classic_records_count(r);
	memcpy(l->desc.dtagd_rec, r->desc.data, r->desc.len);
	l->sign = (bool *)((char *)l->desc.dtagd_rec + r->desc.len);
	memcpy(l->sign, r->sign.data, r->sign.len);
	l->next = agg->layouts;
	agg->layouts = l;
	return l;
}

static struct classic_layout *find_layout(struct classic_agg *agg, const struct records *r)
{
	struct classic_layout *l = agg->layouts;

	while (l && !same_layout(l, r))
		l = l->next;
	return l ? l : new_layout(agg, r);
}

/* ---- what values sort by ---- */

static long double plain_weight(const struct dtrace_bucket *b)
{
	return b->low > 0 ? b->low : b->high < 0 ? b->high : 0;
}

static long double weight_quantize(
	const struct dtrace_aggregation *a, const struct dtrace_bucket *b)
{
	return plain_weight(b);
}

static long double weight_lquantize(
	const struct dtrace_aggregation *a, const struct dtrace_bucket *b)
{
	if (b->low == INT64_MIN)
		return (long double)a->base - 1;
	return (long double)b->low + (b->high == INT64_MAX);
}

static long double weight_llquantize(
	const struct dtrace_aggregation *a, const struct dtrace_bucket *b)
{
	return b->low == INT64_MIN || b->high == INT64_MAX ? 0 : plain_weight(b);
}

static long double (*const weights[AGG_FUNCS])(
	const struct dtrace_aggregation *a, const struct dtrace_bucket *b) = {
#define AGGREGATION(name, params, traits, help, kind, ...) \
	AGG_IF_DISTRIBUTION(kind, [AGG_##name] = weight_##name, )
#include "abi/aggregations.def"
};

static void rank_entry(const struct dtrace_agg_value *v, struct classic_entry *e)
{
	const struct agg_info *info = agg_public(v->aggregation->function);
	int64_t n = (int64_t)v->words[0];

	switch (info->result) {
	case AGG_MEAN:
		e->rank = n ? (int64_t)v->words[1] / n : 0;
		break;
	case AGG_DEVIATION:
		e->rank = (long double)v->number * v->normal;
		break;
	case AGG_BUCKETS:
		for (unsigned i = 0; i < v->nbuckets; i++) {
			const struct dtrace_bucket *b = &v->buckets[i];

			e->rank += weights[info->func](v->aggregation, b) * b->count;
			if (b->low <= 0 && b->high >= 0)
				e->zero = b->count;
		}
		break;
	default:
		e->rank = n;
		break;
	}
}

/* ---- entries ---- */

static void free_entry(struct classic_entry *e)
{
	free(e->text);
	free(e);
}

void classic_entries_free(struct classic_entries *e)
{
	vec_for (entry, e)
		free_entry(*entry);
	heapvec_free(e);
}

/* The row's bytes in the scratch records: id, keys, value; apart from them each CPU's value. */
static bool fill_scratch(
	dtrace_hdl_t *h, const struct dtrace_row *row, const struct dtrace_agg_value *v)
{
	struct records *r = &h->scratch;
	int64_t *id;

	classic_records_reset(r);
	classic_records_reset(&h->scratch_cpu);
	id = classic_records_add(r, DTRACEACT_DIFEXPR, sizeof(*id), sizeof(*id));
	if (id)
		*id = v->aggregation->id;
	for (unsigned i = 0; i < v->aggregation->nkeys; i++)
		classic_records_value(r, &row->keys[i], 0);
	classic_records_agg_value(r, v);
	for (unsigned i = 0; v->cpus && i < v->ncpus; i++)
		classic_records_agg_value(&h->scratch_cpu, &v->cpus[i]);
	return !classic_records_failed(r) && !classic_records_failed(&h->scratch_cpu);
}

/* Puts pointers to the CPUs' values, and these values, after the data. */
static void put_cpus(struct classic_entry *e, const struct records *cpus, unsigned n, uint64_t *at)
{
	char **pointers = (char **)at, *data = (char *)(pointers + n);

	memcpy(data, cpus->data.data, cpus->data.len);
	for (unsigned i = 0; i < n; i++)
		pointers[i] = data + ((dtrace_recdesc_t *)cpus->desc.data)[i].dtrd_offset;
	e->data.dtada_percpu = pointers;
}

long classic_entries_add(dtrace_hdl_t *h, struct classic_entries *out, const struct dtrace_table *t,
	const struct dtrace_row *row, unsigned which)
{
	const struct dtrace_agg_value *v = &row->values[which];
	struct classic_agg *agg = classic_agg(h, v->aggregation);
	unsigned ncpus = v->cpus ? v->ncpus : 0;
	struct classic_layout *layout;
	size_t len, words;
	struct classic_entry *e;

	if (!agg || !fill_scratch(h, row, v) || heapvec_reserve(out, (uint64_t)out->len + 1))
		return -1;
	layout = find_layout(agg, &h->scratch);
	len = h->scratch.data.len;
	words = (len + 7) / 8;
	e = layout
		? calloc(1,
			  sizeof(*e) + 8 * words + ncpus * sizeof(char *) + h->scratch_cpu.data.len)
		: NULL;
	if (!e)
		return -1;
	memcpy(e->words, h->scratch.data.data, len);
	e->layout = layout;
	e->data = (dtrace_aggdata_t){
		.dtada_handle = h,
		.dtada_desc = &layout->desc,
		.dtada_edesc = &h->edesc,
		.dtada_pdesc = &h->noprobe,
		.dtada_data = (char *)e->words,
		.dtada_normal = v->normal,
		.dtada_size = len,
	};
	if (ncpus)
		put_cpus(e, &h->scratch_cpu, ncpus, e->words + words);
	rank_entry(v, e);
	out->data[out->len] = e;
	return (long)out->len++;
}
