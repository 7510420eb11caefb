/* SPDX-License-Identifier: Apache-2.0 */
/* ring: the records that the programs wrote, in the order in which they were reserved. */
#ifndef CONSUME_RING_H
#define CONSUME_RING_H

#include <stdbool.h>
#include <stddef.h>

struct dt_rec;
struct ring;

/* Map the BPF ring buffer FD (borrowed). NULL and errno on failure. */
struct ring *ring_new(int fd);
void ring_free(struct ring *r);

/*
 * Hand every record that is there to VISIT, oldest first; it returns 0 to go on, or another
 * value to stop, which is returned.  Records are consumed as they are visited.  At most MAX
 * records (0 = until empty).  Otherwise returns the number of records (>= 0).
 */
long ring_consume(struct ring *r, int (*visit)(void *arg, const struct dt_rec *rec, size_t size),
	void *arg, long max);

/* True if a quarter of the buffer or more waits: it should be consumed soon, or records are lost.
 */
bool ring_filling(const struct ring *r);

/* Returns the bytes that were consumed so far; it wraps. */
unsigned long ring_position(const struct ring *r);

/* Returns the bytes that the buffer holds, a power of two. */
size_t ring_size(const struct ring *r);

/* Returns a descriptor that poll(2) finds readable when records wait. */
int ring_fd(const struct ring *r);

#endif
