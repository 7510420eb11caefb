// SPDX-License-Identifier: Apache-2.0
/*
 * consume/agg: a table that is made again and again, from what changed, is the table that is made
 * once: with new keys, changed and removed ones, in each order, for values, buckets and keys that
 * merge.
 */
#include "agg_memory.h"

#include "abi/record.h"
#include "probe/probe.h"

#define KEYS   40
#define ROUNDS 400

static uint32_t seed = 1;

static uint32_t pick(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

/* Two ids have each name: their keys merge. */
static const struct probe *probe_of(void *arg, uint64_t id)
{
	static const char *const names[] = {"one", "two", "three", "four"};
	static struct probe p = {.prov = "p", .mod = "m", .func = "f"};

	(void)arg;
	p.name = names[id / 2 % 4];
	return &p;
}

static const struct datum probe_key = {.kind = DATUM_PROBEID, .part = DATUM_PROBENAME, .size = 4};

/* "key=value ..."; keys by the names that they stand for */
static void put_rows(const struct agg_table *t)
{
	seen[0] = 0;
	for (uint32_t i = 0; i < t->nrows; i++) {
		int32_t key;

		memcpy(&key, t->rows[i].key, sizeof(key));
		if (t->aggs[0]->keys == &probe_key)
			put_text(probe_of(NULL, (uint64_t)key)->name);
		else
			put("%lld", key);
		put_text("=");
		put_value(&t->rows[i].values[0]);
		put_text(" ");
	}
}

static void print_rows(struct aggs *a, const struct agg_desc *d, const struct agg_sort *sort)
{
	struct agg_table *t;

	CHECK_INT(aggs_print(a, &d, 1, NULL, sort, &t), 0);
	put_rows(t);
	agg_table_free(t);
}

/* The table as somebody makes it who has seen none before. */
static void check_fresh(const struct agg_env *env, struct aggs *a, const struct agg_desc *d,
	const struct agg_sort *sort)
{
	static char had[sizeof(seen)];
	struct agg_env other = *env;
	struct aggs *b;

	print_rows(a, d, sort);
	snprintf(had, sizeof(had), "%s", seen);
	other.store = store;
	b = aggs_new(&other, &d, 1);
	CHECK(b != NULL);
	CHECK_INT(aggs_snapshot(b), 0);
	print_rows(b, d, sort);
	CHECK_STR(had, seen);
	aggs_free(b);
}

static void test_again(struct agg_desc d)
{
	const struct agg_desc *list[] = {&d};
	const struct agg_env env = {.probe = probe_of};
	struct aggs *a;

	a = session_in(env, list, 1);
	for (int round = 0; round < ROUNDS; round++) {
		const struct agg_sort sort = {.key = pick(4) == 0, .rev = pick(4) == 0};

		for (uint32_t i = pick(6); i; i--) {
			const int32_t k[2] = {
				(int32_t)pick(KEYS)}; /* as wide as a key of buckets */
			const uint32_t cpu = pick(NCPUS);

			update(&d, k, cpu, 1 << pick(6));
		}
		CHECK_INT(aggs_snapshot(a), 0);
		if (pick(20) == 0)
			CHECK_INT(aggs_trunc(a, &d, (int64_t)pick(5) - 2), 0);
		check_fresh(&env, a, &d, &sort);
	}
	aggs_free(a);
}

int main(void)
{
	const struct agg_params none = {0};
	struct agg_desc p = desc_int("p", 1, AGG_sum);

	p.keys = &probe_key;
	test_again(desc_int("s", 1, AGG_sum));
	test_again(desc_int("m", 1, AGG_max));
	test_again(desc_dist("q", AGG_quantize, none, &int_key, 1));
	test_again(p);
	test_again(desc_dist("b", AGG_quantize, none, &probe_key, 1));
	return test_done();
}
