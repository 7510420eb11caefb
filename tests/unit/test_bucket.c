// SPDX-License-Identifier: Apache-2.0
/*
 * abi/bucket.c against the definitions of the distributions, worked out the slow way.
 * @ref d-builtins 7.2 quantize quantize-ends lquantize lquantize-step llquantize
 * @ref output 9.1 buckets ends; output 9.2 buckets limit; output 9.3 buckets small-width
 */
#include "test.h"

#include "abi/record.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

static const int64_t edges[] = {INT64_MIN, INT64_MIN + 1, INT64_MIN / 2, INT64_MIN / 2 - 1,
	INT64_MIN / 2 + 1, -4294967296, -4294967295, -2147483649, -2147483648, -1000001, -1000000,
	-999999, -321, -320, -200, -199, -101, -100, -99, -16, -15, -11, -10, -9, -8, -7, -5, -4,
	-3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 16, 19, 20, 21, 99, 100, 101, 199,
	200, 320, 321, 999, 1000, 65535, 65536, 999999, 1000000, 1000001, 2147483647, 2147483648,
	4294967295, 4294967296, INT64_MAX / 2, INT64_MAX / 2 + 1, INT64_MAX - 1, INT64_MAX};

#define NEDGES (sizeof(edges) / sizeof(edges[0]))

/* ---- quantize ---- */

static uint32_t slow_quantize(int64_t v)
{
	i128 n = v;

	if (!v)
		return 63;
	if (v > 0) {
		for (uint32_t k = 62;; k--)
			if (n >= (i128)1 << k)
				return 64 + k;
	}
	for (uint32_t k = 62;; k--)
		if (n <= -((i128)1 << k))
			return 62 - k;
}

static void test_quantize(void)
{
	const struct agg_params none = {0};

	CHECK_INT(agg_nbuckets(AGG_quantize, &none), 127);
	CHECK_INT(agg_bucket(AGG_quantize, &none, 0), 63);
	CHECK_INT(agg_bucket(AGG_quantize, &none, 1), 64);
	CHECK_INT(agg_bucket(AGG_quantize, &none, 2), 65);
	CHECK_INT(agg_bucket(AGG_quantize, &none, 3), 65);
	CHECK_INT(agg_bucket(AGG_quantize, &none, 4), 66);
	CHECK_INT(agg_bucket(AGG_quantize, &none, -1), 62);
	CHECK_INT(agg_bucket(AGG_quantize, &none, -2), 61);
	CHECK_INT(agg_bucket(AGG_quantize, &none, -3), 61);
	CHECK_INT(agg_bucket(AGG_quantize, &none, -4), 60);
	CHECK_INT(agg_bucket(AGG_quantize, &none, INT64_MAX), 126);
	CHECK_INT(agg_bucket(AGG_quantize, &none, INT64_MIN), 0);
	CHECK_INT(agg_bucket(AGG_quantize, &none, INT64_MIN + 1), 0);
	for (size_t i = 0; i < NEDGES; i++)
		CHECK_INT(agg_bucket(AGG_quantize, &none, edges[i]), slow_quantize(edges[i]));
	for (int k = 0; k < 63; k++)
		for (int d = -1; d <= 1; d++) {
			int64_t v = (int64_t)((1ull << k) + (uint64_t)d);

			CHECK_INT(agg_bucket(AGG_quantize, &none, v), slow_quantize(v));
			CHECK_INT(agg_bucket(AGG_quantize, &none, -v), slow_quantize(-v));
		}
}

/* ---- lquantize ---- */

static uint32_t slow_lquantize(const struct agg_params *p, int64_t v)
{
	i128 bound = p->base;
	uint32_t b = 0;

	for (; bound + p->step <= p->limit; bound += p->step, b++)
		if (v < bound)
			return b;
	return v < bound ? b : b + 1;
}

