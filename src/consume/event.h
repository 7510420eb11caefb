/* SPDX-License-Identifier: Apache-2.0 */
/* event: the input of sinks: firings of clauses and tables of aggregations. */
#ifndef CONSUME_EVENT_H
#define CONSUME_EVENT_H

#include <string.h>

#include "abi/record.h"
#include "probe/probe.h"

/* One firing of one clause. */
struct event {
	const struct probe *probe;
	const struct rec_desc *desc;
	const void *data; /* the whole record; datum offsets count from here */
	uint32_t cpu;
	bool continued; /* not the first record of the clause in this firing */
};

/* True if action number I of the event ran; data of one that did not are not there. */
static inline bool event_ran(const struct event *ev, uint32_t i)
{
	const unsigned char *words = (const unsigned char *)ev->data + ev->desc->ran;
	uint64_t word;

	if (!ev->desc->conditional)
		return true;
	memcpy(&word, words + i / 64 * sizeof(word), sizeof(word));
	return word >> i % 64 & 1;
}

/* The value of one key of one aggregation. consume/agg_value.h computes what it shows. */
struct agg_value {
	const struct agg_desc *desc;
	uint64_t normal; /* divide by this when shown; 1 = not normalised */
	/*
	 * count, sum: words[0]; avg: count, sum; stddev: count, sum, lo, hi;
	 * min, max: value, count.  Count 0 after clear(): the value is INT64_MAX or INT64_MIN.
	 */
	uint64_t words[4];
	const int64_t *buckets; /* desc->nbuckets of them, for a distribution */
	bool present; /* false: this joined aggregation lacks the key; all words and buckets are 0
		       */
	uint32_t ncpus;
	const struct agg_value *cpus; /* the value on each CPU, if they were asked for, or NULL */
};

/* What %@r and %@R print of a value of count() or sum(), in percent of the total. */
struct agg_share {
	int64_t total; /* of all rows, also those that option aggrows leaves out */
	int64_t upto;  /* the sum of the values up to this row, in printing order */
};

/* One key of one or several joined aggregations; made by consume/agg_table.h, in printing order. */
struct agg_row {
	const void *key; /* datum offsets count from here */
	/* whose keys[] lay KEY out: joined aggregations may store equal keys differently */
	const struct agg_desc *desc;
	const struct agg_value *values; /* one an aggregation of the table */
	uint32_t nvalues;
	const struct agg_share *shares; /* one a value, if the format prints any, or NULL */
};

/* The rows of printa(), or of an aggregation printed at the end. */
struct agg_table {
	const struct agg_desc *const *aggs;
	uint32_t naggs;
	const struct agg_row *rows;
	uint32_t nrows;
	const struct format *format; /* of printa(), or NULL */
	uint64_t time;		     /* when it was read, ns since 1970 */
	bool final;		     /* printed at the end of the session */
};

#endif
