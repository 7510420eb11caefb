// SPDX-License-Identifier: Apache-2.0
/*
 * The run-time library's functions, run in the kernel, against the same things done in plain C.
 * The later ones have tests of their own: test_rt_*.c.
 */
#define _GNU_SOURCE /* dirname() and basename() of POSIX, sched_setaffinity() */
#include "rt_run.h"

#include <libgen.h>

#include "abi/kernel.h"
#include "abi/record.h"

/* ---- the functions ---- */

static int64_t any_value(void)
{
	static const int64_t edges[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT64_MIN + 1, INT32_MAX,
		INT32_MIN, 9, 10, -9, -10, 99, 100, 1000000000000000000};
	int64_t v = (int64_t)(((uint64_t)any(UINT32_MAX) << 32) | any(UINT32_MAX));

	switch (any(4)) {
	case 0:
		return edges[any(sizeof(edges) / sizeof(edges[0]))];
	case 1:
		return (int64_t)((1ull << any(64)) - 1 + any(3));
	case 2:
		return -(v >> (1 + any(62)));
	default:
		return v >> any(63);
	}
}

static void try_strcmp(void)
{
	uint32_t p[3];
	const char *a, *b;
	int want;

	any_places(p);
	a = any_string(p[0], "ab\xff");
	b = any_string(p[1], "ab\xff");
	if (any(2)) { /* the same, or with one byte different */
		strcpy(mem + p[1], a);
		if (any(2) && a[0])
			mem[p[1] + any((uint32_t)strlen(a))] = (char)any(256);
	}
	want = strcmp(a, b);
	CHECK_INT(run_string(FN_dt_strcmp, p[0], p[1], 0, 0), want > 0 ? 1 : want < 0 ? -1 : 0);
	CHECK(!memcmp(mem, after, scratch_size));
}

static void try_strjoin(void)
{
	char *want;
	uint32_t p[3];
	uint64_t n;

	any_places(p);
	any_string(p[0], "junk");
	any_string(p[1], "abc");
	any_string(p[2], "xyz");
	CHECK(asprintf(&want, "%s%s", mem + p[1], mem + p[2]) >= 0);
	n = run_string(FN_dt_strjoin, p[0], p[1], p[2], 0);
	check_string(n, p[0], want);
	free(want);
}

/* The characters from the start to before the end, where both may lie outside of the string. */
static void substr_reference(char *out, const char *s, int64_t index, int64_t count)
{
	int64_t len = (int64_t)strlen(s), start = index < 0 ? index + len : index, end = len, i;

	if (count < 0)
		end = start < 0 ? 0 : len + count;
	else if (count != LONG_MAX)
		end = start + count;
	for (i = 0; i < len; i++)
		if (i >= start && i < end)
			*out++ = s[i];
	*out = '\0';
}

static void check_substr(uint32_t dst, uint32_t src, int64_t index, int64_t count)
{
	char *want = malloc(room);
	uint64_t n;

	substr_reference(want, mem + src, index, count);
	n = run_string(FN_dt_substr, dst, src, (uint64_t)index, (uint64_t)count);
	check_string(n, dst, want);
	free(want);
}

static void try_substr(void)
{
	static const int64_t edges[] = {0, -1, 1, INT32_MAX, INT32_MIN, LONG_MAX};
	int64_t index, count;
	uint32_t p[3], len;

	any_places(p);
	any_string(p[0], "junk");
	len = (uint32_t)strlen(any_string(p[1], "abcdefgh"));
	index = any(5) ? (int64_t)any(2 * len + 5) - len - 2 : edges[any(5)];
	count = any(3) ? (int64_t)any(2 * len + 5) - len - 2 : edges[any(6)];
	check_substr(any(4) ? p[0] : p[1], p[1], index, count);
}

