/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vec: a growing array in an arena.
 *
 * Declare with VEC(type) name; a zeroed one is empty.  Growing copies, so pointers to elements
 * do not survive a push.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>
#include <stdint.h>

struct arena;

#define VEC(type)                  \
	struct {                   \
		type *data;        \
		uint32_t len, cap; \
	}

void *vec_grow(struct arena *a, void *data, uint32_t len, uint32_t *cap, size_t elem);

/* Make room for one more element and return its zeroed place. */
#define vec_add(a, v)                                                                              \
	((v)->len == (v)->cap ? ((v)->data = vec_grow(                                             \
					 (a), (v)->data, (v)->len, &(v)->cap, sizeof(*(v)->data))) \
			      : 0,                                                                 \
		&(v)->data[(v)->len++])

#define vec_push(a, v, x) (*vec_add(a, v) = (x))
#define vec_last(v)	  ((v)->data[(v)->len - 1])

/* for each element: vec_for (p, &v) { use *p } */
#define vec_for(p, v) \
	for (__typeof__(&*(v)->data) p = (v)->data; p && p < (v)->data + (v)->len; p++)

#endif