static void test_lquantize(void)
{
	static const struct agg_params list[] = {
		{.base = 0, .limit = 100, .step = 10},
		{.base = 0, .limit = 95, .step = 10}, /* the top bucket starts at 90 */
		{.base = -50, .limit = 50, .step = 7},
		{.base = -1, .limit = 1, .step = 1},
		{.base = 5, .limit = 6, .step = 1},
		{.base = 100, .limit = 65635, .step = 1}, /* 65535 levels */
		{.base = INT32_MIN, .limit = INT32_MAX, .step = 65535},
		{.base = INT32_MAX - 1, .limit = INT32_MAX, .step = 1},
		{.base = INT32_MIN, .limit = INT32_MIN + 1, .step = 1},
	};
	const struct agg_params *p = &list[0];

	CHECK_INT(agg_nbuckets(AGG_lquantize, p), 12);
	CHECK_INT(agg_nbuckets(AGG_lquantize, &list[1]), 11);
	CHECK_INT(agg_nbuckets(AGG_lquantize, &list[5]), 65537);
	CHECK_INT(agg_nbuckets(AGG_lquantize, &list[6]), 65537 + 2);
	CHECK_INT(agg_bucket(AGG_lquantize, p, -1), 0);
	CHECK_INT(agg_bucket(AGG_lquantize, p, 0), 1);
	CHECK_INT(agg_bucket(AGG_lquantize, p, 9), 1);
	CHECK_INT(agg_bucket(AGG_lquantize, p, 10), 2);
	CHECK_INT(agg_bucket(AGG_lquantize, p, 99), 10);
	CHECK_INT(agg_bucket(AGG_lquantize, p, 100), 11);
	CHECK_INT(agg_bucket(AGG_lquantize, &list[1], 89), 9);
	CHECK_INT(agg_bucket(AGG_lquantize, &list[1], 90), 10);
	CHECK_INT(agg_bucket(AGG_lquantize, &list[1], 95), 10);
	for (size_t l = 0; l < sizeof(list) / sizeof(list[0]); l++) {
		p = &list[l];
		CHECK_INT(agg_bucket(AGG_lquantize, p, INT64_MIN), 0);
		CHECK_INT(agg_bucket(AGG_lquantize, p, INT64_MAX),
			agg_nbuckets(AGG_lquantize, p) - 1);
		for (size_t i = 0; i < NEDGES; i++)
			CHECK_INT(agg_bucket(AGG_lquantize, p, edges[i]),
				slow_lquantize(p, edges[i]));
		for (int d = -2; d <= 2; d++) {
			CHECK_INT(agg_bucket(AGG_lquantize, p, (int64_t)p->base + d),
				slow_lquantize(p, (int64_t)p->base + d));
			CHECK_INT(agg_bucket(AGG_lquantize, p, (int64_t)p->limit + d),
				slow_lquantize(p, (int64_t)p->limit + d));
		}
	}
}

/* ---- llquantize ---- */

static u128 power(uint32_t base, uint32_t exp)
{
	u128 r = 1;

	while (exp--)
		r *= base;
	return r;
}

/* Walk the bins of each magnitude outward, by their lower bounds position * F^(k+1) / S. */
static uint32_t slow_llquantize(const struct agg_params *p, int64_t v)
{
	u128 mag = v < 0 ? (u128)0 - (u128)(i128)v : (u128)v;
	uint32_t skipped = p->steps / p->factor;
	uint32_t half = (p->hmag - p->lmag + 1u) * (p->steps - skipped) + 1;
	uint32_t off = 0, bin = 0;

	for (uint32_t k = p->lmag; k <= p->hmag; k++)
		for (uint32_t pos = skipped; pos < p->steps; pos++) {
			bin++;
			if (mag >= power(p->factor, k) &&
				mag * p->steps >= pos * power(p->factor, k + 1))
				off = bin;
		}
	if (mag >= power(p->factor, p->hmag + 1u))
		off = half;
	return v < 0 ? half - off : half + off;
}

static void check_llquantize(const struct agg_params *p, int64_t v)
{
	CHECK_INT(agg_bucket(AGG_llquantize, p, v), slow_llquantize(p, v));
}