static void try_path(const char *set)
{
	char *copy, *dir;
	uint32_t p[3];
	uint64_t n;

	any_places(p);
	any_string(p[0], "junk");
	any_string(p[1], set);
	copy = strdup(mem + p[1]);
	n = run_string(FN_dt_basename, p[0], p[1], 0, 0);
	check_string(n, p[0], basename(copy));
	free(copy);

	copy = strdup(mem + p[1]);
	n = run_string(FN_dt_dirname, p[0], p[1], 0, 0);
	dir = dirname(copy);
	check_string(n, p[0], !strcmp(dir, "//") ? "/" : dir); /* glibc keeps "//" alone */
	free(copy);
}

static void try_lltostr(void)
{
	int64_t v = any_value();
	char want[32];
	uint32_t p[3];
	uint64_t n;

	any_places(p);
	any_string(p[0], "junk");
	snprintf(want, sizeof(want), "%lld", (long long)v);
	n = run_string(FN_dt_lltostr, p[0], (uint64_t)v, 0, 0);
	check_string(n, p[0], want);
}

static void test_bounds(void)
{
	check_bounds(FN_dt_strcmp, 2);
	check_bounds(FN_dt_strjoin, 3);
	check_bounds(FN_dt_substr, 2);
	check_bounds(FN_dt_basename, 2);
	check_bounds(FN_dt_dirname, 2);
	check_bounds(FN_dt_lltostr, 1);
}

static void test_strings(uint32_t size, int rounds)
{
	rt_open(size, 0);
	test_bounds();
	for (int i = 0; i < rounds; i++) {
		try_strcmp();
		try_strjoin();
		try_substr();
		try_path("a/");
		try_path("abcdef/");
		try_path("/");
		try_lltostr();
	}
	rt_close();
}

/* ---- examples of the language's description ---- */

static void check_path(const char *path, const char *base, const char *dir)
{
	strcpy(mem, path);
	check_string(run_string(FN_dt_basename, room, 0, 0, 0), room, base);
	check_string(run_string(FN_dt_dirname, room, 0, 0, 0), room, dir);
}

static void test_examples(void)
{
	check_path("", ".", ".");
	check_path("/", "/", "/");
	check_path("//", "/", "/");
	check_path("/a", "a", "/");
	check_path("a", "a", ".");
	check_path("a/", "a", ".");
	check_path("/usr//lib///", "lib", "/usr");
	check_path("usr/lib", "lib", "usr");
	check_path("//a", "a", "/");
	strcpy(mem, "abcdef");
	check_substr(room, 0, -8, -1);
	CHECK_STR(after + room, "");
	check_substr(room, 0, -8, 4);
	CHECK_STR(after + room, "ab");
	check_substr(room, 0, 2, -1);
	CHECK_STR(after + room, "cde");
	check_substr(room, 0, -2, LONG_MAX);
	CHECK_STR(after + room, "ef");
	check_string(
		run_string(FN_dt_lltostr, 0, (uint64_t)INT64_MIN, 0, 0), 0, "-9223372036854775808");
}

/* ---- aggregations ---- */

static void try_quantize(void)
{
	int64_t v = any_value();

	CHECK_INT(run(FN_dt_quantize, (uint64_t)v, 0, 0, 0, 0), agg_bucket(AGG_quantize, NULL, v));
}

static void try_lquantize(void)
{
	struct agg_params p = {.step = (uint16_t)(1 + any(any(2) ? 5 : 65535))};
	uint32_t levels = 1 + any(any(2) ? 10 : 65535);
	int64_t limit, v;

	p.base = (int32_t)(any(UINT32_MAX) ^ 0x80000000u) >> any(31);
	limit = p.base + (int64_t)levels * p.step;
	if (limit > INT32_MAX)
		limit = INT32_MAX;
	if (limit - p.base < p.step)
		return;
	p.limit = (int32_t)limit;
	levels = agg_nbuckets(AGG_lquantize, &p) - 2;
	v = any(2) ? any_value() : p.base - 2 + (int64_t)any((uint32_t)(limit - p.base) + 5);
	CHECK_INT(run(FN_dt_lquantize, (uint64_t)v, (uint64_t)(int64_t)p.base, p.step, levels, 0),
		agg_bucket(AGG_lquantize, &p, v));
}

