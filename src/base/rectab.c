// SPDX-License-Identifier: Apache-2.0
/* A hash table of records: open addressing over numbers of records. */
#include "base/rectab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/heapvec.h"
#include "base/invariant.h"

#define FIRST_SLOTS 128

void rectab_init(struct rectab *t, uint32_t key_len, uint32_t payload)
{
	memset(t, 0, sizeof(*t));
	t->key_len = key_len;
	t->payload = payload;
	INVARIANT(payload % 8 == 0);
	t->stride = ((size_t)payload + key_len + 7) & ~(size_t)7;
	if (!t->stride)
		t->stride = 8;
}

void rectab_fini(struct rectab *t)
{
	free(t->recs);
	free(t->slots);
	memset(t, 0, sizeof(*t));
}

static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15ull; /* 2^64 / golden ratio */
	return h ^ h >> 29;
}

uint64_t rectab_hash(const void *data, size_t len)
{
	const char *p = data;
	uint64_t h = len, word;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&word, p, 8);
		h = mix(h, word);
	}
	word = 0;
	memcpy(&word, p, len);
	h = mix(h, word);
	h *= 0xbf58476d1ce4e5b9ull; /* a finalizer of the splitmix64 generator */
	return h ^ h >> 32;
}

static void slots_add(uint64_t *slots, uint32_t nslots, uint64_t hash, uint32_t rec)
{
	uint32_t i = (uint32_t)hash & (nslots - 1);

	while (slots[i])
		i = (i + 1) & (nslots - 1);
	slots[i] = (hash >> 32) << 32 | (rec + 1u);
}

static void slots_fill(const struct rectab *t, uint64_t *slots, uint32_t nslots)
{
	for (uint32_t i = 0; i < t->n; i++)
		slots_add(slots, nslots, rectab_hash(rectab_key(t, i), t->key_len), i);
}

static int rectab_grow(struct rectab *t)
{
	if (t->n == t->cap) {
		char *recs = heapvec_grow(t->recs, &t->cap, (uint64_t)t->n + 1, t->stride);

		if (!recs)
			return -ENOMEM;
		t->recs = recs;
	}
	if (t->nslots < 2 * (uint64_t)t->n + 2) {
		uint32_t nslots = t->nslots ? t->nslots * 2 : FIRST_SLOTS;
		uint64_t *slots = nslots ? calloc(nslots, sizeof(*slots)) : NULL;

		if (!slots)
			return -ENOMEM;
		slots_fill(t, slots, nslots);
		free(t->slots);
		t->slots = slots;
		t->nslots = nslots;
	}
	return 0;
}

static int64_t find_record(const struct rectab *t, const void *key, uint64_t hash)
{
	if (!t->nslots)
		return -ENOENT;
	for (uint32_t i = (uint32_t)hash & (t->nslots - 1); t->slots[i];
		i = (i + 1) & (t->nslots - 1)) {
		uint32_t rec = (uint32_t)t->slots[i] - 1;

		INVARIANT(rec < t->n);
		if (t->slots[i] >> 32 == hash >> 32 && !memcmp(rectab_key(t, rec), key, t->key_len))
			return rec;
	}
	return -ENOENT;
}

int64_t rectab_find(const struct rectab *t, const void *key)
{
	return find_record(t, key, rectab_hash(key, t->key_len));
}

int64_t rectab_put(struct rectab *t, const void *key)
{
	uint64_t hash = rectab_hash(key, t->key_len);
	int64_t at = find_record(t, key, hash);
	char *rec;
	int err;

	if (at >= 0)
		return at;
	err = rectab_grow(t);
	if (err)
		return err;
	rec = rectab_rec(t, t->n);
	memset(rec, 0, t->stride);
	memcpy(rec + t->payload, key, t->key_len);
	slots_add(t->slots, t->nslots, hash, t->n);
	return t->n++;
}

void rectab_filter(struct rectab *t, bool (*keep)(void *arg, void *rec), void *arg)
{
	uint32_t all = t->n, n = 0;

	for (uint32_t i = 0; i < all; i++) {
		bool kept = keep(arg, rectab_rec(t, i));

		INVARIANT(t->n == all); /* KEEP has not added a record */
		if (!kept)
			continue;
		if (n != i)
			memcpy(rectab_rec(t, n), rectab_rec(t, i), t->stride);
		n++;
	}
	if (n == all)
		return;
	t->n = n;
	memset(t->slots, 0, t->nslots * sizeof(*t->slots));
	slots_fill(t, t->slots, t->nslots);
}
