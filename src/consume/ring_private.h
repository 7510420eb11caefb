/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring_private: the inside of a ring, apart so that a test can make one of its own memory.
 *
 * The memory of a BPF ring buffer, as Documentation/bpf/ringbuf.rst and the comment in
 * kernel/bpf/ringbuf.c lay it out:
 *   page 0         the consumer position, which user space may write
 *   page 1         the producer position, read-only
 *   then the data  read-only and mapped twice in a row, so that no record is ever split
 * Positions only grow; data are found at their low bits.  A record is 8 bytes of header,
 * its data, and padding to a multiple of 8.
 *
 * The kernel maps every page at once when it is asked to, which for 8 MiB, twice, takes over a
 * millisecond to make and undo and counts as 16 MiB resident.  So only a window of the data is
 * mapped, from the first record on, and moved to where the next record is.
 */
#ifndef CONSUME_RING_PRIVATE_H
#define CONSUME_RING_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

struct ring_header {
	uint32_t len; /* with BPF_RINGBUF_BUSY_BIT and BPF_RINGBUF_DISCARD_BIT */
	uint32_t page;
};

struct ring {
	int fd;
	size_t page, size; /* of the data, a power of two */
	unsigned long *consumer;
	const unsigned long *producer;
	const char *data; /* the window: LEN bytes from FROM in the data laid out twice */
	size_t from, len;
};

#endif
