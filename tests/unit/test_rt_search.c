// SPDX-License-Identifier: Apache-2.0
/*
 * Searching, tokens and case in the run-time library against the same things done in plain C.
 * @ref d-builtins 3.2
 * @ref d-language 21
 */
#include "rt_run.h"

#include <ctype.h>

static const enum fn tested[] = {FN_dt_strchr, FN_dt_strrchr, FN_dt_strstr, FN_dt_index,
	FN_dt_rindex, FN_dt_toupper, FN_dt_tolower};

/* ---- references ---- */

static int64_t index_reference(const char *s, const char *t, int64_t start)
{
	int64_t n = (int64_t)strlen(s);
	const char *at;

	if (start < 0)
		start = 0;
	at = start <= n ? strstr(s + start, t) : NULL;
	return at ? at - s : -1;
}

static int64_t rindex_reference(const char *s, const char *t, int64_t start)
{
	int64_t n = (int64_t)strlen(s), m = (int64_t)strlen(t);

	if (!m)
		return start < 0 ? 0 : start > n ? n : start;
	for (int64_t i = start > n ? n : start; i >= 0; i--)
		if (i + m <= n && !memcmp(s + i, t, (size_t)m))
			return i;
	return -1;
}

/* ---- what is checked ---- */

/* A suffix, or absent: then nothing has changed. */
static void check_suffix(uint64_t result, uint32_t dst, const char *want)
{
	if (want) {
		check_string(result, dst, want);
		return;
	}
	CHECK_INT(result, -1);
	CHECK(!memcmp(mem, after, scratch_size));
}

static void check_chr(uint32_t dst, uint32_t src, char c)
{
	const char *s = mem + src;

	/* the compiler may sign-extend a char */
	check_suffix(
		run_string(FN_dt_strchr, dst, src, (uint64_t)(int64_t)c, 0), dst, strchr(s, c));
	check_suffix(run_string(FN_dt_strrchr, dst, src, (unsigned char)c, 0), dst, strrchr(s, c));
}

static void check_index(uint32_t a, uint32_t b, int64_t start)
{
	CHECK_INT(run_string(FN_dt_index, a, b, (uint64_t)start, 0),
		index_reference(mem + a, mem + b, start));
	CHECK(!memcmp(mem, after, scratch_size));
	CHECK_INT(run_string(FN_dt_rindex, a, b, (uint64_t)start, 0),
		rindex_reference(mem + a, mem + b, start));
	CHECK(!memcmp(mem, after, scratch_size));
}

static void check_search(uint32_t dst, uint32_t a, uint32_t b)
{
	static const int64_t edges[] = {
		0, -1, 1, INT32_MAX, INT32_MIN, UINT32_MAX, 1ll << 32, LONG_MAX, LONG_MIN};
	int64_t n = (int64_t)strlen(mem + a);

	check_suffix(run_string(FN_dt_strstr, dst, a, b, 0), dst, strstr(mem + a, mem + b));
	check_index(a, b, edges[any(sizeof(edges) / sizeof(edges[0]))]);
	check_index(a, b, (int64_t)any((uint32_t)n + 4) - 1);
	check_index(a, b, n - (int64_t)strlen(mem + b) - 1 + any(3));
}

