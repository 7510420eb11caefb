// SPDX-License-Identifier: Apache-2.0
/* Tests base/intmap.h, with and without memory. */
#include <errno.h>

#include "fail_alloc.h"
#include "test.h"

#include "base/arena.h"
#include "base/intmap.h"

static void test_values(void)
{
	struct intmap m = {0};
	struct intmap_slot *s;

	CHECK(!intmap_find(&m, 0));
	CHECK(!intmap_next(&m, NULL));
	/* 0 is a key and a value as any other is */
	CHECK_INT(intmap_put(&m, 0, 0), 0);
	CHECK_INT(intmap_put(&m, UINT64_MAX, 7), 0);
	s = intmap_find(&m, 0);
	CHECK(s && s->value == 0);
	s = intmap_find(&m, UINT64_MAX);
	CHECK(s && s->value == 7);
	CHECK(!intmap_find(&m, 1));
	CHECK_INT(intmap_put(&m, UINT64_MAX, 8), 0);
	s = intmap_find(&m, UINT64_MAX);
	CHECK(s && s->value == 8);
	CHECK_INT(m.len, 2);
	intmap_free(&m);
	CHECK(!intmap_find(&m, 0));
}

static void test_pointers(void)
{
	struct intmap m = {0};
	int x, y;

	CHECK(!intmap_get_ptr(&m, 1));
	CHECK(!intmap_remove(&m, 1));
	CHECK_INT(intmap_put_ptr(&m, 1, &x), 0);
	CHECK_INT(intmap_put_ptr(&m, 2, &y), 0);
	CHECK(intmap_get_ptr(&m, 1) == &x);
	CHECK(intmap_remove(&m, 1) == &x);
	CHECK(!intmap_get_ptr(&m, 1));
	CHECK(!intmap_remove(&m, 1));
	CHECK(intmap_get_ptr(&m, 2) == &y);
	CHECK_INT(m.len, 1);
	intmap_free(&m);
}

#define NKEYS 4096

/* Keys that are close together, far apart and equal in their low bits. */
static uint64_t key_of(uint32_t i)
{
	return i % 3 == 0 ? i : i % 3 == 1 ? (uint64_t)i << 40 : i * UINT64_C(0x100000);
}

/* The keys of HAS, and no others, are in M and are met once each. */
static void check_keys(const struct intmap *m, const bool *has)
{
	uint32_t wrong = 0, met = 0, n = 0;

	for (uint32_t i = 1; i < NKEYS; i++) {
		struct intmap_slot *s = intmap_find(m, key_of(i));

		wrong += has[i] ? !s || s->value != i : !!s;
		n += has[i];
	}
	intmap_for (s, m) {
		met++;
		wrong += s->value >= NKEYS || !has[s->value] || s->key != key_of(s->value & 4095);
	}
	CHECK_INT(wrong, 0);
	CHECK_INT(met, n);
	CHECK_INT(m->len, n);
}

/* A long row of puts and removals against an array that says what should be there. */
static void test_many(struct arena *arena)
{
	struct intmap m = {.arena = arena};
	static bool has[NKEYS];
	uint32_t rnd = 1;

	memset(has, 0, sizeof(has));
	for (uint32_t round = 0; round < 40000; round++) {
		uint32_t i;

		rnd = rnd * 1664525 + 1013904223;
		i = (rnd >> 8) % (NKEYS - 1) + 1;
		if (rnd >> 31 || round < 4000) {
			CHECK_INT(intmap_put(&m, key_of(i), i), 0);
			has[i] = true;
		} else {
			CHECK(!!intmap_remove(&m, key_of(i)) == has[i]);
			has[i] = false;
		}
		if (round % 4000 == 0)
			check_keys(&m, has);
	}
	check_keys(&m, has);
	intmap_free(&m);
}

struct seen {
	uint32_t times[NKEYS];
};

static bool keep_odd(void *arg, const struct intmap_slot *s)
{
	struct seen *seen = arg;

	seen->times[s->value]++;
	return s->value % 2;
}

static void test_filter(void)
{
	struct intmap m = {0};
	static struct seen seen;
	static bool has[NKEYS];
	uint32_t wrong = 0;

	intmap_filter(&m, keep_odd, &seen);
	for (uint32_t i = 1; i < NKEYS; i++) {
		CHECK_INT(intmap_put(&m, key_of(i), i), 0);
		has[i] = i % 2;
	}
	intmap_filter(&m, keep_odd, &seen);
	for (uint32_t i = 1; i < NKEYS; i++)
		wrong += seen.times[i] != 1;
	CHECK_INT(wrong, 0);
	check_keys(&m, has);
	intmap_free(&m);
}

static void test_no_memory(void)
{
	struct intmap m = {0};
	uint32_t n = 0;

	allocs_left = 0;
	CHECK_INT(intmap_put(&m, 1, 1), -ENOMEM);
	CHECK_INT(intmap_put_ptr(&m, 1, &m), -ENOMEM);
	CHECK(!m.len && !m.slots && !m.nslots);
	allocs_left = 1;
	while (!intmap_put(&m, n, n))
		n++;
	CHECK(n > 0);
	CHECK_INT(m.len, n);
	CHECK(!intmap_find(&m, n));
	CHECK(intmap_find(&m, 0) && intmap_find(&m, n - 1));
	/* what is there can be replaced and removed without memory */
	CHECK_INT(intmap_put(&m, 0, 9), 0);
	CHECK(intmap_remove(&m, n - 1) != NULL);
	CHECK_INT(intmap_put(&m, n, n), 0);
	allocs_left = -1;
	CHECK_INT(intmap_put(&m, n + 1, n), 0);
	CHECK_INT(m.len, n + 1);
	intmap_free(&m);
}

int main(void)
{
	struct arena *a = arena_new();

	test_values();
	test_pointers();
	test_many(NULL);
	test_many(a);
	test_filter();
	test_no_memory();
	arena_free(a);
	return test_done();
}
