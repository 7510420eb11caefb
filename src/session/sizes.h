/* SPDX-License-Identifier: Apache-2.0 */
/* sizes: buffer sizes and rates that are more than the kernel gives; a message tells each change.
 */
#ifndef SESSION_SIZES_H
#define SESSION_SIZES_H

#include <stdbool.h>
#include <stdint.h>

struct dtrace;

/* Reduce option bufsize to the largest ring buffer for NCPUS CPUs. */
void sizes_limit(struct dtrace *d, uint32_t ncpus);

/* Say so if option cleanrate is above its limit; nothing is cleaned here. */
void sizes_limit_rates(struct dtrace *d);

/* After the kernel had too little memory: halve the largest buffer.  False: none can be. */
bool sizes_halve(struct dtrace *d, uint32_t ncpus);

#endif
