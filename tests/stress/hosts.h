/* SPDX-License-Identifier: Apache-2.0 */
/* hosts: what the simulated hosts of a fleet and the reader of their logs have in common. */
#ifndef STRESS_HOSTS_H
#define STRESS_HOSTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define PROGRAM	    "scale" /* column prog */
#define KEYS_MOST   2000    /* of each aggregation */
#define BUCKETS	    8
#define SLOW	    4096 /* least bound of the buckets that the query of the slow end is about */
#define HOST_FORMAT "host%05u"
#define KEY_FORMAT  "key%04u"

struct settings {
	char folder[400];
	char *url; /* divided by commas */
	uint64_t hosts, first, seconds, keys, seed, rate, skew, kills, again, verbose;
};

static inline int64_t bucket_low(unsigned bucket)
{
	return 1ll << (bucket + 6);
}

/*
 * A log is a row of these, each with NROWS struct log_row after it: rows of table (enum
 * fleet_table) that the consumer handed to the sender in run RUN, and their number in the run with
 * all before it. LOG_RUN: the run has ended, and the rows of it up to number UPTO are in batches.
 */
#define LOG_RUN	  1000u
#define LOG_NEVER UINT64_MAX /* upto: the sender did not take the rows */

struct log_put {
	uint32_t table, label, nrows, pad;
	uint64_t run, upto;
};

struct log_row {
	uint16_t key, bucket;
	uint32_t n;
};

int hosts_answer(const struct settings *o);

#endif
