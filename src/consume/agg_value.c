// SPDX-License-Identifier: Apache-2.0
#include "consume/agg_value.h"

/* GNU C's own spelling of 128-bit integers is not ISO C */
__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

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
	switch (v->desc->func) {
	case AGG_AVG:
		return agg_avg(v);
	case AGG_STDDEV:
		return (int64_t)agg_stddev(v);
	default:
		return agg_normalized((int64_t)v->words[0], v->normal);
	}
}
