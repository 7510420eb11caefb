/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intervals: what an interval of time added to an aggregation, from readings of its values, which
 * count from the start or the last clear().
 *
 * What adds up is subtracted.  min() and max() cannot be: such a key has a row only in intervals in
 * which a new extreme was reached, with that value and since when it is the extreme.  Rows whose
 * keys look alike, as the same function of two processes, are one.  The owner calls
 * intervals_fini().
 */
#ifndef FORMATS_INTERVALS_H
#define FORMATS_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rectab.h"
#include "dtrace/data.h"

struct intervals {
	enum dtrace_function function;
	struct rectab recs; /* private */
	uint32_t gen;
	uint64_t since; /* ns since 1970: the start, or the last clear() */
	bool forgot;	/* keys may be gone */
};

/* One number, or one bucket. */
struct interval_row {
	const char *key; /* text that identifies the row, LEN bytes; as given to intervals_put() */
	size_t len;
	uint64_t stack;
	int64_t low, high; /* of the bucket */
	/* count() and sum(): the value; avg(): count, sum; stddev(): these, and the low and high
	 * half of the sum of squares; min() and max(): the value; else the bucket's */
	uint64_t words[4];
	uint64_t since; /* min() and max(): ns since 1970; others: 0 */
};

/* A reading of an aggregation with FUNCTION, which began at TIME, ns since 1970. */
void intervals_init(struct intervals *iv, enum dtrace_function function, uint64_t time);
void intervals_fini(struct intervals *iv);

/* A reading: begin, one put() for each row, and an end.  put() returns 0 or -ENOMEM. */
void intervals_begin(struct intervals *iv);
int intervals_put(struct intervals *iv, const char *key, size_t len, uint64_t stack,
	const struct dtrace_agg_value *v);

/* What was added since the last reading belongs to the interval. */
void intervals_add(struct intervals *iv);

/* The reading shows what clear() or trunc() left at TIME: nothing was added. */
void intervals_forget(struct intervals *iv, uint64_t time);

/* Hands over the rows of the interval that ends, and begins the next one.  0, or what VISIT gave.
 */
int intervals_take(
	struct intervals *iv, int (*visit)(void *arg, const struct interval_row *row), void *arg);

#endif
