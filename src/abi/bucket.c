// SPDX-License-Identifier: Apache-2.0
#include "abi/record.h"

#define QUANTIZE_ZERO	 63
#define QUANTIZE_BUCKETS 127

static uint32_t quantize_bucket(int64_t v)
{
	uint64_t mag = v < 0 ? -(uint64_t)v : (uint64_t)v;
	uint32_t log;

	if (!v)
		return QUANTIZE_ZERO;
	log = 63 - (uint32_t)__builtin_clzll(mag);
	if (v > 0)
		return QUANTIZE_ZERO + 1 + log;
	return log > QUANTIZE_ZERO - 1 ? 0 : QUANTIZE_ZERO - 1 - log;
}

static uint32_t lquantize_bucket(const struct agg_params *p, int64_t v)
{
	uint32_t levels = agg_nbuckets(AGG_LQUANTIZE, p) - 2;
	uint64_t level;

	if (v < p->base)
		return 0;
	level = ((uint64_t)v - (uint64_t)(int64_t)p->base) / p->step;
	return level >= levels ? levels + 1 : (uint32_t)level + 1;
}

static uint32_t llquantize_bucket(const struct agg_params *p, int64_t v)
{
	uint32_t half = (agg_nbuckets(AGG_LLQUANTIZE, p) - 1) / 2;
	uint32_t per_mag = p->steps - p->steps / p->factor;
	uint64_t mag = v < 0 ? -(uint64_t)v : (uint64_t)v;
	uint64_t lo = 1; /* factor^k */
	uint32_t offset = half, k;

	for (k = 0; k < p->lmag; k++)
		lo *= p->factor;
	if (mag < lo)
		return half;
	for (k = p->lmag; k <= p->hmag; k++, lo *= p->factor) {
		uint64_t hi = lo * p->factor; /* does not overflow: checked by the compiler */
		uint64_t pos;

		if (mag >= hi)
			continue;
		/* position in units of the bin width hi / steps */
		pos = hi >= p->steps ? mag / (hi / p->steps) : mag * p->steps / hi;
		offset = 1 + (k - p->lmag) * per_mag + (uint32_t)pos - p->steps / p->factor;
		break;
	}
	return v < 0 ? half - offset : half + offset;
}

uint32_t agg_nbuckets(enum agg_func func, const struct agg_params *p)
{
	switch (func) {
	case AGG_QUANTIZE:
		return QUANTIZE_BUCKETS;
	case AGG_LQUANTIZE:
		return (uint32_t)(((int64_t)p->limit - p->base) / p->step) + 2;
	case AGG_LLQUANTIZE:
		return 2u * (p->hmag - p->lmag + 1u) * (p->steps - p->steps / p->factor) + 3;
	default:
		return 0;
	}
}

uint32_t agg_bucket(enum agg_func func, const struct agg_params *p, int64_t value)
{
	switch (func) {
	case AGG_QUANTIZE:
		return quantize_bucket(value);
	case AGG_LQUANTIZE:
		return lquantize_bucket(p, value);
	case AGG_LLQUANTIZE:
		return llquantize_bucket(p, value);
	default:
		return 0;
	}
}
