/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg_value: arithmetic on the words of a value: merging them, and the results that are computed
 * from them, averages and deviations, as sinks show them and as sorting compares them.  Pure
 * arithmetic; nothing is owned.
 *
 * Divisions truncate toward zero, each one singly, in 128 bits: the normalisation factor and
 * the count are unsigned 64-bit numbers, the sum is a signed one.
 */
#ifndef CONSUME_AGG_VALUE_H
#define CONSUME_AGG_VALUE_H

#include "abi/aggregation.h"
#include "abi/record.h"
#include "consume/event.h"

/* Words of a value as the maps have it (abi/kernel.h); at most AGG_WORDS_MAX. */
static inline uint32_t agg_nwords(const struct agg_desc *d)
{
	const struct agg_info *info = agg_desc_info(d);

	return d->nkeys ? info->words : info->unkeyed;
}

/* True if one of the values is kept, which makes the words those of struct dt_agg_kept. */
static inline bool agg_keeps(const struct agg_desc *d)
{
	return agg_desc_info(d)->kind == AGG_KEEPS;
}

/* The words of struct dt_agg_kept. */
enum { KEPT_COUNT, KEPT_VALUE };

/* Bytes from one CPU's value to the next, as the kernel lays them out: a multiple of 8. */
static inline uint32_t agg_slot_size(const struct agg_desc *d)
{
	return (d->value_size + 7) & ~7u;
}

/* Make SLOT of an array count as never updated: 0, or the value shown when there is none. */
void agg_reset_slot(const struct agg_desc *d, void *slot);

/* Merge FROM into TO; true if a value is kept and it is FROM's now. */
bool agg_merge_words(const struct agg_desc *d, uint64_t *to, const uint64_t *from);

static inline bool agg_merge(const struct agg_desc *d, uint64_t *to, const uint64_t *from)
{
	if (agg_nwords(d) > 1)
		return agg_merge_words(d, to, from);
	*to += *from; /* inline: it is done for each key on each CPU */
	return false;
}

/* Subtract WHAT from FROM; not if a value is kept. */
void agg_subtract_words(const struct agg_desc *d, uint64_t *from, const uint64_t *what);

static inline void agg_subtract(const struct agg_desc *d, uint64_t *from, const uint64_t *what)
{
	if (agg_nwords(d) > 1)
		agg_subtract_words(d, from, what);
	else
		*from -= *what;
}

/* Returns the average of avg() and stddev(): sum / normal / count; 0 without any update. */
int64_t agg_avg(const struct agg_value *v);

/*
 * Returns the standard deviation: the root of (sum of squares / normal / count - average^2),
 * average as above; so the factor divides the squares once only, as DTrace's does.
 */
uint64_t agg_stddev(const struct agg_value *v);

/*
 * Returns the one signed number that a value shows, normalised.  Not for distributions.
 */
int64_t agg_number(const struct agg_value *v);

/* True if nothing was added since the start or clear(), or what was added sums up to 0. */
bool agg_is_zero(const struct agg_value *v);

/* Returns N / NORMAL, signed, truncating; NORMAL is not 0. */
int64_t agg_normalized(int64_t n, uint64_t normal);

#endif
