/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intmap: 64-bit integers to integers or pointers, in no order.
 *
 * A zeroed map is empty and grows on the heap; intmap_free() frees it.  A map whose `arena` was
 * set first grows in that arena and dies with it.  Pointers stored in a map belong to the caller.
 * A map holds values of one kind: integers or pointers.
 *
 * Nothing here aborts: without memory intmap_put() returns -ENOMEM and leaves the map as it was.
 * An arena does not return without memory, see base/arena.h.
 */
#ifndef BASE_INTMAP_H
#define BASE_INTMAP_H

#include <stdbool.h>
#include <stdint.h>

struct intmap_slot {
	uint64_t key;
	union {
		uint64_t value;
		void *ptr;
	};
	bool used;
};

struct intmap {
	struct intmap_slot *slots; /* open addressing; at most half of them are used */
	uint32_t nslots;	   /* a power of two */
	uint32_t len;		   /* keys in the map */
	struct arena *arena;	   /* NULL: the heap */
};

/* Returns the slot of KEY, valid until the next put or remove; NULL if the map lacks it. */
struct intmap_slot *intmap_find(const struct intmap *m, uint64_t key);

/* Returns the pointer under KEY; NULL if the map lacks it. */
void *intmap_get_ptr(const struct intmap *m, uint64_t key);

/* Store a value under KEY, in place of the one that was there.  0 or -ENOMEM. */
int intmap_put(struct intmap *m, uint64_t key, uint64_t value);
int intmap_put_ptr(struct intmap *m, uint64_t key, void *ptr);

/* Removes KEY; returns its pointer, for the caller to free, or NULL if the map lacks it. */
void *intmap_remove(struct intmap *m, uint64_t key);

/* Returns the slot after S in use, the first one if S is NULL; NULL after the last. */
struct intmap_slot *intmap_next(const struct intmap *m, const struct intmap_slot *s);

/*
 * Removes the slots for which KEEP returns false; KEEP sees each slot once and may free what the
 * slot points at, but not call functions on the map.
 */
void intmap_filter(
	struct intmap *m, bool (*keep)(void *arg, const struct intmap_slot *s), void *arg);

/* Frees the memory of a map on the heap; the map is empty again. */
void intmap_free(struct intmap *m);

/* for each slot in use: intmap_for (s, &m) { use s->key and s->ptr }; the map must not change. */
#define intmap_for(s, m) \
	for (struct intmap_slot *s = intmap_next((m), NULL); s; s = intmap_next((m), s))

#endif