static void check_case(uint32_t dst, uint32_t src)
{
	char *want = strdup(mem + src);

	for (char *p = want; *p; p++)
		*p = (char)toupper((unsigned char)*p);
	check_string(run_string(FN_dt_toupper, dst, src, 0, 0), dst, want);
	for (char *p = want; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	/* which is what tolower() makes of the source too */
	check_string(run_string(FN_dt_tolower, dst, src, 0, 0), dst, want);
	free(want);
}

/* ---- any input ---- */

static void try_chr(void)
{
	uint32_t p[3];

	any_places(p);
	any_string(p[0], "junk");
	any_string(p[1], any(2) ? "abcdefgh" : "a\x01\x80\x81\xff");
	check_chr(p[0], p[1], "ah\x01\x80\x81\xff\x00"[any(7)]);
}

static void try_search(void)
{
	uint32_t p[3], n, len;

	any_places(p);
	any_string(p[0], "junk");
	n = (uint32_t)strlen(any_string(p[1], any(2) ? "ab" : "aaaaaaaaaaaaaaab"));
	any_string(p[2], any(2) ? "ab" : "aaaaaaaab");
	len = any(2) ? any(6) : any(n + 1);
	if (len > n)
		len = n;
	if (any(4)) { /* a part of the text, perhaps with one byte different */
		memcpy(mem + p[2], mem + p[1] + any(n - len + 1), len);
		mem[p[2] + len] = '\0';
		if (len && !any(3))
			mem[p[2] + any(len)] ^= 1;
	}
	check_search(p[0], p[1], p[2]);
}

static void try_case(void)
{
	uint32_t p[3];

	any_places(p);
	any_string(p[0], "junk");
	any_string(p[1], any(2) ? "azAZ" : "@AZ[`az{\xc1\xda\xe1\xfa\xff\x01");
	check_case(p[0], p[1]);
}

static void test_any(uint32_t size, int rounds)
{
	rt_open(size, 0);
	check_bounds(FN_dt_strchr, 2);
	check_bounds(FN_dt_strrchr, 2);
	check_bounds(FN_dt_strstr, 3);
	check_bounds(FN_dt_index, 2);
	check_bounds(FN_dt_rindex, 2);
	check_bounds(FN_dt_toupper, 2);
	check_bounds(FN_dt_tolower, 2);
	for (int i = 0; i < rounds; i++) {
		try_chr();
		try_search();
		try_case();
	}
	rt_close();
}

/* ---- examples of the language's description ---- */

static void put(uint32_t off, const char *text)
{
	memset(mem + off, '~', room);
	strcpy(mem + off, text);
}

static void expect_index(
	const char *s, const char *t, int64_t start, int64_t want, int64_t want_last)
{
	put(0, s);
	put(room, t);
	CHECK_INT(run_string(FN_dt_index, 0, room, (uint64_t)start, 0), want);
	CHECK_INT(run_string(FN_dt_rindex, 0, room, (uint64_t)start, 0), want_last);
}

static void test_examples(void)
{
	put(0, "");
	check_chr(room, 0, 'a');
	check_chr(room, 0, '\0'); /* finds the terminator */
	CHECK_STR(after + room, "");
	put(0, "abcabc");
	check_chr(room, 0, '\0');
	CHECK_STR(after + room, "");
	check_string(run_string(FN_dt_strchr, room, 0, 'b', 0), room, "bcabc");
	check_string(run_string(FN_dt_strrchr, room, 0, 'b', 0), room, "bc");

	expect_index("abcabc", "bc", 0, 1, -1);
	expect_index("abcabc", "bc", 2, 4, 1);
	expect_index("abcabc", "bc", LONG_MAX, -1, 4);
	expect_index("abcabc", "ab", -5, 0, -1); /* a negative start, though it matches at 0 */
	expect_index("abcabc", "", -5, 0, 0);
	expect_index("abcabc", "", 6, 6, 6);
	expect_index("abcabc", "", 7, -1, 6);
	expect_index("", "", 0, 0, 0);
	expect_index("", "a", 0, -1, -1);
	expect_index("a", "aa", LONG_MAX, -1, -1);

	put(0, "abcabc");
	put(room, "");
	check_string(run_string(FN_dt_strstr, 2 * room, 0, room, 0), 2 * room, "abcabc");
	put(room, "cab");
	check_string(run_string(FN_dt_strstr, 2 * room, 0, room, 0), 2 * room, "cabc");
}

/* Text in which what is looked for nearly is everywhere, in long strings: still few rounds. */
static void test_hostile(void)
{
	rt_open(65536, 0);
	memset(mem, 'a', 65536);
	mem[65536] = '\0';
	memset(mem + room, 'a', 32768);
	strcpy(mem + room + 32767, "b");
	check_search(2 * room, 0, room);
	mem[40000] = 'b';
	check_search(2 * room, 0, room);
	/* the Thue-Morse sequence, which has the same hash as its complement */
	for (uint32_t i = 0; i < 65536; i++)
		mem[i] = "ab"[__builtin_parity(i)];
	for (uint32_t i = 0; i < 4096; i++)
		mem[room + i] = "ba"[__builtin_parity(i)];
	mem[room + 4096] = '\0';
	check_search(2 * room, 0, room);
	mem[room + 4095] = 'c';
	check_search(2 * room, 0, room);
	rt_close();
}

int main(void)
{
	char why[256];

	if (load_privileges(why, sizeof(why)))
		test_skip(why);
	rt_start(tested, sizeof(tested) / sizeof(tested[0]));
	rt_open(256, 0);
	test_examples();
	rt_close();
	for (uint32_t size = 1; size < 20; size++)
		test_any(size, 100);
	test_any(255, 600);
	test_any(256, 600);
	test_any(1000, 200);
	test_any(4096, 60);
	test_any(65535, 10);
	test_hostile();
	rt_end();
	return test_done();
}
