// SPDX-License-Identifier: Apache-2.0
/* Grows the arrays of vectors in an arena. */
#include <string.h>

#include "base/vec.h"

#include "base/arena.h"

#define FIRST_BYTES 512 /* elements of many bytes come one by one: most such vectors stay short */

void *vec_grow(struct arena *a, void *data, uint32_t len, uint32_t *cap, size_t elem)
{
	uint32_t room = *cap		  ? *cap * 2
		: elem * 8 <= FIRST_BYTES ? 8
		: elem * 2 <= FIRST_BYTES ? 2
					  : 1;
	void *p = arena_alloc(a, (size_t)room * elem);

	if (len)
		memcpy(p, data, (size_t)len * elem);
	*cap = room;
	return p;
}
