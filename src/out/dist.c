// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

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

/* ---- llquantize: which value a bucket begins with ---- */

static uint64_t power(uint64_t base, uint32_t exp)
{
	uint64_t v = 1;

	while (exp--)
		v *= base; /* factor^(hmag + 1) fits: checked by the compiler */
	return v;
}

static uint32_t ll_center(const struct agg_desc *desc)
{
	return (desc->nbuckets - 1) / 2;
}

/*
 * Where bucket I lies in its magnitude.  False for the centre and the two ends.  A magnitude k
 * has the bounds factor^k and each multiple of factor^(k+1) / steps up to factor^(k+1).
 */
static bool ll_position(const struct agg_desc *desc, uint32_t i, uint32_t *mag, uint32_t *pos)
{
	const struct agg_params *p = &desc->params;
	uint32_t per_mag = p->steps - p->steps / p->factor, center = ll_center(desc);
	uint32_t offset = i > center ? i - center : center - i;

	if (!offset || i == 0 || i == desc->nbuckets - 1)
		return false;
	*mag = p->lmag + (offset - 1) / per_mag;
	*pos = (offset - 1) % per_mag;
	return true;
}

/* A bin between two integers: magnitude 0 with more steps than integers. */
static bool ll_ghost(const struct agg_desc *desc, uint32_t i)
{
	const struct agg_params *p = &desc->params;
	uint32_t mag, pos;

	return desc->func == AGG_LLQUANTIZE && p->steps > p->factor &&
		ll_position(desc, i, &mag, &pos) && mag == 0 && pos % (p->steps / p->factor);
}

/* The bound nearer to zero of a bucket that ll_position() knows. */
static uint64_t ll_bound(const struct agg_params *p, uint32_t mag, uint32_t pos)
{
	uint64_t hi = power(p->factor, mag + 1);

	if (!pos)
		return hi / p->factor;
	if (hi < p->steps) /* bins that no integer falls into lie between those of 1, 2, ... */
		return hi / p->factor + pos / (p->steps / p->factor);
	return (p->steps / p->factor + pos) * (hi / p->steps);
}

static void ll_label(
	const struct agg_desc *desc, uint32_t first, uint32_t i, char *out, size_t size)
{
	const struct agg_params *p = &desc->params;
	uint32_t mag, pos, center = ll_center(desc);
	uint64_t low = power(p->factor, p->lmag), end = power(p->factor, p->hmag + 1u);

	if (ll_position(desc, i, &mag, &pos))
		snprintf(out, size, "%s%" PRIu64, i < center ? "-" : "", ll_bound(p, mag, pos));
	else if (i == 0)
		snprintf(out, size, "<= -%" PRIu64, end);
	else if (i != center)
		snprintf(out, size, ">= %" PRIu64, end);
	else if (p->lmag == 0)
		snprintf(out, size, "0");
	else
		snprintf(out, size, "%s< %" PRIu64, first < center ? "abs() " : "", low);
}

/* ---- the other two ---- */

static void q_label(uint32_t i, char *out, size_t size)
{
	int64_t v = 0;

	if (i > 63)
		v = INT64_C(1) << (i - 64);
	else if (i < 63)
		v = -(INT64_C(1) << (62 - i));
	snprintf(out, size, "%" PRId64, v);
}

static void lq_label(const struct agg_desc *desc, uint32_t i, char *out, size_t size)
{
	const struct agg_params *p = &desc->params;
	int64_t low = p->base + ((int64_t)i - 1) * p->step;

	if (i == 0)
		snprintf(out, size, "< %d", p->base);
	else
		snprintf(out, size, "%s%" PRId64, i == desc->nbuckets - 1 ? ">= " : "", low);
}

void dist_label(const struct agg_desc *desc, uint32_t first, uint32_t i, char *text, size_t size)
{
	if (desc->func == AGG_QUANTIZE)
		q_label(i, text, size);
	else if (desc->func == AGG_LQUANTIZE)
		lq_label(desc, i, text, size);
	else
		ll_label(desc, first, i, text, size);
}

/* ---- layout ---- */

/* The bucket beside I that can hold a value, or I itself where there is none. */
static uint32_t neighbour(const struct agg_desc *desc, uint32_t i, int step)
{
	int64_t j = (int64_t)i + step;

	while (j >= 0 && j < desc->nbuckets && ll_ghost(desc, (uint32_t)j))
		j += step;
	return j < 0 || j >= desc->nbuckets ? i : (uint32_t)j;
}

static void empty_range(struct dist *d)
{
	const struct agg_desc *desc = d->desc;

	if (desc->func == AGG_QUANTIZE) {
		d->first = 62;
		d->last = 64;
	} else if (desc->func == AGG_LQUANTIZE) {
		d->first = 0;
		d->last = 2;
	} else {
		d->first = ll_center(desc);
		d->last = neighbour(desc, neighbour(desc, d->first, 1), 1);
	}
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
		empty_range(d);
	}
}

void print_distribution(struct printer *pr, const struct agg_value *v)
{
	struct dist d = {.v = v, .desc = v->desc};
	char text[32];

	measure(&d);
	print_bar_title(pr, "value", 16);
	for (uint32_t i = d.first; i <= d.last; i++) {
		int64_t n = bucket_count(&d, i);

		if (ll_ghost(d.desc, i))
			continue;
		dist_label(d.desc, d.first, i, text, sizeof(text));
		buf_printf(&pr->buf, "%16s ", text);
		print_bar(pr, &d.bars, n);
		buf_printf(&pr->buf, " %-9" PRId64 "\n", agg_normalized(n, v->normal));
	}
}
