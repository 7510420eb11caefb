/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aggregation: the aggregating functions as the compiler, the consumer and the outputs see them.
 * The table is aggregations.def; nothing here is allocated or can fail.
 */
#ifndef ABI_AGGREGATION_H
#define ABI_AGGREGATION_H

#include <stdbool.h>
#include <stdint.h>

enum agg_func {
#define AGGREGATION(name, ...) AGG_##name,
#include "abi/aggregations.def"
	AGG_FUNCS, /* how many there are */
};

/* The ways to merge values; see aggregations.def. */
enum agg_kind { AGG_ADDS, AGG_KEEPS, AGG_DISTRIBUTION };

/* The number that a value shows. */
enum agg_result {
	AGG_SIGNED,    /* its first word; of a function that keeps one, that value */
	AGG_UNSIGNED,  /* the first word */
	AGG_MEAN,      /* words: count, sum */
	AGG_DEVIATION, /* words: count, sum, low and high half of the sum of squares */
	AGG_BUCKETS,   /* no number: a distribution */
};

/* The option that draws it: agghist, aggpack or none. */
enum agg_picture { AGG_NONE, AGG_BARS, AGG_PACK };

/* A row of aggregations.def; the columns are explained there. */
struct agg_info {
	enum agg_func func;
	const char *name;
	enum agg_kind kind;
	uint32_t increment;
	uint32_t words, unkeyed;
	int64_t empty;
	enum agg_result result;
	enum agg_picture picture;
	uint32_t public_id, classic_id;
};

#define AGG_WORDS_MAX 4 /* of any row */

extern const struct agg_info agg_infos[AGG_FUNCS];

static inline const struct agg_info *agg_info(enum agg_func func)
{
	return &agg_infos[func];
}

/* Returns the row with this number of enum dtrace_function; NULL = there is none. */
const struct agg_info *agg_public(uint32_t id);

static inline bool agg_func_is_distribution(enum agg_func func)
{
	return agg_infos[func].kind == AGG_DISTRIBUTION;
}

/* Returns the size of one CPU's value in the map, in bytes. */
static inline uint32_t agg_value_size(enum agg_func func, bool keyed)
{
	const struct agg_info *info = agg_info(func);

	return 8 * (keyed ? info->words : info->unkeyed);
}

/* True if the number shown is a signed one. */
static inline bool agg_shows_signed(const struct agg_info *info)
{
	return info->result != AGG_UNSIGNED && info->result != AGG_DEVIATION;
}

/*
 * For tables of what only some kinds have, in an AGGREGATION(): the rest of the arguments if KIND
 * is that one, else nothing.
 */
#define AGG_IF_KEEPS(kind, ...) AGG_IF_KEEPS_##kind(__VA_ARGS__)
#define AGG_IF_KEEPS_ADDS(...)
#define AGG_IF_KEEPS_KEEPS(...) __VA_ARGS__
#define AGG_IF_KEEPS_DISTRIBUTION(...)
#define AGG_IF_DISTRIBUTION(kind, ...) AGG_IF_DISTRIBUTION_##kind(__VA_ARGS__)
#define AGG_IF_DISTRIBUTION_ADDS(...)
#define AGG_IF_DISTRIBUTION_KEEPS(...)
#define AGG_IF_DISTRIBUTION_DISTRIBUTION(...) __VA_ARGS__

/* ---- distributions ---- */

/* The constant parameters of a distribution; unused ones are 0. */
struct agg_params {
	int32_t base, limit;	     /* lquantize */
	uint16_t step;		     /* lquantize */
	uint16_t factor, lmag, hmag; /* llquantize */
	uint16_t steps;		     /* llquantize */
};

/*
 * Buckets, from 0 to agg_nbuckets() - 1 (d-builtins, distribution buckets):
 * quantize: 127, number 63 holds 0; lquantize: levels + 2; llquantize: the memory order of its
 * bins.  Other functions have none.
 */
uint32_t agg_nbuckets(enum agg_func func, const struct agg_params *p);

/* Returns the bucket of VALUE, as the programs compute it; tests/unit/test_rt.c compares them. */
uint32_t agg_bucket(enum agg_func func, const struct agg_params *p, int64_t value);

/* Computes the values that fall into BUCKET: from *LOW to *HIGH; *LOW > *HIGH if there are none. */
void agg_bucket_bounds(enum agg_func func, const struct agg_params *p, uint32_t bucket,
	int64_t *low, int64_t *high);

/*
 * Returns whether P are parameters that the compiler accepts for FUNC.  The other functions want
 * only these.
 */
bool agg_params_valid(enum agg_func func, const struct agg_params *p);

/*
 * Computes the absolute values in BUCKET of llquantize(), from *LEAST to *MOST; *LEAST > *MOST if
 * there are none between them.  They may be beyond those of 64-bit integers.
 */
void agg_ll_magnitudes(
	const struct agg_params *p, uint32_t bucket, uint64_t *least, uint64_t *most);

#endif
