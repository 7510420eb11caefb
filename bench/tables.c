/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tables WHAT KEYS CHANGED TIMES: measures how printa() makes a table, without its output.  Of KEYS
 * keys CHANGED have another value each time.  Prints thousands of rows a second, in the best of
 * TIMES.  WHAT is the aggregation:
 *
 *	count		@[an integer] = count()
 *	quantize	@[an integer] = quantize(), with three buckets a key
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "abi/record.h"
#include "consume/agg_sort.h"
#include "consume/agg_table.h"
#include "consume/agg_value.h"

#define BUCKETS 3 /* of each key */

/* An element of the map: a key, the number of a bucket if it is a distribution's, a count. */
struct element {
	uint64_t key, bucket, count;
};

static struct {
	struct element *elements;
	uint32_t n;
} map;

/* agg_store.each */
static int each(void *arg, const struct agg_desc *agg, agg_visit_fn visit, void *varg)
{
	int err = 0;

	(void)arg;
	(void)agg;
	for (uint32_t i = 0; i < map.n && !err; i++)
		err = visit(varg, &map.elements[i].key, &map.elements[i].count, 1);
	return err;
}

static const struct datum key = {.kind = DATUM_INT, .size = 8};

static struct agg_desc count = {.name = "",
	.id = 1,
	.func = AGG_count,
	.keys = &key,
	.nkeys = 1,
	.key_size = 8,
	.value_size = 8};
static struct agg_desc quantize = {.name = "",
	.id = 1,
	.func = AGG_quantize,
	.keys = &key,
	.nkeys = 1,
	.key_size = 16,
	.bucket_off = 8,
	.nbuckets = 127,
	.value_size = 8};

static void fill(uint32_t keys, uint32_t buckets)
{
	map.n = keys * buckets;
	map.elements = calloc(map.n, sizeof(*map.elements));
	for (uint32_t i = 0; map.elements && i < map.n; i++)
		map.elements[i] = (struct element){
			(i / buckets) * 7919u, 64 + i % buckets, 1 + (i * 2654435761u >> 20)};
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Returns the seconds that one table takes; a negative number: it failed. */
static double print(struct aggs *a, const struct agg_desc *agg, uint32_t keys)
{
	const struct agg_sort sort = {0};
	struct agg_table *t = NULL;
	double start = now(), took;
	int err = aggs_snapshot(a);

	if (!err)
		err = aggs_print(a, &agg, 1, NULL, &sort, &t);
	took = now() - start;
	if (!err && t->nrows != keys)
		err = -1;
	agg_table_free(t);
	return err ? -1 : took;
}

int main(int argc, char **argv)
{
	const struct agg_env env = {.store = {.each = each}};
	bool is_count = argc == 5 && !strcmp(argv[1], "count");
	const struct agg_desc *agg = is_count ? &count : &quantize;
	uint32_t keys, changed;
	double best = 1e9;
	struct aggs *a;

	if (argc != 5 || (!is_count && strcmp(argv[1], "quantize"))) {
		fprintf(stderr, "tables count|quantize KEYS CHANGED TIMES\n");
		return 2;
	}
	keys = (uint32_t)atol(argv[2]);
	changed = (uint32_t)atol(argv[3]);
	fill(keys, is_count ? 1 : BUCKETS);
	a = map.elements ? aggs_new(&env, &agg, 1) : NULL;
	/* the first meets all keys */
	for (long i = -1; a && i < atol(argv[4]); i++) {
		double took = print(a, agg, keys);

		if (took < 0)
			return 1;
		if (i >= 0 && took < best)
			best = took;
		for (uint32_t k = 0; k < changed; k++)
			map.elements[(uint64_t)k * map.n / changed].count++;
	}
	if (!a)
		return 1;
	aggs_free(a);
	printf("%.0f\n", keys / best / 1e3);
	return 0;
}
