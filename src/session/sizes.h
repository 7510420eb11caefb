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

/*
 * Halve the largest buffer, after the kernel ran out of memory.  KEEPS_STACKS: the programs have a
 * table of stacks.  False: none can be halved.
 */
bool sizes_halve(struct dtrace *d, uint32_t ncpus, bool keeps_stacks);

#endif
