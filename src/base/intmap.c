// SPDX-License-Identifier: Apache-2.0
/* Maps integers to integers or pointers: open addressing with linear probing. */
#include "base/intmap.h"

#include <errno.h>
#include <stdlib.h>

#include "base/arena.h"

#define FIRST_SLOTS 16

static uint32_t home_of(const struct intmap *m, uint64_t key)
{
	/* multiplying by 2^64 / golden ratio spreads the key over the upper half */
	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (m->nslots - 1);
}

/* Returns the slot that holds KEY, or the free one where it belongs. */
static struct intmap_slot *slot_for(const struct intmap *m, uint64_t key)
{
	uint32_t i = home_of(m, key);

	while (m->slots[i].used && m->slots[i].key != key)
		i = (i + 1) & (m->nslots - 1);
	return &m->slots[i];
}

static int grow(struct intmap *m)
{
	struct intmap old = *m;

	if (old.nslots > UINT32_MAX / 2)
		return -ENOMEM;
	m->nslots = old.nslots ? old.nslots * 2 : FIRST_SLOTS;
	if (m->arena)
		m->slots = arena_new_array(m->arena, struct intmap_slot, m->nslots);
	else
		m->slots = calloc(m->nslots, sizeof(*m->slots));
	if (!m->slots) {
		*m = old;
		return -ENOMEM;
	}
	intmap_for (s, &old)
		*slot_for(m, s->key) = *s;
	if (!m->arena)
		free(old.slots);
	return 0;
}

struct intmap_slot *intmap_find(const struct intmap *m, uint64_t key)
{
	struct intmap_slot *s = m->nslots ? slot_for(m, key) : NULL;

	return s && s->used ? s : NULL;
}

void *intmap_get_ptr(const struct intmap *m, uint64_t key)
{
	struct intmap_slot *s = intmap_find(m, key);

	return s ? s->ptr : NULL;
}

/* Returns the slot of KEY, made if it is new; NULL without memory. */
static struct intmap_slot *slot_add(struct intmap *m, uint64_t key)
{
	struct intmap_slot *s = intmap_find(m, key);

	if (s)
		return s;
	if (m->len >= m->nslots / 2 && grow(m))
		return NULL;
	s = slot_for(m, key);
	s->key = key;
	s->used = true;
	m->len++;
	return s;
}

int intmap_put(struct intmap *m, uint64_t key, uint64_t value)
{
	struct intmap_slot *s = slot_add(m, key);

	if (!s)
		return -ENOMEM;
	s->value = value;
	return 0;
}

int intmap_put_ptr(struct intmap *m, uint64_t key, void *ptr)
{
	struct intmap_slot *s = slot_add(m, key);

	if (!s)
		return -ENOMEM;
	s->ptr = ptr;
	return 0;
}

/* Frees slot I and moves back those after it that a search would no longer reach. */
static void slot_remove(struct intmap *m, uint32_t i)
{
	uint32_t mask = m->nslots - 1;

	for (uint32_t k = (i + 1) & mask; m->slots[k].used; k = (k + 1) & mask) {
		/* a key may move to I if I is between its home and where it is */
		if (((k - home_of(m, m->slots[k].key)) & mask) < ((k - i) & mask))
			continue;
		m->slots[i] = m->slots[k];
		i = k;
	}
	m->slots[i] = (struct intmap_slot){0};
	m->len--;
}

void *intmap_remove(struct intmap *m, uint64_t key)
{
	struct intmap_slot *s = intmap_find(m, key);
	void *ptr = s ? s->ptr : NULL;

	if (s)
		slot_remove(m, (uint32_t)(s - m->slots));
	return ptr;
}

struct intmap_slot *intmap_next(const struct intmap *m, const struct intmap_slot *s)
{
	for (uint32_t i = s ? (uint32_t)(s - m->slots) + 1 : 0; i < m->nslots; i++)
		if (m->slots[i].used)
			return &m->slots[i];
	return NULL;
}

void intmap_filter(
	struct intmap *m, bool (*keep)(void *arg, const struct intmap_slot *s), void *arg)
{
	uint32_t mask = m->nslots - 1, first = 0;

	if (!m->nslots)
		return;
	/* begins at a free slot: no key moves from the slots before it to those after it */
	while (m->slots[first].used)
		first++;
	for (uint32_t n = 0; n < m->nslots; n++) {
		uint32_t i = (first + n) & mask;

		while (m->slots[i].used && !keep(arg, &m->slots[i]))
			slot_remove(m, i);
	}
}

void intmap_free(struct intmap *m)
{
	if (!m->arena)
		free(m->slots);
	*m = (struct intmap){.arena = m->arena};
}
