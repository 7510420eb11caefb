/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heapvec: a growing array on the heap, the twin of base/vec.h.
 *
 * Declare with HEAPVEC(type) name; a zeroed one is empty.  The array belongs to the vector, and
 * heapvec_free() frees it; what its elements point at belongs to the caller.  Growing moves the
 * elements, so pointers to them are valid until the next call that can grow.  vec_for() and
 * vec_last() of base/vec.h work on it.
 *
 * Nothing here aborts: without memory a call returns -ENOMEM (heapvec_add(): NULL) and leaves the
 * vector as it was.  A vector holds at most UINT32_MAX elements; more are refused in the same way.
 */
#ifndef BASE_HEAPVEC_H
#define BASE_HEAPVEC_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define HEAPVEC(type) VEC(type)

/* Declares struct TAG, a vector that functions can take: HEAPVEC_STRUCT(pages, uint32_t); */
#define HEAPVEC_STRUCT(tag, type)  \
	struct tag {               \
		type *data;        \
		uint32_t len, cap; \
	}

/*
 * For the macros below, and for elements of a size that is not a constant: returns DATA, moved if
 * necessary, with room for at least NEED elements of ELEM bytes, and stores how many fit in *CAP.
 * Returns NULL without memory; DATA stays valid.
 */
void *heapvec_grow(void *data, uint32_t *cap, uint64_t need, size_t elem);

/* Makes room for N elements in all; the length does not change.  0 or -ENOMEM. */
#define heapvec_reserve(v, n)                                                             \
	({                                                                                \
		__typeof__(v) hv_r = (v);                                                 \
		uint64_t hv_n = (n);                                                      \
		void *hv_p = hv_r->data;                                                  \
		if (hv_n > hv_r->cap)                                                     \
			hv_p = heapvec_grow(hv_p, &hv_r->cap, hv_n, sizeof(*hv_r->data)); \
		if (hv_p)                                                                 \
			hv_r->data = hv_p;                                                \
		hv_n > hv_r->cap ? -ENOMEM : 0;                                           \
	})

/* Adds an element and returns its zeroed place; NULL without memory. */
#define heapvec_add(v)                                                             \
	({                                                                         \
		__typeof__(v) hv_a = (v);                                          \
		__typeof__(hv_a->data) hv_e = NULL;                                \
		if (!heapvec_reserve(hv_a, (uint64_t)hv_a->len + 1))               \
			hv_e = memset(&hv_a->data[hv_a->len++], 0, sizeof(*hv_e)); \
		hv_e;                                                              \
	})

/* Adds the value that follows V, which may be a compound literal.  0 or -ENOMEM. */
#define heapvec_push(v, ...)                                                 \
	({                                                                   \
		__typeof__(v) hv_v = (v);                                    \
		int hv_err = heapvec_reserve(hv_v, (uint64_t)hv_v->len + 1); \
		if (!hv_err)                                                 \
			hv_v->data[hv_v->len++] = (__VA_ARGS__);             \
		hv_err;                                                      \
	})

/* Makes the length at least N; the new elements are zeroed.  0 or -ENOMEM. */
#define heapvec_extend(v, n)                                                \
	({                                                                  \
		__typeof__(v) hv_x = (v);                                   \
		uint64_t hv_to = (n);                                       \
		int hv_failed = heapvec_reserve(hv_x, hv_to);               \
		if (!hv_failed && hv_to > hv_x->len) {                      \
			memset(hv_x->data + hv_x->len, 0,                   \
				(hv_to - hv_x->len) * sizeof(*hv_x->data)); \
			hv_x->len = (uint32_t)hv_to;                        \
		}                                                           \
		hv_failed;                                                  \
	})

/* Frees the array; the vector is empty again. */
#define heapvec_free(v)                  \
	do {                             \
		free((v)->data);         \
		(v)->data = NULL;        \
		(v)->len = (v)->cap = 0; \
	} while (0)

#endif
