/* SPDX-License-Identifier: Apache-2.0 */
/*
 * agg_value: the results that are computed from a value's words: averages and deviations, as
 * sinks show them and as sorting compares them.  Pure arithmetic; nothing is owned.
 *
 * Divisions truncate toward zero, each one singly, in 128 bits: the normalisation factor and
 * the count are unsigned 64-bit numbers, the sum is a signed one.
 */
#ifndef CONSUME_AGG_VALUE_H
#define CONSUME_AGG_VALUE_H

#include "consume/event.h"

/* Of avg() and stddev(): sum / normal / count; 0 without any update. */
int64_t agg_avg(const struct agg_value *v);

/*
 * Of stddev(): the root of (sum of squares / normal / count - average^2), average as above; the
 * factor thus divides the squares once only, as DTrace's does.
 */
uint64_t agg_stddev(const struct agg_value *v);

/*
 * The one signed number that a value of count(), sum(), min(), max(), avg() or stddev() shows,
 * normalised.  Not for distributions.
 */
int64_t agg_number(const struct agg_value *v);

/* N / NORMAL, signed, truncating; NORMAL is not 0. */
int64_t agg_normalized(int64_t n, uint64_t normal);

#endif