static void try_llquantize(void)
{
	/* as the compiler lets them through: F^(hmag+1) fits, steps divide */
	static const struct agg_params params[] = {
		{.factor = 10, .lmag = 0, .hmag = 6, .steps = 10},
		{.factor = 10, .lmag = 0, .hmag = 18, .steps = 5},
		{.factor = 10, .lmag = 3, .hmag = 9, .steps = 100},
		{.factor = 10, .lmag = 0, .hmag = 3, .steps = 100},
		{.factor = 2, .lmag = 0, .hmag = 62, .steps = 2},
		{.factor = 2, .lmag = 0, .hmag = 62, .steps = 1},
		{.factor = 2, .lmag = 0, .hmag = 62, .steps = 4},
		{.factor = 16, .lmag = 2, .hmag = 14, .steps = 4096},
		{.factor = 65535, .lmag = 0, .hmag = 2, .steps = 1},
		{.factor = 3, .lmag = 5, .hmag = 5, .steps = 3},
	};
	const struct agg_params *p = &params[any(sizeof(params) / sizeof(params[0]))];
	int64_t v = any_value();

	CHECK_INT(run(FN_dt_llquantize, (uint64_t)v, p->factor, p->lmag, p->hmag, p->steps),
		agg_bucket(AGG_llquantize, p, v));
}

static void try_square(void)
{
	int64_t v = any_value();
	unsigned __int128 square = (unsigned __int128)((__int128)v * v);

	CHECK_INT(run(FN_dt_square_high, (uint64_t)v, 0, 0, 0, 0), (int64_t)(square >> 64));
}

static void test_aggs(int rounds)
{
	for (int i = 0; i < rounds; i++) {
		try_quantize();
		try_lquantize();
		try_llquantize();
		try_square();
	}
	/* nonsense must not hang or crash */
	run(FN_dt_lquantize, 5, 0, 0, 0, 0);
	run(FN_dt_llquantize, 5, 0, 0, 0, 0);
	run(FN_dt_llquantize, UINT64_MAX, UINT64_MAX, 0, UINT64_MAX, 0);
}

/* ---- scratch slots ---- */

static void test_scratch(int claim, int release)
{
	uint64_t seen = 0;

	for (int i = 0; i < DT_SCRATCH_SLOTS; i++) {
		uint64_t slot = run(claim, 0, 0, 0, 0, 0) - cpu_slot;

		CHECK(slot < DT_SCRATCH_SLOTS);
		CHECK(!(seen & (1ull << slot)));
		seen |= 1ull << slot;
	}
	CHECK_INT(run(claim, 0, 0, 0, 0, 0), -1);
	run(release, cpu_slot + 5, 0, 0, 0, 0);
	run(release, cpu_slot + DT_SCRATCH_SLOTS, 0, 0, 0, 0); /* another CPU's */
	run(release, UINT64_MAX, 0, 0, 0, 0);
	CHECK_INT(run(claim, 0, 0, 0, 0, 0), cpu_slot + 5);
	CHECK_INT(run(claim, 0, 0, 0, 0, 0), -1);
	for (uint32_t i = 0; i < DT_SCRATCH_SLOTS; i++)
		run(release, cpu_slot + i, 0, 0, 0, 0);
	CHECK_INT(run(claim, 0, 0, 0, 0, 0), cpu_slot);
	run(release, cpu_slot, 0, 0, 0, 0);
}

int main(void)
{
	char why[256];

	if (load_privileges(why, sizeof(why)))
		test_skip(why);
	rt_start(NULL, 0);

	rt_open(256, 0);
	test_examples();
	test_aggs(4000);
	test_scratch(FN_dt_scratch_claim, FN_dt_scratch_release);
	test_scratch(FN_dt_scratch_claim_plain, FN_dt_scratch_release_plain);
	rt_close();
	for (uint32_t size = 2; size < 20; size++)
		test_strings(size, 60);
	test_strings(255, 300);
	test_strings(256, 300);
	test_strings(1000, 100);
	test_strings(4096, 60);
	test_strings(65536, 10);
	rt_end();
	return test_done();
}
