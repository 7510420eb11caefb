/* SPDX-License-Identifier: Apache-2.0 */
/* snapshots: hands the aggregations to the outputs and consumers that want them while tracing. */
#ifndef SESSION_SNAPSHOTS_H
#define SESSION_SNAPSHOTS_H

#include <stdint.h>

struct dtrace;

/* Begin to count the intervals at NOW (CLOCK_MONOTONIC ns), and hand over when they are over. */
void snapshots_begin(struct dtrace *d, uint64_t now);

/* Hand them to all who want them, a last time. */
int snapshots_finish(struct dtrace *d);

#endif
