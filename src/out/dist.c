// SPDX-License-Identifier: Apache-2.0
/* Prints a distribution: a line for each bucket, with a bar. */
#include <inttypes.h>
#include <string.h>

#include "abi/aggregation.h"
#include "consume/agg_value.h"
#include "out/print.h"

struct dist {
	const struct agg_value *v;
	const struct agg_desc *desc;
	uint32_t first, last; /* buckets shown */
	struct bars bars;
};

static int64_t bucket_count(const struct dist *d, uint32_t i)
{
	return d->v->buckets[i];
}

/* ---- labels: the value that a bucket begins with, seen from zero ---- */

static uint32_t ll_center(const struct agg_desc *desc)
{
	return (desc->nbuckets - 1) / 2;
}

/* A bin between two integers: magnitude 0 of llquantize() with more steps than integers. */
static bool is_ghost(const struct agg_desc *desc, uint32_t i)
{
	uint64_t least, most;

	if (desc->func != AGG_llquantize)
		return false;
	agg_ll_magnitudes(&desc->params, i, &least, &most);
	return least > most;
}

static void label_llquantize(
	const struct agg_desc *desc, uint32_t first, uint32_t i, char *out, size_t size)
{
	uint32_t center = ll_center(desc);
	uint64_t least, most;

	agg_ll_magnitudes(&desc->params, i, &least, &most);
	if (i != center)
		snprintf(out, size, "%s%s%" PRIu64,
			i == 0				  ? "<= "
				: i == desc->nbuckets - 1 ? ">= "
							  : "",
			i < center ? "-" : "", least);
	else if (!desc->params.lmag)
		snprintf(out, size, "0");
	else
		snprintf(out, size, "%s< %" PRIu64, first < center ? "abs() " : "", most + 1);
}

static void label_quantize(
	const struct agg_desc *desc, uint32_t first, uint32_t i, char *out, size_t size)
{
	int64_t low, high;

	agg_bucket_bounds(desc->func, &desc->params, i, &low, &high);
	snprintf(out, size, "%" PRId64, low < 0 ? high : low);
}

static void label_lquantize(
	const struct agg_desc *desc, uint32_t first, uint32_t i, char *out, size_t size)
{
	int64_t low, high;

	agg_bucket_bounds(desc->func, &desc->params, i, &low, &high);
	if (i == 0)
		snprintf(out, size, "< %d", desc->params.base);
	else
		snprintf(out, size, "%s%" PRId64, i == desc->nbuckets - 1 ? ">= " : "", low);
}

/* ---- layout ---- */

/* Returns the bucket next to I that can hold a value, or I itself if there is none. */
static uint32_t neighbour(const struct agg_desc *desc, uint32_t i, int step)
{
	int64_t j = (int64_t)i + step;

	while (j >= 0 && j < desc->nbuckets && is_ghost(desc, (uint32_t)j))
		j += step;
	return j < 0 || j >= desc->nbuckets ? i : (uint32_t)j;
}

/* Chooses the range of a distribution without values. */
static void empty_quantize(struct dist *d)
{
	d->first = agg_bucket(AGG_quantize, &d->desc->params, -1);
	d->last = agg_bucket(AGG_quantize, &d->desc->params, 1);
}

static void empty_lquantize(struct dist *d)
{
	d->first = 0;
	d->last = 2;
}

static void empty_llquantize(struct dist *d)
{
	d->first = ll_center(d->desc);
	d->last = neighbour(d->desc, neighbour(d->desc, d->first, 1), 1);
}

/* ---- by function ---- */

static const struct {
	void (*label)(
		const struct agg_desc *desc, uint32_t first, uint32_t i, char *out, size_t size);
	void (*empty)(struct dist *d);
} distributions[AGG_FUNCS] = {
#define AGGREGATION(name, params, traits, help, kind, ...) \
	AGG_IF_DISTRIBUTION(kind, [AGG_##name] = {label_##name, empty_##name}, )
#include "abi/aggregations.def"
};

void dist_label(const struct agg_desc *desc, uint32_t first, uint32_t i, char *text, size_t size)
{
	distributions[desc->func].label(desc, first, i, text, size);
}

static void measure(struct dist *d)
{
	bool any = false;

	for (uint32_t i = 0; i < d->desc->nbuckets; i++) {
		int64_t n = bucket_count(d, i);

		if (!n)
			continue;
		if (!any)
			d->first = i;
		d->last = i;
		any = true;
		bars_add(&d->bars, n);
	}
	if (any) {
		d->first = neighbour(d->desc, d->first, -1);
		d->last = neighbour(d->desc, d->last, 1);
	} else {
		distributions[d->desc->func].empty(d);
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

static struct sides measure_sides(const struct printer *pr, const struct dist *d)
{
	struct sides s = {TITLE_COLUMNS, TITLE_COLUMNS};
	char text[32];

	if (!pr->opts.width ||
		pr->opts.width >= LABEL_COLUMNS + 2 + BAR_COLUMNS + 1 + COUNT_COLUMNS)
		return (struct sides){LABEL_COLUMNS, COUNT_COLUMNS};
	for (uint32_t i = d->first; i <= d->last; i++) {
		uint32_t n;

		dist_label(d->desc, d->first, i, text, sizeof(text));
		n = (uint32_t)strlen(text);
		s.label = n > s.label ? n : s.label;
		n = (uint32_t)snprintf(text, sizeof(text), "%" PRId64,
			agg_normalized(bucket_count(d, i), d->v->normal));
		s.count = n > s.count ? n : s.count;
	}
	return s;
}

void print_distribution(struct printer *pr, const struct agg_value *v)
{
	struct dist d = {.v = v, .desc = v->desc};
	struct sides sides;
	char text[32];

	measure(&d);
	sides = measure_sides(pr, &d);
	d.bars.columns = bar_columns(pr, sides.label + 3 + sides.count);
	print_bar_title(pr, "value", sides.label, d.bars.columns);
	for (uint32_t i = d.first; i <= d.last; i++) {
		int64_t n = bucket_count(&d, i);

		if (is_ghost(d.desc, i))
			continue;
		dist_label(d.desc, d.first, i, text, sizeof(text));
		buf_printf(&pr->buf, "%*s ", (int)sides.label, text);
		print_bar(pr, &d.bars, n);
		buf_printf(&pr->buf, " %-*" PRId64 "\n", (int)sides.count,
			agg_normalized(n, v->normal));
	}
}
