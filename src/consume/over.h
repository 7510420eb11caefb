/* SPDX-License-Identifier: Apache-2.0 */
/*
 * over: the records in the buffers of bufpolicy=ring (struct dt_over in abi/kernel.h), read once
 * when nothing fires any more.
 */
#ifndef CONSUME_OVER_H
#define CONSUME_OVER_H

#include <stddef.h>
#include <stdint.h>

struct dt_rec;

/* The buffers: their maps (borrowed), and bytes of one, of a chunk and of a chunk's map value. */
struct over {
	int fd, heads;
	uint32_t size, chunk, value;
};

/*
 * Hand every complete record that was not written over to VISIT, by time.  VISIT returns 0 to go
 * on, or another value to stop, which is returned.  Otherwise 0 or a negative errno.
 */
int over_read(const struct over *o, int (*visit)(void *arg, const struct dt_rec *rec, size_t size),
	void *arg);

#endif
