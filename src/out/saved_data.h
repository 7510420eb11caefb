/* SPDX-License-Identifier: Apache-2.0 */
/*
 * saved_data: values and rows of the public interface (dtrace/data.h) as the data of records and
 * aggregations, which the text output prints: the opposite of view.h.
 *
 * Everything is copied into the arena.  Running out of memory goes where the arena was told to.
 */
#ifndef OUT_SAVED_DATA_H
#define OUT_SAVED_DATA_H

#include <stdbool.h>

struct agg_desc;
struct agg_row;
struct arena;
struct datum;
struct dtrace_row;
struct dtrace_table;
struct dtrace_value;

/* Data, and the bytes that their offsets count from. */
struct saved_data {
	const struct datum *data;
	const void *base;
};

/* TYPED: the first value is that of print(), which is kept as it is and not copied. */
void saved_data(struct arena *a, const struct dtrace_value *values, unsigned n, bool typed,
	struct saved_data *out);

/* Returns the aggregations of T, without keys. */
struct agg_desc *saved_aggregations(struct arena *a, const struct dtrace_table *t);

/* Fills OUT; AGGS are those of saved_aggregations(). */
void saved_row(struct arena *a, const struct dtrace_table *t, const struct dtrace_row *row,
	const struct agg_desc *aggs, struct agg_row *out);

#endif
