/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strmap: string to pointer, in an arena, iterated in insertion order.
 *
 * Keys are borrowed: they must outlive the map.  A zeroed strmap is empty.
 */
#ifndef BASE_STRMAP_H
#define BASE_STRMAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;

struct strmap_entry {
	const char *key;
	void *value;
};

struct strmap {
	VEC(struct strmap_entry) entries;
	uint32_t *slots; /* index + 1 into entries, 0 = free; size is a power of two */
	uint32_t nslots;
};

/* Return a hash of S, or of its first LEN bytes. */
uint32_t strmap_hash(const char *s);
uint32_t strmap_hash_len(const char *s, size_t len);

/* Returns the value stored under KEY, or NULL. */
void *strmap_get(const struct strmap *m, const char *key);

/* Store VALUE under KEY, replacing what was there. */
void strmap_put(struct arena *a, struct strmap *m, const char *key, void *value);

#endif
