// SPDX-License-Identifier: Apache-2.0
/* Tests base/heapvec.h, with and without memory. */
#include "fail_alloc.h"
#include "test.h"

#include "base/heapvec.h"

struct pair {
	int a, b;
};

static void test_push(void)
{
	HEAPVEC(uint64_t) v = {0};
	uint64_t sum = 0;

	vec_for (p, &v)
		sum += *p;
	CHECK_INT(sum, 0);
	for (uint64_t i = 0; i < 1000; i++)
		CHECK_INT(heapvec_push(&v, i), 0);
	CHECK_INT(v.len, 1000);
	CHECK_INT(vec_last(&v), 999);
	vec_for (p, &v)
		sum += *p;
	CHECK_INT(sum, 499500);
	heapvec_free(&v);
	CHECK(!v.data && !v.len && !v.cap);
	CHECK_INT(heapvec_push(&v, 7), 0);
	CHECK_INT(v.data[0], 7);
	heapvec_free(&v);
}

static void test_add(void)
{
	HEAPVEC(struct pair) v = {0};
	struct pair *p;

	CHECK_INT(heapvec_push(&v, (struct pair){1, 2}), 0);
	v.data[0].b = 3;
	v.len = 0; /* what is added is zeroed, though the memory was used before */
	p = heapvec_add(&v);
	CHECK(p && !p->a && !p->b && v.len == 1);
	heapvec_free(&v);
}

static void test_extend(void)
{
	HEAPVEC(int) v = {0};
	int any = 0;

	CHECK_INT(heapvec_extend(&v, 0), 0);
	CHECK(!v.data);
	CHECK_INT(heapvec_push(&v, 5), 0);
	CHECK_INT(heapvec_extend(&v, 100), 0);
	CHECK_INT(v.len, 100);
	CHECK_INT(v.data[0], 5);
	for (uint32_t i = 1; i < v.len; i++)
		any |= v.data[i];
	CHECK_INT(any, 0);
	CHECK_INT(heapvec_extend(&v, 50), 0); /* never shorter */
	CHECK_INT(v.len, 100);
	CHECK_INT(heapvec_reserve(&v, 5000), 0);
	CHECK(v.len == 100 && v.cap >= 5000);
	heapvec_free(&v);
}

/* Each call fails once, says so and leaves the vector alone. */
static void test_no_memory(void)
{
	HEAPVEC(struct pair) v = {0};

	allocs_left = 0;
	CHECK_INT(heapvec_push(&v, (struct pair){1, 2}), -ENOMEM);
	CHECK(!heapvec_add(&v));
	CHECK_INT(heapvec_extend(&v, 3), -ENOMEM);
	CHECK_INT(heapvec_reserve(&v, 1), -ENOMEM);
	CHECK(!v.data && !v.len && !v.cap);
	allocs_left = -1;
	for (int i = 0; i < 8; i++)
		CHECK_INT(heapvec_push(&v, (struct pair){i, -i}), 0);
	while (v.len < v.cap)
		CHECK_INT(heapvec_push(&v, (struct pair){7, -7}), 0);
	allocs_left = 0;
	CHECK_INT(heapvec_push(&v, (struct pair){8, -8}), -ENOMEM);
	CHECK(!heapvec_add(&v));
	CHECK_INT(heapvec_extend(&v, 5000), -ENOMEM);
	CHECK_INT(v.len, v.cap);
	CHECK(v.data[1].b == -1 && v.data[7].a == 7);
	allocs_left = -1;
	CHECK_INT(heapvec_push(&v, (struct pair){8, -8}), 0);
	CHECK_INT(vec_last(&v).a, 8);
	heapvec_free(&v);
}

/* Lengths beyond 32 bits and sizes beyond 64 are refused before memory is asked for. */
static void test_too_many(void)
{
	HEAPVEC(char) v = {0};
	uint32_t cap = 0;

	CHECK_INT(heapvec_reserve(&v, (uint64_t)UINT32_MAX + 1), -ENOMEM);
	CHECK_INT(heapvec_extend(&v, UINT64_MAX), -ENOMEM);
	CHECK(!v.data && !v.len && !v.cap);
	CHECK(!heapvec_grow(NULL, &cap, UINT32_MAX, SIZE_MAX / 2));
	CHECK_INT(cap, 0);
}

int main(void)
{
	test_push();
	test_add();
	test_extend();
	test_no_memory();
	test_too_many();
	return test_done();
}
