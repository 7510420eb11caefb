// SPDX-License-Identifier: Apache-2.0
/* Computes the buckets of quantize(), lquantize() and llquantize(): their numbers and bounds. */
#include "abi/aggregation.h"

#define QUANTIZE_ZERO	 63
#define QUANTIZE_BUCKETS 127

static uint32_t quantize_buckets(const struct agg_params *p)
{
	return QUANTIZE_BUCKETS;
}

static uint32_t lquantize_buckets(const struct agg_params *p)
{
	return (uint32_t)(((int64_t)p->limit - p->base) / p->step) + 2;
}

static uint32_t llquantize_buckets(const struct agg_params *p)
{
	return 2u * (p->hmag - p->lmag + 1u) * (p->steps - p->steps / p->factor) + 3;
}

static uint32_t quantize_bucket(const struct agg_params *p, int64_t v)
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
	uint32_t levels = lquantize_buckets(p) - 2;
	uint64_t level;

	if (v < p->base)
		return 0;
	level = ((uint64_t)v - (uint64_t)(int64_t)p->base) / p->step;
	return level >= levels ? levels + 1 : (uint32_t)level + 1;
}

static uint32_t llquantize_bucket(const struct agg_params *p, int64_t v)
{
	uint32_t half = (llquantize_buckets(p) - 1) / 2;
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

/* ---- the other way round ---- */

static void quantize_bounds(
	const struct agg_params *p, uint32_t bucket, int64_t *low, int64_t *high)
{
	uint32_t log =
		bucket > QUANTIZE_ZERO ? bucket - QUANTIZE_ZERO - 1 : QUANTIZE_ZERO - 1 - bucket;
	int64_t least, most;

	if (bucket == QUANTIZE_ZERO) {
		*low = *high = 0;
		return;
	}
	least = (int64_t)(1ull << log);
	most = (int64_t)((2ull << log) - 1);
	*low = bucket > QUANTIZE_ZERO ? least : -most;
	*high = bucket > QUANTIZE_ZERO ? most : -least;
	if (!bucket)
		*low = INT64_MIN;
}

static void lquantize_bounds(
	const struct agg_params *p, uint32_t bucket, int64_t *low, int64_t *high)
{
	uint32_t levels = lquantize_buckets(p) - 2;

	*low = p->base + ((int64_t)bucket - 1) * p->step;
	*high = *low + p->step - 1;
	if (!bucket)
		*low = INT64_MIN;
	else if (bucket == levels + 1)
		*high = INT64_MAX;
}

static uint64_t power(uint64_t base, uint32_t exp)
{
	uint64_t v = 1;

	while (exp--)
		v *= base; /* factor^(hmag + 1) fits: checked by the compiler */
	return v;
}

/* Returns the smallest number in bin J of those that HI is divided into. */
static uint64_t bin_start(uint64_t hi, uint16_t steps, uint32_t j)
{
	return hi >= steps ? j * (hi / steps) : (j * hi + steps - 1) / steps;
}

void agg_ll_magnitudes(const struct agg_params *p, uint32_t bucket, uint64_t *least, uint64_t *most)
{
	uint32_t half = (llquantize_buckets(p) - 1) / 2;
	uint32_t per_mag = p->steps - p->steps / p->factor, j;
	uint32_t offset = bucket > half ? bucket - half : half - bucket;
	uint64_t hi;

	if (!offset) {
		*least = 0;
		*most = power(p->factor, p->lmag) - 1;
		return;
	}
	if (offset == half) {
		*least = power(p->factor, p->hmag + 1u);
		*most = UINT64_MAX;
		return;
	}
	hi = power(p->factor, p->lmag + (offset - 1) / per_mag + 1);
	j = (offset - 1) % per_mag + p->steps / p->factor;
	*least = bin_start(hi, p->steps, j);
	/* the magnitude may begin within its first bin */
	if (*least < hi / p->factor)
		*least = hi / p->factor;
	*most = bin_start(hi, p->steps, j + 1) - 1;
}

static void llquantize_bounds(
	const struct agg_params *p, uint32_t bucket, int64_t *low, int64_t *high)
{
	uint32_t half = (llquantize_buckets(p) - 1) / 2;
	uint64_t least, most, limit = (uint64_t)INT64_MAX + (bucket < half);

	agg_ll_magnitudes(p, bucket, &least, &most);
	if (most > limit)
		most = limit;
	if (least > most) { /* between integers, or beyond all of them */
		*low = 1;
		*high = 0;
	} else if (bucket == half) {
		*low = -(int64_t)most;
		*high = (int64_t)most;
	} else {
		*low = bucket > half ? (int64_t)least : (int64_t)-most;
		*high = bucket > half ? (int64_t)most : (int64_t)-least;
	}
}

/* ---- parameters ---- */

static bool quantize_valid(const struct agg_params *p)
{
	return true;
}

static bool lquantize_valid(const struct agg_params *p)
{
	int64_t width = (int64_t)p->limit - p->base;

	return p->step && width >= p->step && width / p->step <= UINT16_MAX;
}

static bool llquantize_valid(const struct agg_params *p)
{
	uint64_t v = 1;

	if (p->factor < 2 || p->hmag < p->lmag || !p->steps)
		return false;
	for (uint32_t i = 0; i <= p->hmag; i++)
		if (__builtin_mul_overflow(v, p->factor, &v))
			return false;
	if (p->steps <= p->factor)
		return p->factor % p->steps == 0;
	v = power(p->factor, p->lmag ? p->lmag + 1u : 2);
	return p->steps % p->factor == 0 && v % p->steps == 0;
}

/* ---- by function ---- */

static const struct {
	uint32_t (*buckets)(const struct agg_params *p);
	uint32_t (*bucket)(const struct agg_params *p, int64_t v);
	void (*bounds)(const struct agg_params *p, uint32_t bucket, int64_t *low, int64_t *high);
	bool (*valid)(const struct agg_params *p);
} distributions[AGG_FUNCS] = {
#define AGGREGATION(name, params, traits, help, kind, ...) \
	AGG_IF_DISTRIBUTION(kind,                          \
		[AGG_##name] = {name##_buckets, name##_bucket, name##_bounds, name##_valid}, )
#include "abi/aggregations.def"
};

uint32_t agg_nbuckets(enum agg_func func, const struct agg_params *p)
{
	return agg_func_is_distribution(func) ? distributions[func].buckets(p) : 0;
}

uint32_t agg_bucket(enum agg_func func, const struct agg_params *p, int64_t value)
{
	return agg_func_is_distribution(func) ? distributions[func].bucket(p, value) : 0;
}

void agg_bucket_bounds(enum agg_func func, const struct agg_params *p, uint32_t bucket,
	int64_t *low, int64_t *high)
{
	*low = *high = 0;
	if (agg_func_is_distribution(func))
		distributions[func].bounds(p, bucket, low, high);
}

bool agg_params_valid(enum agg_func func, const struct agg_params *p)
{
	return !agg_func_is_distribution(func) || distributions[func].valid(p);
}
