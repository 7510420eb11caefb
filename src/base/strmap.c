// SPDX-License-Identifier: Apache-2.0
/* Maps strings to pointers, in an arena: open addressing with linear probing. */
#include "base/strmap.h"

#include <string.h>

#include "base/arena.h"

uint32_t strmap_hash_len(const char *s, size_t len)
{
	uint32_t h = 2166136261u; /* FNV-1a */

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h;
}

uint32_t strmap_hash(const char *s)
{
	return strmap_hash_len(s, strlen(s));
}

/* Returns the slot that holds KEY, or the free one where it would go. */
static uint32_t *find_slot(const struct strmap *m, const char *key)
{
	uint32_t mask = m->nslots - 1;

	for (uint32_t i = strmap_hash(key) & mask;; i = (i + 1) & mask) {
		uint32_t *slot = &m->slots[i];

		if (!*slot || !strcmp(m->entries.data[*slot - 1].key, key))
			return slot;
	}
}

static void rehash(struct arena *a, struct strmap *m)
{
	m->nslots = m->nslots ? m->nslots * 2 : 16;
	m->slots = arena_new_array(a, uint32_t, m->nslots);
	for (uint32_t i = 0; i < m->entries.len; i++)
		*find_slot(m, m->entries.data[i].key) = i + 1;
}

void *strmap_get(const struct strmap *m, const char *key)
{
	uint32_t *slot = m->nslots ? find_slot(m, key) : NULL;

	return slot && *slot ? m->entries.data[*slot - 1].value : NULL;
}

void strmap_put(struct arena *a, struct strmap *m, const char *key, void *value)
{
	uint32_t *slot;

	if (m->entries.len * 2 >= m->nslots)
		rehash(a, m);
	slot = find_slot(m, key);
	if (!*slot) {
		struct strmap_entry *e = vec_add(a, &m->entries);

		e->key = key;
		*slot = m->entries.len;
	}
	m->entries.data[*slot - 1].value = value;
}
