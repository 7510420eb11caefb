// SPDX-License-Identifier: Apache-2.0
/* Decodes tables of aggregations, row by row. */
#include "abi/aggregation.h"
#include "abi/record.h"
#include "base/arena.h"
#include "consume/agg_value.h"
#include "consume/event.h"
#include "decode/datum.h"
#include "decode/decode.h"
#include "dtrace/data.h"
#include "print/print.h"
#include "print/rows.h"

static struct dtrace_aggregation aggregation(const struct agg_desc *d)
{
	const struct agg_info *info = agg_desc_info(d);

	return (struct dtrace_aggregation){
		.name = d->name,
		.id = d->id,
		.function = (enum dtrace_function)info->public_id,
		.function_name = info->name,
		.base = d->params.base,
		.limit = d->params.limit,
		.step = d->params.step,
		.factor = d->params.factor,
		.low = d->params.lmag,
		.high = d->params.hmag,
		.steps = d->params.steps,
		.nkeys = d->nkeys,
	};
}

/* ---- rows ---- */

static void buckets(struct arena *a, const struct agg_value *v, struct dtrace_agg_value *out)
{
	struct dtrace_bucket *list;
	unsigned n = 0;

	for (uint32_t i = 0; i < v->desc->nbuckets; i++)
		n += v->buckets[i] != 0;
	list = arena_new_array(a, struct dtrace_bucket, n + 1);
	for (uint32_t i = 0; i < v->desc->nbuckets; i++) {
		struct dtrace_bucket *b = &list[out->nbuckets];

		if (!v->buckets[i])
			continue;
		agg_bucket_bounds(v->desc->func, &v->desc->params, i, &b->low, &b->high);
		b->count = v->buckets[i];
		out->nbuckets++;
	}
	out->buckets = list;
}

static void agg_value(struct arena *a, const struct agg_value *v,
	const struct dtrace_aggregation *of, struct dtrace_agg_value *out)
{
	*out = (struct dtrace_agg_value){
		.aggregation = of, .present = v->present, .normal = v->normal};
	for (int i = 0; i < 4; i++)
		out->words[i] = v->words[i];
	if (agg_is_distribution(v->desc) && v->buckets)
		buckets(a, v, out);
	else if (!agg_is_distribution(v->desc))
		out->number = agg_number(v);
}

static void values(struct arena *a, const struct dtrace_table *t, const struct agg_row *row,
	struct dtrace_row *out)
{
	struct dtrace_agg_value *list =
		arena_new_array(a, struct dtrace_agg_value, row->nvalues + 1);

	for (uint32_t i = 0; i < row->nvalues; i++) {
		const struct agg_value *v = &row->values[i];
		struct dtrace_agg_value *cpus;

		agg_value(a, v, &t->aggregations[i], &list[i]);
		if (!v->cpus)
			continue;
		cpus = arena_new_array(a, struct dtrace_agg_value, v->ncpus + 1);
		for (uint32_t c = 0; c < v->ncpus; c++)
			agg_value(a, &v->cpus[c], &t->aggregations[i], &cpus[c]);
		list[i].cpus = cpus;
		list[i].ncpus = v->ncpus;
	}
	out->values = list;
}

/* The text of printa() with a format. */
static void format_row(struct decoder *dec, const struct agg_table *table,
	const struct agg_row *row, unsigned nkeys, struct dtrace_row *out)
{
	const struct format_args args = {
		.values = out->keys,
		.nvalues = nkeys,
		.aggs = out->values,
		.shares = row->shares,
		.naggs = row->nvalues,
	};
	size_t from = dec->pr->buf.len;

	if (!print_format(dec->pr, table->format, &args))
		out->text = decode_text(dec, from, &out->text_len);
	else
		dec->pr->buf.len = from;
}

static struct dtrace_row *make_row(struct decoder *dec, const struct dtrace_table *t,
	const struct agg_table *table, unsigned i)
{
	const struct agg_row *row = &table->rows[i];
	const struct rec_view src = {.base = row->key};
	struct dtrace_row *out = arena_new_obj(dec->arena, struct dtrace_row);
	struct dtrace_value *keys =
		arena_new_array(dec->arena, struct dtrace_value, row->desc->nkeys + 1);

	for (uint32_t k = 0; k < row->desc->nkeys; k++)
		decode_value(dec, &row->desc->keys[k], &src, &keys[k]);
	out->keys = keys;
	values(dec->arena, t, row, out);
	if (table->format)
		format_row(dec, table, row, row->desc->nkeys, out);
	return out;
}

#define AHEAD 8 /* rows; enough for memory to answer */

/* Sorting leaves the keys and values of neighbours far apart in memory. */
static void prefetch_row(const struct agg_table *t, unsigned i)
{
	if (i >= t->nrows)
		return;
	__builtin_prefetch(t->rows[i].key);
	__builtin_prefetch(t->rows[i].values);
}

static const struct dtrace_row *decoded_row(const struct dtrace_table *t, unsigned i)
{
	const struct decoded_table *insides = t->insides;
	struct decoder dec = *insides->decoder;

	dec.arena = insides->row;
	arena_reset(dec.arena);
	prefetch_row(insides->table, i + AHEAD);
	return ARENA_TRY(dec.arena, make_row(&dec, t, insides->table, i), NULL);
}

/* Copies the text of the printer from FROM on into the arena of rows. */
static const char *take_text(const struct decoded_table *insides, size_t from, size_t *len)
{
	struct decoder dec = *insides->decoder;

	dec.arena = insides->row;
	arena_reset(dec.arena);
	return ARENA_TRY(dec.arena, decode_text(&dec, from, len), NULL);
}

/* Nothing comes before a table that is final. */
static const char *decoded_text(
	const struct dtrace_table *t, unsigned first, unsigned n, size_t *len)
{
	const struct decoded_table *insides = t->insides;
	struct dtrace_table whole = *t;
	size_t from = insides->decoder->pr->buf.len;

	whole.final = true;
	if (print_table(insides->decoder->pr, &whole, first, n)) {
		insides->decoder->pr->buf.len = from;
		return NULL;
	}
	return take_text(insides, from, len);
}

/* ---- tables ---- */

void decode_table(
	struct decoded_table *insides, const struct agg_table *t, struct dtrace_table *out)
{
	struct dtrace_aggregation *aggs =
		arena_new_array(insides->decoder->arena, struct dtrace_aggregation, t->naggs + 1);

	for (uint32_t i = 0; i < t->naggs; i++)
		aggs[i] = aggregation(t->aggs[i]);
	insides->functions = (struct table_insides){decoded_row, decoded_text};
	insides->table = t;
	*out = (struct dtrace_table){
		.aggregations = aggs,
		.naggregations = t->naggs,
		.nrows = t->nrows,
		.format = t->format ? t->format->source : NULL,
		.final = t->final,
		.time = t->time,
		.insides = insides,
	};
}