static void test_llquantize(void)
{
	static const struct agg_params list[] = {
		{.factor = 10, .lmag = 0, .hmag = 3, .steps = 5},
		{.factor = 10, .lmag = 0, .hmag = 6, .steps = 20}, /* has bins that nothing hits */
		{.factor = 10, .lmag = 0, .hmag = 2, .steps = 100},
		{.factor = 10, .lmag = 2, .hmag = 5, .steps = 1000},
		{.factor = 10, .lmag = 0, .hmag = 18, .steps = 10},
		{.factor = 2, .lmag = 0, .hmag = 62, .steps = 2}, /* ends at 2^63 */
		{.factor = 2, .lmag = 3, .hmag = 10, .steps = 1},
		{.factor = 3, .lmag = 1, .hmag = 4, .steps = 9},
		{.factor = 16, .lmag = 2, .hmag = 2, .steps = 4},
		{.factor = 1000, .lmag = 0, .hmag = 5, .steps = 1000},
		{.factor = 65535, .lmag = 0, .hmag = 2, .steps = 1},
	};
	/* F = 10, S = 5: bins at 1 2 4 6 8 10 20 40 60 80 100 200 ... */
	static const int64_t bounds[] = {1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 800,
		1000, 2000, 4000, 6000, 8000, 10000};
	const struct agg_params *p = &list[0];
	uint32_t centre = (agg_nbuckets(AGG_llquantize, p) - 1) / 2;

	CHECK_INT(agg_nbuckets(AGG_llquantize, p), 2 * 4 * 5 + 3);
	CHECK_INT(agg_bucket(AGG_llquantize, p, 0), centre);
	for (uint32_t i = 0; i < 21; i++) {
		CHECK_INT(agg_bucket(AGG_llquantize, p, bounds[i]), centre + i + 1);
		CHECK_INT(agg_bucket(AGG_llquantize, p, bounds[i] - 1), centre + i);
		CHECK_INT(agg_bucket(AGG_llquantize, p, -bounds[i]), centre - i - 1);
		CHECK_INT(agg_bucket(AGG_llquantize, p, 1 - bounds[i]), centre - i);
	}
	CHECK_INT(agg_bucket(AGG_llquantize, p, 320), agg_bucket(AGG_llquantize, p, 200));
	/* of magnitude 0 with S = 2F, every second bin can be hit: 1 at +1, 2 at +3 */
	centre = (agg_nbuckets(AGG_llquantize, &list[1]) - 1) / 2;
	CHECK_INT(agg_nbuckets(AGG_llquantize, &list[1]), 2 * 7 * 18 + 3);
	CHECK_INT(agg_bucket(AGG_llquantize, &list[1], 1), centre + 1);
	CHECK_INT(agg_bucket(AGG_llquantize, &list[1], 2), centre + 3);
	CHECK_INT(agg_bucket(AGG_llquantize, &list[1], 9), centre + 17);
	CHECK_INT(agg_bucket(AGG_llquantize, &list[1], 10), centre + 19);
	CHECK_INT(agg_bucket(AGG_llquantize, &list[1], 15), centre + 20);
	for (size_t l = 0; l < sizeof(list) / sizeof(list[0]); l++) {
		p = &list[l];
		CHECK_INT(agg_bucket(AGG_llquantize, p, 0),
			(agg_nbuckets(AGG_llquantize, p) - 1) / 2);
		for (size_t i = 0; i < NEDGES; i++)
			check_llquantize(p, edges[i]);
		for (uint32_t k = 0; k <= p->hmag + 1u && power(p->factor, k) < INT64_MAX; k++)
			for (int d = -2; d <= 2; d++) {
				check_llquantize(p, (int64_t)power(p->factor, k) + d);
				check_llquantize(p, -(int64_t)power(p->factor, k) + d);
			}
		for (int64_t v = -1200; v <= 1200; v++)
			check_llquantize(p, v);
		for (uint32_t b = 0; b < NEDGES; b++)
			CHECK(agg_bucket(AGG_llquantize, p, edges[b]) <
				agg_nbuckets(AGG_llquantize, p));
	}
	/* 2^63 is where the last one ends: only INT64_MIN is beyond */
	p = &list[5];
	CHECK_INT(agg_bucket(AGG_llquantize, p, INT64_MIN), 0);
	CHECK_INT(agg_bucket(AGG_llquantize, p, INT64_MIN + 1), 1);
	CHECK_INT(agg_bucket(AGG_llquantize, p, INT64_MAX), agg_nbuckets(AGG_llquantize, p) - 2);
}

