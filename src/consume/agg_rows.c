// SPDX-License-Identifier: Apache-2.0
#include "consume/agg_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NO_ROW UINT32_MAX

void rows_free(struct rows *r)
{
	tab_fini(&r->keys);
	free(r->row);
	free(r->values);
	free(r->cpus);
	free(r->buckets);
	memset(r, 0, sizeof(*r));
}

void rows_joined(struct rows *r)
{
	free(r->row);
	free(r->values);
	r->row = NULL;
	r->values = NULL;
}

/* ---- which row a map key is in ---- */

/* Every key is a row of its own. */
static void number_each(struct agg_state *s, struct rows *out)
{
	for (uint32_t i = 0; i < s->raw.n; i++) {
		struct raw *r = tab_rec(&s->raw, i);

		r->row = r->removed ? NO_ROW : out->n++;
	}
}

/* Keys that become equal without their bucket number, and rewritten, share a row. */
static int number_merged(struct aggs *a, struct agg_state *s, struct rows *out)
{
	uint32_t len = key_len(s->desc);
	char *key = malloc(len + 1);
	int err = key ? 0 : -ENOMEM;

	tab_init(&out->keys, len, 0);
	for (uint32_t i = 0; i < s->raw.n && !err; i++) {
		struct raw *r = tab_rec(&s->raw, i);
		int64_t at;

		r->row = NO_ROW;
		if (r->removed)
			continue;
		memcpy(key, tab_key(&s->raw, i), len);
		err = key_rewrite(a, s->desc, key);
		if (err)
			break;
		at = tab_put(&out->keys, key);
		if (at < 0)
			err = (int)at;
		else
			r->row = (uint32_t)at;
	}
	out->n = out->keys.n;
	free(key);
	return err;
}

/* ---- values ---- */

static uint64_t bucket_of(const struct agg_desc *d, const void *map_key)
{
	uint64_t bucket = 0;

	if (d->nkeys)
		memcpy(&bucket, (const char *)map_key + d->bucket_off, 8);
	else
		memcpy(&bucket, map_key, 4);
	return bucket;
}

/* Values of N rows, and NCPUS more for each; buckets lie in the same order. */
static int values_alloc(const struct agg_state *s, struct rows *out)
{
	uint32_t ncpus = s->percpu ? s->nslots : 0;
	size_t nbuckets = agg_is_distribution(s->desc) ? s->desc->nbuckets : 0;
	struct agg_value init = {.desc = s->desc, .normal = s->normal, .present = true};

	/* one more, as none is not an error */
	out->row = calloc((size_t)out->n + 1, sizeof(*out->row));
	out->values = calloc((size_t)out->n + 1, sizeof(*out->values));
	if (ncpus)
		out->cpus = calloc((size_t)out->n * ncpus + 1, sizeof(*out->cpus));
	if (nbuckets)
		out->buckets = calloc(
			((size_t)out->n * (1 + ncpus) + 1) * nbuckets, sizeof(*out->buckets));
	if (!out->row || !out->values || (ncpus && !out->cpus) || (nbuckets && !out->buckets))
		return -ENOMEM;
	for (uint32_t i = 0; i < out->n; i++) {
		int64_t *buckets = out->buckets + (size_t)i * (1 + ncpus) * nbuckets;
		struct agg_value *cpus = out->cpus + (size_t)i * ncpus;

		out->values[i] = init;
		out->values[i].buckets = nbuckets ? buckets : NULL;
		out->values[i].ncpus = ncpus;
		out->values[i].cpus = ncpus ? cpus : NULL;
		for (uint32_t k = 0; k < ncpus; k++) {
			cpus[k] = init;
			cpus[k].buckets = nbuckets ? buckets + (1 + k) * nbuckets : NULL;
		}
		out->row[i] =
			(struct agg_row){.desc = s->desc, .values = &out->values[i], .nvalues = 1};
	}
	return 0;
}

static void value_add(struct agg_value *v, const uint64_t *words, int64_t *buckets, uint64_t bucket)
{
	if (!buckets)
		agg_merge(v->desc, v->words, words);
	else if (bucket < v->desc->nbuckets)
		buckets[bucket] += (int64_t)words[0];
}

static void values_gather(struct agg_state *s, struct rows *out)
{
	for (uint32_t i = 0; i < s->raw.n; i++) {
		struct raw *r = tab_rec(&s->raw, i);
		uint64_t bucket, words[AGG_WORDS_MAX];
		struct agg_value *v;

		if (r->row == NO_ROW)
			continue;
		v = &out->values[r->row];
		bucket = agg_is_distribution(s->desc) ? bucket_of(s->desc, tab_key(&s->raw, i)) : 0;
		out->row[r->row].key =
			out->keys.stride ? tab_key(&out->keys, r->row) : tab_key(&s->raw, i);
		for (uint32_t k = 0; k < s->nslots; k++) {
			raw_value(s, r, k, words);
			value_add(v, words, (int64_t *)v->buckets, bucket);
			if (s->percpu) {
				struct agg_value *c = &out->cpus[(size_t)r->row * s->nslots + k];

				value_add(c, words, (int64_t *)c->buckets, bucket);
			}
		}
	}
}

/* From struct dt_agg_kept to what sinks get. */
static void kept_finish(struct agg_value *v)
{
	uint64_t count = v->words[KEPT_COUNT];

	v->words[0] = count ? v->words[KEPT_VALUE] : (uint64_t)agg_desc_info(v->desc)->empty;
	v->words[1] = count;
}

int rows_build(struct aggs *a, struct agg_state *s, struct rows *out)
{
	int err = 0;

	memset(out, 0, sizeof(*out));
	if (agg_is_distribution(s->desc) || key_rewrites(a, s->desc))
		err = number_merged(a, s, out);
	else
		number_each(s, out);
	if (!err)
		err = values_alloc(s, out);
	if (err) {
		rows_free(out);
		return err;
	}
	values_gather(s, out);
	if (agg_keeps(s->desc)) {
		for (uint32_t i = 0; i < out->n; i++)
			kept_finish(&out->values[i]);
		for (size_t i = 0; s->percpu && i < (size_t)out->n * s->nslots; i++)
			kept_finish(&out->cpus[i]);
	}
	return 0;
}
