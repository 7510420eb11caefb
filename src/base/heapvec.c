// SPDX-License-Identifier: Apache-2.0
/* Grows the arrays of heap vectors. */
#include "base/heapvec.h"

#define FIRST_CAP 8

void *heapvec_grow(void *data, uint32_t *cap, uint64_t need, size_t elem)
{
	uint64_t room = *cap ? *cap : FIRST_CAP;
	size_t size;
	void *p;

	if (need > UINT32_MAX)
		return NULL;
	while (room < need)
		room *= 2;
	if (room > UINT32_MAX)
		room = UINT32_MAX;
	if (__builtin_mul_overflow((size_t)room, elem, &size))
		return NULL;
	p = realloc(data, size);
	if (p)
		*cap = (uint32_t)room;
	return p;
}
