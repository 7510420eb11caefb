/* SPDX-License-Identifier: Apache-2.0 */
/* json_number: the numbers of packed values: seven bits a byte, the lowest first (LEB128). */
#ifndef FORMATS_JSON_NUMBER_H
#define FORMATS_JSON_NUMBER_H

#include <stdint.h>

#include "formats/json.h"

static inline void pack_number(struct buf *b, uint64_t n)
{
	for (; n > 0x7f; n >>= 7)
		put_char(b, (char)(n | 0x80));
	put_char(b, (char)n);
}

static inline uint64_t unpack_number(const char **p)
{
	uint64_t n = 0;
	unsigned shift = 0;
	unsigned char c;

	do {
		c = (unsigned char)*(*p)++;
		n |= (uint64_t)(c & 0x7f) << shift;
		shift += 7;
	} while (c & 0x80);
	return n;
}

/* Small ones of either sign are short. */
static inline void pack_signed(struct buf *b, int64_t n)
{
	pack_number(b, (uint64_t)n << 1 ^ (uint64_t)(n >> 63));
}

static inline int64_t unpack_signed(const char **p)
{
	uint64_t n = unpack_number(p);

	return (int64_t)(n >> 1 ^ -(n & 1));
}

#endif
