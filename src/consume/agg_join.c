// SPDX-License-Identifier: Apache-2.0
#include "consume/agg_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Rows found so far, by the hash of their key. */
struct index {
	uint64_t *slots; /* high half of the hash << 32 | number + 1; 0 = free */
	uint64_t nslots; /* a power of two */
	bool same_sizes;
};

static bool same_sizes(const struct agg_desc *const *descs, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		for (uint32_t k = 0; k < descs[0]->nkeys; k++)
			if (descs[i]->keys[k].size != descs[0]->keys[k].size)
				return false;
	return true;
}

/* The number of the row with R's key; a new one is put at the end. */
static uint32_t index_row(
	const struct aggs *a, struct index *ix, struct rows *out, const struct agg_row *r)
{
	uint64_t hash = key_hash(a, r, ix->same_sizes);
	uint64_t i = hash & (ix->nslots - 1);

	for (; ix->slots[i]; i = (i + 1) & (ix->nslots - 1)) {
		uint32_t at = (uint32_t)ix->slots[i] - 1;

		if (ix->slots[i] >> 32 == hash >> 32 && !key_compare(a, &out->row[at], r, 0))
			return at;
	}
	ix->slots[i] = (hash >> 32) << 32 | (out->n + 1u);
	out->row[out->n].key = r->key;
	out->row[out->n].desc = r->desc;
	return out->n++;
}

/* Row AT is new: no aggregation has a value in it yet. */
static void row_init(struct rows *out, uint32_t at, const struct rows *parts,
	const struct agg_desc *const *descs, uint32_t n)
{
	struct agg_value *v = out->values + (size_t)at * n;

	out->row[at].values = v;
	out->row[at].nvalues = n;
	for (uint32_t k = 0; k < n; k++)
		v[k] = (struct agg_value){.desc = descs[k],
			/* every value of an aggregation has the same factor */
			.normal = parts[k].n ? parts[k].values[0].normal : 1,
			.buckets = agg_is_distribution(descs[k]) ? out->buckets : NULL};
}

int rows_join(struct aggs *a, const struct rows *parts, const struct agg_desc *const *descs,
	uint32_t n, struct rows *out)
{
	struct index ix = {.nslots = 64, .same_sizes = same_sizes(descs, n)};
	size_t total = 0;
	uint32_t nbuckets = 1;

	memset(out, 0, sizeof(*out));
	for (uint32_t i = 0; i < n; i++) {
		total += parts[i].n;
		if (descs[i]->nbuckets > nbuckets)
			nbuckets = descs[i]->nbuckets;
	}
	while (ix.nslots < 2 * total)
		ix.nslots *= 2;
	ix.slots = calloc(ix.nslots, sizeof(*ix.slots));
	out->row = calloc(total + 1, sizeof(*out->row));
	out->values = calloc(total * n + 1, sizeof(*out->values));
	out->buckets = calloc(nbuckets, sizeof(*out->buckets));
	if (!ix.slots || !out->row || !out->values || !out->buckets) {
		free(ix.slots);
		rows_free(out);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < parts[i].n; k++) {
			uint32_t before = out->n;
			uint32_t at = index_row(a, &ix, out, &parts[i].row[k]);

			if (at == before)
				row_init(out, at, parts, descs, n);
			out->values[(size_t)at * n + i] = parts[i].row[k].values[0];
		}
	free(ix.slots);
	return 0;
}