/* ---- bounds ---- */

/* The buckets' bounds follow each other without a gap, from the least integer to the greatest. */
static void check_bounds(enum agg_func func, const struct agg_params *p)
{
	int64_t next = INT64_MIN, low, high;
	bool over = false;

	for (uint32_t i = 0; i < agg_nbuckets(func, p); i++) {
		agg_bucket_bounds(func, p, i, &low, &high);
		if (low > high)
			continue;
		CHECK(!over);
		CHECK_INT(low, next);
		CHECK_INT(agg_bucket(func, p, low), i);
		CHECK_INT(agg_bucket(func, p, high), i);
		over = high == INT64_MAX;
		next = over ? high : high + 1;
	}
	CHECK(over);
}

static void test_bounds(void)
{
	static const struct agg_params lines[] = {{.base = 0, .limit = 10, .step = 1},
		{.base = -1000, .limit = 1000, .step = 7}, {.base = 5, .limit = 6, .step = 1},
		{.base = INT32_MIN, .limit = INT32_MAX, .step = 65535}};
	static const struct agg_params logs[] = {{.factor = 10, .lmag = 0, .hmag = 2, .steps = 10},
		{.factor = 10, .lmag = 1, .hmag = 2, .steps = 5},
		{.factor = 2, .lmag = 0, .hmag = 9, .steps = 2},
		{.factor = 10, .lmag = 0, .hmag = 1, .steps = 20},
		{.factor = 10, .lmag = 3, .hmag = 17, .steps = 100},
		{.factor = 10, .lmag = 2, .hmag = 18, .steps = 10},
		{.factor = 2, .lmag = 2, .hmag = 61, .steps = 8}};
	const struct agg_params none = {0};

	check_bounds(AGG_quantize, &none);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		check_bounds(AGG_lquantize, &lines[i]);
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++)
		check_bounds(AGG_llquantize, &logs[i]);
}

static void test_valid(void)
{
	static const struct agg_params bad_lines[] = {{.base = 0, .limit = 9},
		{.base = 9, .limit = 9, .step = 1}, {.base = 0, .limit = 9, .step = 10},
		{.base = 0, .limit = 65536, .step = 1},
		{.base = INT32_MAX, .limit = INT32_MIN, .step = 1}};
	static const struct agg_params bad_logs[] = {{.factor = 10, .hmag = 2},
		{.hmag = 2, .steps = 10}, {.factor = 1, .hmag = 2, .steps = 1},
		{.factor = 10, .lmag = 3, .hmag = 2, .steps = 10},
		{.factor = 10, .hmag = 19, .steps = 10}, {.factor = 10, .hmag = 2, .steps = 3},
		{.factor = 10, .hmag = 2, .steps = 30}, {.factor = 2, .hmag = 63, .steps = 2}};
	const struct agg_params line = {.base = -5, .limit = 5, .step = 10},
				log = {.factor = 10, .hmag = 18, .steps = 100}, none = {0};

	CHECK(agg_params_valid(AGG_lquantize, &line));
	CHECK(agg_params_valid(AGG_llquantize, &log));
	CHECK(agg_params_valid(AGG_quantize, &none));
	CHECK(agg_params_valid(AGG_count, &none));
	for (size_t i = 0; i < sizeof(bad_lines) / sizeof(bad_lines[0]); i++)
		CHECK(!agg_params_valid(AGG_lquantize, &bad_lines[i]));
	for (size_t i = 0; i < sizeof(bad_logs) / sizeof(bad_logs[0]); i++)
		CHECK(!agg_params_valid(AGG_llquantize, &bad_logs[i]));
}

int main(void)
{
	const struct agg_params none = {0};

	test_quantize();
	test_lquantize();
	test_llquantize();
	test_bounds();
	test_valid();
	CHECK_INT(agg_nbuckets(AGG_count, &none), 0);
	CHECK_INT(agg_bucket(AGG_sum, &none, 7), 0);
	return test_done();
}
