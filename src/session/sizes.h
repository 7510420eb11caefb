/* SPDX-License-Identifier: Apache-2.0 */
/* sizes: reduces buffer sizes and rates that the kernel cannot give, with a message for each.
 */
#ifndef SESSION_SIZES_H
#define SESSION_SIZES_H

#include <stdbool.h>
#include <stdint.h>

struct dtrace;

/* Reduce option bufsize to the largest ring buffer for NCPUS CPUs. */
void sizes_limit(struct dtrace *d, uint32_t ncpus);

/* Report that option cleanrate is above its limit.  The option has no other effect. */
void sizes_limit_rates(struct dtrace *d);

/* The buffers of programs that do not fit into memory. */
struct sizes_used {
	uint32_t ncpus;
	bool limited;	   /* it is a user's limit, for which maps count in full from the start */
	bool stacks;	   /* there is a table of stacks */
	bool aggregations; /* there are some */
	bool walks;	   /* there are tables that user stacks are found by */
};

/*
 * Halve the largest of these buffers, and say so, unless it is for a limit.  False: none can be
 * halved.
 */
bool sizes_halve(struct dtrace *d, const struct sizes_used *used);

/* Note the sizes that can be halved; tell of those that were since then. */
#define SIZES 5
void sizes_note(struct dtrace *d, int64_t before[SIZES]);
void sizes_tell(struct dtrace *d, const int64_t before[SIZES]);

#endif
