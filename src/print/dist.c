// SPDX-License-Identifier: Apache-2.0
/* Prints a distribution: a line for each bucket, with a bar. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "abi/aggregation.h"
#include "consume/agg_value.h"
#include "dtrace/data.h"
#include "print/kinds.h"
#include "print/print.h"

struct dist {
	struct dist_buckets buckets;
	uint32_t first, last; /* buckets shown */
	struct bars bars;
};

void dist_buckets(const struct dtrace_agg_value *v, struct dist_buckets *out)
{
	*out = (struct dist_buckets){
		.func = agg_public(v->aggregation->function)->func,
		.params = aggregation_params(v->aggregation),
		.list = v->buckets,
		.nlist = v->nbuckets,
	};
	out->n = agg_nbuckets(out->func, &out->params);
}

static uint32_t number_of(const struct dist_buckets *d, const struct dtrace_bucket *b)
{
	return agg_bucket(d->func, &d->params, b->low);
}

int64_t dist_count(const struct dist_buckets *d, uint32_t i, unsigned *next)
{
	while (*next < d->nlist && number_of(d, &d->list[*next]) < i)
		++*next;
	return *next < d->nlist && number_of(d, &d->list[*next]) == i ? d->list[*next].count : 0;
}

/* ---- labels: the value that a bucket begins with, seen from zero ---- */

static uint32_t ll_center(const struct dist_buckets *d)
{
	return (d->n - 1) / 2;
}

/* A bin between two integers: magnitude 0 of llquantize() with more steps than integers. */
static bool is_ghost(const struct dist_buckets *d, uint32_t i)
{
	uint64_t least, most;

	if (d->func != AGG_llquantize)
		return false;
	agg_ll_magnitudes(&d->params, i, &least, &most);
	return least > most;
}

static void label_llquantize(
	const struct dist_buckets *d, uint32_t first, uint32_t i, char *out, size_t size)
{
	uint32_t center = ll_center(d);
	uint64_t least, most;

	agg_ll_magnitudes(&d->params, i, &least, &most);
	if (i != center)
		snprintf(out, size, "%s%s%" PRIu64,
			i == 0			? "<= "
				: i == d->n - 1 ? ">= "
						: "",
			i < center ? "-" : "", least);
	else if (!d->params.lmag)
		snprintf(out, size, "0");
	else
		snprintf(out, size, "%s< %" PRIu64, first < center ? "abs() " : "", most + 1);
}

static void label_quantize(
	const struct dist_buckets *d, uint32_t first, uint32_t i, char *out, size_t size)
{
	int64_t low, high;

	agg_bucket_bounds(d->func, &d->params, i, &low, &high);
	snprintf(out, size, "%" PRId64, low < 0 ? high : low);
}

static void label_lquantize(
	const struct dist_buckets *d, uint32_t first, uint32_t i, char *out, size_t size)
{
	int64_t low, high;

	agg_bucket_bounds(d->func, &d->params, i, &low, &high);
	if (i == 0)
		snprintf(out, size, "< %d", d->params.base);
	else
		snprintf(out, size, "%s%" PRId64, i == d->n - 1 ? ">= " : "", low);
}

/* ---- layout ---- */

/* Returns the bucket next to I that can hold a value, or I itself if there is none. */
static uint32_t neighbour(const struct dist_buckets *d, uint32_t i, int step)
{
	int64_t j = (int64_t)i + step;

	while (j >= 0 && j < d->n && is_ghost(d, (uint32_t)j))
		j += step;
	return j < 0 || j >= d->n ? i : (uint32_t)j;
}

/* Chooses the range of a distribution without values. */
static void empty_quantize(struct dist *d)
{
	d->first = agg_bucket(AGG_quantize, &d->buckets.params, -1);
	d->last = agg_bucket(AGG_quantize, &d->buckets.params, 1);
}

static void empty_lquantize(struct dist *d)
{
	d->first = 0;
	d->last = 2;
}

static void empty_llquantize(struct dist *d)
{
	d->first = ll_center(&d->buckets);
	d->last = neighbour(&d->buckets, neighbour(&d->buckets, d->first, 1), 1);
}

/* ---- by function ---- */

static const struct {
	void (*label)(
		const struct dist_buckets *d, uint32_t first, uint32_t i, char *out, size_t size);
	void (*empty)(struct dist *d);
} distributions[AGG_FUNCS] = {
#define AGGREGATION(name, params, traits, help, kind, ...) \
	AGG_IF_DISTRIBUTION(kind, [AGG_##name] = {label_##name, empty_##name}, )
#include "abi/aggregations.def"
};

void dist_label(const struct dist_buckets *d, uint32_t first, uint32_t i, char *text, size_t size)
{
	distributions[d->func].label(d, first, i, text, size);
}

static void measure(struct dist *d)
{
	const struct dist_buckets *b = &d->buckets;

	for (unsigned i = 0; i < b->nlist; i++)
		bars_add(&d->bars, b->list[i].count);
	if (b->nlist) {
		d->first = neighbour(b, number_of(b, &b->list[0]), -1);
		d->last = neighbour(b, number_of(b, &b->list[b->nlist - 1]), 1);
	} else {
		distributions[b->func].empty(d);
	}
}

/* What DTrace prints next to the bars: a label, a blank, an axis, a blank, a count. */
#define LABEL_COLUMNS 16
#define COUNT_COLUMNS 9
#define TITLE_COLUMNS 5 /* of "value" and "count" */

/* Columns that labels and counts need; less than DTrace's if the whole would be too wide. */
struct sides {
	uint32_t label, count;
};

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static struct sides measure_sides(const struct printer *pr, const struct dist *d, uint64_t normal)
{
	struct sides s = {TITLE_COLUMNS, TITLE_COLUMNS};
	unsigned next = 0;
	char text[32];

	if (!pr->opts.width ||
		pr->opts.width >= LABEL_COLUMNS + 2 + BAR_COLUMNS + 1 + COUNT_COLUMNS)
		return (struct sides){LABEL_COLUMNS, COUNT_COLUMNS};
	for (uint32_t i = d->first; i <= d->last; i++) {
		dist_label(&d->buckets, d->first, i, text, sizeof(text));
		s.label = larger(s.label, (uint32_t)strlen(text));
		s.count = larger(s.count,
			(uint32_t)snprintf(text, sizeof(text), "%" PRId64,
				agg_normalized(dist_count(&d->buckets, i, &next), normal)));
	}
	return s;
}

void print_distribution(struct printer *pr, const struct dtrace_agg_value *v)
{
	struct dist d = {0};
	struct sides sides;
	unsigned next = 0;
	char text[32];

	dist_buckets(v, &d.buckets);
	measure(&d);
	sides = measure_sides(pr, &d, v->normal);
	d.bars.columns = bar_columns(pr, sides.label + 3 + sides.count);
	print_bar_title(pr, "value", sides.label, d.bars.columns);
	for (uint32_t i = d.first; i <= d.last; i++) {
		int64_t n = dist_count(&d.buckets, i, &next);

		if (is_ghost(&d.buckets, i))
			continue;
		dist_label(&d.buckets, d.first, i, text, sizeof(text));
		buf_printf(&pr->buf, "%*s ", (int)sides.label, text);
		print_bar(pr, &d.bars, n);
		buf_printf(&pr->buf, " %-*" PRId64 "\n", (int)sides.count,
			agg_normalized(n, v->normal));
	}
}
