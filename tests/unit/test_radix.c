// SPDX-License-Identifier: Apache-2.0
/* Sorting by a number: of any range and size, in any order before, and equal ones keep theirs. */
#include "test.h"

#include <stdlib.h>

#include "base/radix.h"

struct element {
	uint64_t key;
	uint32_t order;
	char more[9];
};

static uint64_t some_number(void)
{
	static uint64_t state = 88172645463325252u; /* xorshift64 */

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Sorts N numbers that are BASE plus MASK's bits of anything. */
static void check_sorted(uint32_t n, uint64_t base, uint64_t mask)
{
	struct element *v = calloc(n + 1, sizeof(*v)), *spare = calloc(n + 1, sizeof(*spare)), *by;

	CHECK(v && spare);
	for (uint32_t i = 0; v && i < n; i++)
		v[i] = (struct element){base + (some_number() & mask), i, {(char)i}};
	by = v && spare ? radix_sort(v, spare, n, sizeof(*v)) : NULL;
	CHECK(by == v || by == spare);
	for (uint32_t i = 1; by && i < n; i++)
		CHECK(by[i - 1].key < by[i].key ||
			(by[i - 1].key == by[i].key && by[i - 1].order < by[i].order));
	for (uint32_t i = 0; by && i < n; i++)
		CHECK(by[i].more[0] == (char)by[i].order);
	/* what is sorted stays where it is */
	CHECK(!by || radix_sort(by, by == v ? spare : v, n, sizeof(*v)) == by);
	free(v);
	free(spare);
}

int main(void)
{
	for (uint32_t n = 0; n < 5; n++)
		check_sorted(n, 0, UINT64_MAX);
	check_sorted(5000, 0, UINT64_MAX);
	check_sorted(5000, 0x400000, 0xfffff);
	check_sorted(5000, 0xffffffff81000000, 0x7fffff);
	check_sorted(5000, 7, 0xff);
	check_sorted(5000, 7, 0);
	check_sorted(5000, 0, UINT64_C(0xff) << 56);
	return test_done();
}
