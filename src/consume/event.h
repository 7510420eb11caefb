/* SPDX-License-Identifier: Apache-2.0 */
/* event: what the consumer hands to a sink: firings of clauses and tables of aggregations. */
#ifndef CONSUME_EVENT_H
#define CONSUME_EVENT_H

#include "abi/kernel.h"
#include "abi/record.h"
#include "probe/provider.h"

/* One firing of one clause. */
struct event {
	const struct probe *probe;
	const struct rec_desc *desc;
	const void *data; /* the whole record; datum offsets count from here */
	uint32_t cpu;
};

/* One key of one or several joined aggregations; made by consume/agg.h, in printing order. */
struct agg_value {
	const struct agg_desc *desc;
	uint64_t normal; /* divide by this when shown; 1 = not normalised */
	/* count, sum, min, max: words[0]; avg: count, sum; stddev: count, sum, lo, hi */
	uint64_t words[4];
	const int64_t *buckets; /* desc->nbuckets of them, for a distribution */
	bool present;		/* false: this joined aggregation lacks the key */
};
struct agg_row {
	const void *key; /* datum offsets count from here */
	const struct agg_value *values;
	uint32_t nvalues;
};

/* The rows of printa(), or of an aggregation printed at the end. */
struct agg_table {
	const struct agg_desc *const *aggs;
	uint32_t naggs;
	const struct agg_row *rows;
	uint32_t nrows;
	const struct format *format; /* of printa(), or NULL */
	bool final;		     /* printed at the end of the session */
};

#endif
