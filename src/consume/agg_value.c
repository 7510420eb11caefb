// SPDX-License-Identifier: Apache-2.0
/*
 * Computes with the words of an aggregation's value: merges, subtracts, and returns the number
 * shown.
 */
#include "consume/agg_value.h"

#include "abi/aggregation.h"
#include "abi/record.h"

/* GNU C's own spelling of 128-bit integers is not ISO C */
__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

/* ---- merging ---- */

/*
 * merge_NAME() of the functions that keep one value: both TO and FROM have one; true if FROM's was
 * taken.
 */
static bool merge_min(uint64_t *to, const uint64_t *from)
{
	bool less = (int64_t)from[KEPT_VALUE] < (int64_t)to[KEPT_VALUE];

	to[KEPT_COUNT] += from[KEPT_COUNT];
	if (less)
		to[KEPT_VALUE] = from[KEPT_VALUE];
	return less;
}

static bool merge_max(uint64_t *to, const uint64_t *from)
{
	bool more = (int64_t)from[KEPT_VALUE] > (int64_t)to[KEPT_VALUE];

	to[KEPT_COUNT] += from[KEPT_COUNT];
	if (more)
		to[KEPT_VALUE] = from[KEPT_VALUE];
	return more;
}

static bool (*const merges[AGG_FUNCS])(uint64_t *to, const uint64_t *from) = {
#define AGGREGATION(name, params, traits, help, kind, ...) \
	AGG_IF_KEEPS(kind, [AGG_##name] = merge_##name, )
#include "abi/aggregations.def"
};

static bool merge_kept(const struct agg_desc *d, uint64_t *to, const uint64_t *from)
{
	if (!from[KEPT_COUNT])
		return false;
	if (to[KEPT_COUNT])
		return merges[d->func](to, from);
	memcpy(to, from, agg_nwords(d) * sizeof(*to));
	return true;
}

bool agg_merge_words(const struct agg_desc *d, uint64_t *to, const uint64_t *from)
{
	const struct agg_info *info = agg_desc_info(d);
	uint32_t n = agg_nwords(d);

	if (info->kind == AGG_KEEPS)
		return merge_kept(d, to, from);
	for (uint32_t i = 0; i < n; i++)
		to[i] += from[i];
	if (info->result == AGG_DEVIATION)
		to[3] += to[2] < from[2];
	return false;
}

void agg_subtract_words(const struct agg_desc *d, uint64_t *from, const uint64_t *what)
{
	uint32_t n = agg_nwords(d);

	if (agg_desc_info(d)->result == AGG_DEVIATION)
		from[3] -= from[2] < what[2];
	for (uint32_t i = 0; i < n; i++)
		from[i] -= what[i];
}

/* ---- emptying ---- */

void agg_reset_slot(const struct agg_desc *agg, void *slot)
{
	uint64_t *words = slot;

	memset(slot, 0, agg_slot_size(agg));
	/*
	 * A program on another CPU may be between reading the count and storing it plus one; it
	 * must not make a result of a 0 that nobody gave.
	 */
	if (agg_keeps(agg))
		words[KEPT_VALUE] = (uint64_t)agg_desc_info(agg)->empty;
}

/* ---- results ---- */

static uint64_t root(u128 n)
{
	uint64_t r = 0;

	for (uint64_t bit = 1ull << 63; bit; bit >>= 1) {
		uint64_t next = r | bit;

		if ((u128)next * next <= n)
			r = next;
	}
	return r;
}

int64_t agg_normalized(int64_t n, uint64_t normal)
{
	return (int64_t)((i128)n / (i128)normal);
}

int64_t agg_avg(const struct agg_value *v)
{
	uint64_t count = v->words[0];

	if (!count)
		return 0;
	return (int64_t)((i128)(int64_t)v->words[1] / (i128)v->normal / (i128)count);
}

uint64_t agg_stddev(const struct agg_value *v)
{
	uint64_t count = v->words[0];
	i128 avg = agg_avg(v);
	u128 mean_sq, sq_mean = (u128)(avg * avg);

	if (!count)
		return 0;
	mean_sq = ((u128)v->words[3] << 64 | v->words[2]) / v->normal / count;
	/* smaller only when the sum of squares has wrapped */
	return mean_sq > sq_mean ? root(mean_sq - sq_mean) : 0;
}

int64_t agg_number(const struct agg_value *v)
{
	switch (agg_desc_info(v->desc)->result) {
	case AGG_MEAN:
		return agg_avg(v);
	case AGG_DEVIATION:
		return (int64_t)agg_stddev(v);
	default:
		return agg_normalized((int64_t)v->words[0], v->normal);
	}
}

bool agg_is_zero(const struct agg_value *v)
{
	if (!agg_is_distribution(v->desc))
		return !v->words[agg_keeps(v->desc) ? 1 : 0]; /* their value can be a 0 */
	for (uint32_t b = 0; b < v->desc->nbuckets; b++)
		if (v->buckets[b])
			return false;
	return true;
}
