/* SPDX-License-Identifier: Apache-2.0 */
/* snapshots: hands the aggregations to the outputs and consumers that want them while tracing. */
#ifndef SESSION_SNAPSHOTS_H
#define SESSION_SNAPSHOTS_H

#include <stdint.h>

struct dtrace;

/* Begin to count the intervals; NOW is CLOCK_MONOTONIC in ns, as below. */
void snapshots_begin(struct dtrace *d, uint64_t now);

/* Returns when the next one is due; UINT64_MAX: never. */
uint64_t snapshots_next(const struct dtrace *d);

/* Hand the aggregations to those whose interval is over.  0 or -errno, with an error in the report.
 */
int snapshots_work(struct dtrace *d, uint64_t now);

/* Hand them to all who want them, a last time. */
int snapshots_finish(struct dtrace *d);

#endif
