// SPDX-License-Identifier: Apache-2.0
/* Converts tables of aggregations, row by row, for the public interface. */
#include <dtrace/dtrace.h>

#include "abi/aggregation.h"
#include "abi/record.h"
#include "base/arena.h"
#include "consume/agg_value.h"
#include "consume/event.h"
#include "dtrace/data.h"
#include "out/print.h"
#include "out/view.h"

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

static struct dtrace_row *make_row(
	struct view *v, const struct dtrace_table *t, const struct agg_table *table, unsigned i)
{
	const struct agg_row *row = &table->rows[i];
	const struct rec_view src = {.base = row->key};
	struct dtrace_row *out = arena_new_obj(v->arena, struct dtrace_row);
	struct dtrace_value *keys =
		arena_new_array(v->arena, struct dtrace_value, row->desc->nkeys + 1);
	const struct format_args args = {
		.data = row->desc->keys,
		.ndata = row->desc->nkeys,
		.values = row->values,
		.shares = row->shares,
		.nvalues = row->nvalues,
		.src = src,
	};
	size_t from = v->pr->buf.len;

	for (uint32_t k = 0; k < row->desc->nkeys; k++)
		view_value(v, &row->desc->keys[k], &src, &keys[k]);
	out->keys = keys;
	values(v->arena, t, row, out);
	if (table->format && !print_format(v->pr, table->format, &args))
		out->text = view_text(v, from, &out->text_len);
	return out;
}

static const struct dtrace_row *view_row(const struct dtrace_table *t, unsigned i)
{
	const struct view_table *insides = t->insides;
	struct view v = {insides->row, insides->view->pr};

	arena_reset(insides->row);
	return ARENA_TRY(insides->row, make_row(&v, t, insides->table, i), NULL);
}

/* Nothing comes before a table that is final. */
static const char *table_text(struct view *v, struct agg_table *t, size_t *len)
{
	size_t from = v->pr->buf.len;

	t->final = true;
	return print_table(v->pr, t) ? NULL : view_text(v, from, len);
}

static const char *view_rows_text(
	const struct dtrace_table *t, unsigned first, unsigned n, size_t *len)
{
	const struct view_table *insides = t->insides;
	struct view v = {insides->row, insides->view->pr};
	struct agg_table part = *insides->table;

	part.rows += first;
	part.nrows = n;
	arena_reset(insides->row);
	return ARENA_TRY(insides->row, table_text(&v, &part, len), NULL);
}

/* ---- tables ---- */

void view_table(struct view_table *insides, const struct agg_table *t, struct dtrace_table *out)
{
	struct dtrace_aggregation *aggs =
		arena_new_array(insides->view->arena, struct dtrace_aggregation, t->naggs + 1);

	for (uint32_t i = 0; i < t->naggs; i++)
		aggs[i] = aggregation(t->aggs[i]);
	insides->functions = (struct table_insides){view_row, view_rows_text};
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

const struct dtrace_row *dtrace_table_row(const struct dtrace_table *t, unsigned i)
{
	const struct table_insides *insides = t->insides;

	return insides && i < t->nrows ? insides->row(t, i) : NULL;
}

const char *dtrace_table_text(const struct dtrace_table *t, unsigned first, unsigned n, size_t *len)
{
	const struct table_insides *insides = t->insides;

	if (!insides || !insides->text || first > t->nrows || n > t->nrows - first)
		return NULL;
	return insides->text(t, first, n, len);
}
