// SPDX-License-Identifier: Apache-2.0
/*
 * Tokens, paths, numbers and addresses in the run-time library against the same things done in
 * plain C.
 * @ref d-builtins 3.2
 * @ref d-builtins 3.3
 * @ref d-language 21
 */
#include "rt_run.h"

#include <arpa/inet.h>

static const enum fn tested[] = {FN_dt_strtok, FN_dt_cleanpath, FN_dt_strtoll, FN_dt_lltostr_base,
	FN_dt_inet_ntoa, FN_dt_inet_ntoa6, FN_dt_link_ntop};

#define CONTINUE UINT64_MAX

static void put(uint32_t off, const char *text)
{
	memset(mem + off, '~', room);
	strncpy(mem + off, text, strsize);
	mem[off + strsize] = '\0';
}

/* ---- strtok() ---- */

static uint32_t tokens_size(void)
{
	return (strsize + 1 + 16 + 7) & ~7u;
}

/* Returns the place of strtok()'s state: after the three strings. */
static uint32_t tokens_at(void)
{
	return 3 * room;
}

/* A call; what it left is what the next one finds. */
static uint64_t call_strtok(uint32_t dst, uint64_t src, uint32_t delims)
{
	uint32_t state = tokens_at();
	uint64_t n = run_string(FN_dt_strtok, dst, src, delims, state);

	CHECK(!memcmp(mem + state + tokens_size(), after + state + tokens_size(),
		scratch_size - state - tokens_size()));
	memcpy(mem + state, after + state, tokens_size());
	return n;
}

static void check_token(uint32_t dst, uint64_t src, uint32_t delims, const char *want)
{
	uint64_t n = call_strtok(dst, src, delims);

	if (want) {
		check_string(n, dst, want);
		return;
	}
	CHECK_INT(n, -1);
	CHECK(!memcmp(mem, after, scratch_size));
}

/* What strtok_r() does, except that the position stays at the delimiter; NULL: no more tokens. */
static char *reference_token(char **at, const char *delims, char *out)
{
	size_t n;

	*at += strspn(*at, delims);
	n = strcspn(*at, delims);
	memcpy(out, *at, n);
	out[n] = '\0';
	*at += n;
	return n ? out : NULL;
}

static void try_strtok(void)
{
	static const char *const sets[] = {"a,", "ab, ", ",", "\xff\x80\x7f?a", "abcdefgh"};
	static const char *const delims[] = {",", ", ", "", "\xff\x80", "z", "?a", "ab, "};
	uint32_t p[3];
	char *copy, *at, *token, *want;

	any_places(p);
	any_string(p[0], "junk");
	any_string(p[1], sets[any(5)]);
	put(p[2], delims[any(7)]);
	for (uint32_t i = 0; i < tokens_size(); i++)
		mem[tokens_at() + i] = i < 16 ? 0 : (char)any(256);
	CHECK_INT(call_strtok(p[0], CONTINUE, p[2]), -2);
	copy = at = strdup(mem + p[1]);
	want = strdup(copy);
	token = reference_token(&at, mem + p[2], want);
	check_token(p[0], p[1], p[2], token);
	any_string(p[1], "the source may change");
	for (uint32_t i = 0; i < strsize + 3 && token; i++) {
		if (!any(3)) /* other delimiters */
			put(p[2], delims[any(7)]);
		token = reference_token(&at, mem + p[2], want);
		check_token(p[0], CONTINUE, p[2], token);
	}
	check_token(p[0], CONTINUE, p[2], reference_token(&at, mem + p[2], want));
	free(want);
	free(copy);
}

/* Each of the offsets, where a source of ~0 isn't one. */
static void check_strtok_bounds(void)
{
	const uint64_t bad[] = {scratch_size - room + 1, value_size, 1ull << 32, UINT64_MAX - 1};

	for (int i = 0; i < 16; i++) {
		uint64_t a[4] = {0, room, 2 * room, tokens_at()};

		a[i % 4] = bad[i / 4];
		CHECK_INT(run_string(FN_dt_strtok, a[0], a[1], a[2], a[3]), 0);
		CHECK(!memcmp(mem, after, value_size));
	}
	CHECK_INT(run(FN_dt_strtok, UINT64_MAX, 0, room, 2 * room, tokens_at()), 0);
}

static void test_strtok(void)
{
	memset(mem + tokens_at(), 0, tokens_size());
	put(0, ",,ab,;c,");
	put(room, ",;");
	check_token(2 * room, 0, room, "ab");
	check_token(2 * room, CONTINUE, room, "c");
	check_token(2 * room, CONTINUE, room, NULL);
	check_token(2 * room, CONTINUE, room, NULL);
	check_token(2 * room, 0, room, "ab"); /* from the start again */
	put(room, "");
	check_token(2 * room, CONTINUE, room, ",;c,"); /* all that is left */
	check_token(2 * room, CONTINUE, room, NULL);
	put(0, "");
	check_token(2 * room, 0, room, NULL);
	put(0, ",,,");
	put(room, ",");
	check_token(2 * room, 0, room, NULL);
	check_token(2 * room, CONTINUE, room, NULL);
	memset(mem + tokens_at(), 0, tokens_size());
	CHECK_INT(call_strtok(2 * room, CONTINUE, room), -2);
}

/* ---- cleanpath() ---- */

/* Component by component, on an array of them. */
static char *clean_reference(const char *path)
{
	char *copy = strdup(path), *out = calloc(1, strlen(path) + 2), *save = NULL;
	char **parts = calloc(strlen(path) + 1, sizeof(*parts));
	size_t n = 0;

	for (char *c = strtok_r(copy, "/", &save); c; c = strtok_r(NULL, "/", &save)) {
		if (!strcmp(c, "."))
			continue;
		if (strcmp(c, "..") || (!n && path[0] != '/') || (n && !strcmp(parts[n - 1], "..")))
			parts[n++] = c;
		else if (n)
			n--;
	}
	if (path[0] == '/')
		strcat(out, "/");
	for (size_t i = 0; i < n; i++) {
		strcat(out, parts[i]);
		if (i + 1 < n)
			strcat(out, "/");
	}
	if (path[0] && !out[0])
		strcpy(out, ".");
	free(copy);
	free(parts);
	return out;
}

static void check_clean(uint32_t dst, uint32_t src)
{
	char *want = clean_reference(mem + src);

	check_string(run_string(FN_dt_cleanpath, dst, src, 0, 0), dst, want);
	free(want);
}

static void expect_clean(const char *path, const char *want)
{
	put(0, path);
	check_clean(room, 0);
	CHECK_STR(after + room, want);
}

static void test_cleanpath(void)
{
	expect_clean("", "");
	expect_clean("a/..", ".");
	expect_clean("./a", "a");
	expect_clean("/..", "/");
	expect_clean("/../a", "/a");
	expect_clean("../a/..", "..");
	expect_clean("../../a", "../../a");
	expect_clean("a/../..", "..");
	expect_clean("//usr//./lib/../bin/", "/usr/bin");
	expect_clean("/", "/");
	expect_clean(".", ".");
	expect_clean("./", ".");
	expect_clean("..", "..");
	expect_clean("/a/b/../../..", "/");
	expect_clean("...", "...");
	expect_clean("a/.../..", "a");
	expect_clean(".a/..b/c.", ".a/..b/c.");
}

static void try_cleanpath(void)
{
	uint32_t p[3];

	any_places(p);
	any_string(p[0], "junk");
	any_string(p[1], any(2) ? "/./.a" : any(2) ? "/." : "abcdef/.");
	check_clean(p[0], p[1]);
}

/* ---- strtoll(), lltostr() ---- */

static void check_strtoll(const char *text, int64_t base)
{
	int model = base < 2 || base > 36 ? 10 : (int)base;

	put(0, text);
	CHECK_INT(run_string(FN_dt_strtoll, 0, (uint64_t)base, 0, 0), strtoll(mem, NULL, model));
	CHECK(!memcmp(mem, after, scratch_size));
}

static int64_t any_base(void)
{
	static const int64_t odd[] = {0, 1, -1, 37, INT64_MAX, INT64_MIN, 1ll << 32};

	return any(3) ? 2 + any(35) : any(2) ? 16 : odd[any(7)];
}

static const char *digits_of(char *out, uint64_t value, uint32_t base)
{
	*--out = '\0';
	do {
		*--out = "0123456789abcdefghijklmnopqrstuvwxyz"[value % base];
		value /= base;
	} while (value);
	return out;
}

static int64_t any_value(void)
{
	static const int64_t edges[] = {0, 1, -1, 7, 8, 255, -256, INT64_MAX, INT64_MIN};
	int64_t v = (int64_t)(((uint64_t)any(UINT32_MAX) << 32) | any(UINT32_MAX));

	return any(3) ? v >> any(63) : edges[any(9)];
}

static void try_strtoll(void)
{
	int64_t base = any_base();
	char text[100], digits[70], *copy;
	static const char *const before[] = {
		"", " ", "\t\n\v\f\r ", "-", " +", "0x", " -0X", "+-", "- ", "0", "00x"};
	static const char *const behind[] = {"", " 1", "zz", "0", "@", ":", "/", "[", "`", "{"};

	snprintf(text, sizeof(text), "%s%s%s", before[any(11)],
		digits_of(digits + sizeof(digits), (uint64_t)any_value(),
			base < 2 || base > 36 ? 10 : (uint32_t)base),
		behind[any(10)]);
	check_strtoll(text, base);
	any_string(0, any(2) ? "019azAZ" : " -+0xX1f");
	copy = strdup(mem);
	check_strtoll(copy, base);
	free(copy);
}

static void test_strtoll(void)
{
	check_strtoll("", 10);
	check_strtoll("-", 10);
	check_strtoll("0x", 16);
	check_strtoll("0xg", 16);
	check_strtoll("-0x10", 16);
	check_strtoll("0x10", 10);
	check_strtoll("9223372036854775807", 10);
	check_strtoll("9223372036854775808", 10);
	check_strtoll("-9223372036854775808", 10);
	check_strtoll("-9223372036854775809", 10);
	check_strtoll("99999999999999999999999999", 10);
	check_strtoll("zz", 36);
	check_strtoll("-1y2p0ij32e8e8", 36);
	check_strtoll("101", 2);
	check_strtoll("17", 0);
}

static void check_lltostr(uint32_t dst, int64_t value, int64_t base)
{
	uint32_t model = base < 2 || base > 36 ? 10 : (uint32_t)base;
	uint64_t mag = model == 10 && value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	char want[80], digits[70];

	snprintf(want, sizeof(want), "%s%s%s", model == 10 && value < 0 ? "-" : "",
		model == 16		      ? "0x"
			: model == 8 && value ? "0"
					      : "",
		digits_of(digits + sizeof(digits), mag, model));
	check_string(
		run_string(FN_dt_lltostr_base, dst, (uint64_t)value, (uint64_t)base, 0), dst, want);
}

static void try_lltostr(void)
{
	uint32_t p[3];

	any_places(p);
	any_string(p[0], "junk");
	check_lltostr(p[0], any_value(), any_base());
}

static void expect_lltostr(int64_t value, int64_t base, const char *want)
{
	check_lltostr(0, value, base);
	CHECK_STR(after, want);
}

static void test_lltostr(void)
{
	expect_lltostr(0, 16, "0x0");
	expect_lltostr(0, 8, "0");
	expect_lltostr(0, 2, "0");
	expect_lltostr(255, 16, "0xff");
	expect_lltostr(8, 8, "010");
	expect_lltostr(-1, 16, "0xffffffffffffffff");
	expect_lltostr(-1, 10, "-1");
	expect_lltostr(-1, 99, "-1");
	expect_lltostr(35, 36, "z");
	expect_lltostr(INT64_MIN, 10, "-9223372036854775808");
	expect_lltostr(
		INT64_MIN, 2, "1000000000000000000000000000000000000000000000000000000000000000");
}

/* ---- addresses ---- */

static void quad_reference(char *out, const uint8_t *a)
{
	sprintf(out, "%u.%u.%u.%u", a[0], a[1], a[2], a[3]);
}

static void inet6_reference(char *out, const uint8_t *a, int strict)
{
	uint32_t g[8], run = 8, run_len = 1, zeros = 0;

	for (int i = 0; i < 8; i++)
		g[i] = (uint32_t)a[2 * i] << 8 | a[2 * i + 1];
	if (!(g[0] | g[1] | g[2] | g[3] | g[4]) &&
		(g[5] == 0xffff || (!g[5] && (g[6] || g[7] > 1)))) {
		if (strict)
			out += sprintf(out, g[5] ? "::ffff:" : "::");
		quad_reference(out, a + 12);
		return;
	}
	for (uint32_t i = 0; i < 8; i++) {
		zeros = g[i] ? 0 : zeros + 1;
		if (zeros > run_len)
			run_len = zeros, run = i + 1 - zeros;
	}
	for (uint32_t i = 0; i < 8; i++) {
		if (i == run) {
			out += sprintf(out, "::");
			i += run_len - 1;
			continue;
		}
		out += sprintf(out, "%s%x", i && i != run + run_len ? ":" : "", g[i]);
	}
	*out = '\0';
}

static void check_inet(uint32_t dst, uint32_t src)
{
	const uint8_t *a = (const uint8_t *)mem + src;
	char want[64];

	quad_reference(want, a);
	check_string(run_string(FN_dt_inet_ntoa, dst, src, 0, 0), dst, want);
	inet6_reference(want, a, 0);
	check_string(run_string(FN_dt_inet_ntoa6, dst, src, 0, 0), dst, want);
	inet_ntop(AF_INET6, a, want, sizeof(want));
	check_string(run_string(FN_dt_inet_ntoa6, dst, src, 2, 0), dst, want);
	inet_ntop(AF_INET, a, want, sizeof(want));
	check_string(run_string(FN_dt_inet_ntoa, dst, src, 0, 0), dst, want);
	inet6_reference(want, a, 1);
	check_string(run_string(FN_dt_inet_ntoa6, dst, src, 1ull << 40, 0), dst, want);
}

static void check_link(uint32_t dst, uint32_t src)
{
	const uint8_t *a = (const uint8_t *)mem + src;
	char want[64];

	for (int i = 0; i < 20; i++)
		sprintf(want + 3 * i, i == 19 ? "%02x" : "%02x:", a[i]);
	check_string(run_string(FN_dt_link_ntop, dst, src, 32, 0), dst, want);
	want[17] = '\0';
	check_string(run_string(FN_dt_link_ntop, dst, src, 1, 0), dst, want);
	CHECK_INT(run_string(FN_dt_link_ntop, dst, src, any(2) ? 0 : 2 + any(30), 0), -1);
	CHECK(!memcmp(mem, after, scratch_size));
	CHECK_INT(run_string(FN_dt_link_ntop, dst, src, 1ull << 32 | 1, 0), -1);
}

/* Addresses lie behind all strings, up to the end of the slot. */
static void try_addr(void)
{
	uint32_t p[3], src = scratch_size - 20;

	any_places(p);
	any_string(p[0], "junk");
	for (int i = 0; i < 20; i++)
		mem[src + i] = (char)(any(3) ? 0 : any(256));
	if (!any(3))
		memset(mem + src, 0, 10);
	if (!any(3))
		memset(mem + src + 10, any(3) ? -1 : 0, 2);
	if (!any(8))
		memset(mem + src + 12, 0, 3);
	if (any(2))
		for (int i = 0; i < 20; i++)
			mem[src + i] = (char)any(256);
	check_inet(p[0], src);
	check_link(p[0], src);
	check_inet(p[0], src + 4); /* the last 16 bytes */
}

static void expect_inet6(const uint16_t *groups, const char *want, const char *strict)
{
	for (int i = 0; i < 8; i++) {
		mem[2 * i] = (char)(groups[i] >> 8);
		mem[2 * i + 1] = (char)groups[i];
	}
	check_inet(room, 0);
	CHECK_STR(after + room, strict);
	check_string(run_string(FN_dt_inet_ntoa6, room, 0, 0, 0), room, want);
}

#define G(...) ((const uint16_t[8]){__VA_ARGS__})

static void test_addr(void)
{
	expect_inet6(G(0, 0, 0, 0, 0, 0, 0x7f00, 1), "127.0.0.1", "::127.0.0.1");
	expect_inet6(G(0, 0, 0, 0, 0, 0xffff, 0x7f00, 1), "127.0.0.1", "::ffff:127.0.0.1");
	expect_inet6(G(0), "::", "::");
	expect_inet6(G(0, 0, 0, 0, 0, 0, 0, 1), "::1", "::1");
	expect_inet6(G(0, 0, 0, 0, 0, 0, 0, 2), "0.0.0.2", "::0.0.0.2");
	expect_inet6(G(0, 0, 0, 0, 0, 0xffff, 0, 0), "0.0.0.0", "::ffff:0.0.0.0");
	expect_inet6(G(0xfe80, 0, 0, 0, 0x202, 0xb3ff, 0xfe1e, 0x8329), "fe80::202:b3ff:fe1e:8329",
		"fe80::202:b3ff:fe1e:8329");
	expect_inet6(G(1, 0, 0, 2, 3, 0, 0, 4), "1::2:3:0:0:4", "1::2:3:0:0:4");
	expect_inet6(G(1, 0, 2, 0, 3, 0, 4, 0), "1:0:2:0:3:0:4:0", "1:0:2:0:3:0:4:0");
	expect_inet6(G(1, 0, 0, 2, 0, 0, 0, 0), "1:0:0:2::", "1:0:0:2::");
	expect_inet6(G(0, 0, 0, 0, 0, 1, 2, 3), "::1:2:3", "::1:2:3");
	expect_inet6(G(0xabcd, 0x1234, 0xf, 0xff, 0xfff, 0xffff, 0x100, 0x10),
		"abcd:1234:f:ff:fff:ffff:100:10", "abcd:1234:f:ff:fff:ffff:100:10");
}

/* Like strings that are out of range: too near the end for an address. */
static void check_addr_bounds(enum fn fn, uint32_t size, uint64_t arg)
{
	const uint64_t bad[] = {scratch_size - size + 1, scratch_size, value_size, UINT32_MAX,
		UINT64_MAX, 1ull << 63};

	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CHECK_INT(run_string(fn, 0, bad[i], arg, 0), 0);
		CHECK(!memcmp(mem, after, value_size));
	}
	CHECK_INT(run_string(fn, scratch_size - strsize, 0, arg, 0), 0);
	CHECK(!memcmp(mem, after, value_size));
}

/* ---- all ---- */

static void test_any(uint32_t size, int rounds)
{
	rt_open(size, ((size + 24) & ~7u) + 24);
	check_strtok_bounds();
	check_bounds(FN_dt_cleanpath, 2);
	check_bounds(FN_dt_strtoll, 1);
	check_bounds(FN_dt_lltostr_base, 1);
	check_addr_bounds(FN_dt_inet_ntoa, 4, 0);
	check_addr_bounds(FN_dt_inet_ntoa6, 16, 1);
	check_addr_bounds(FN_dt_link_ntop, 6, 1);
	check_addr_bounds(FN_dt_link_ntop, 20, 32);
	for (int i = 0; i < rounds; i++) {
		try_strtok();
		try_cleanpath();
		try_strtoll();
		try_lltostr();
		try_addr();
	}
	rt_close();
}

int main(void)
{
	char why[256];

	if (load_privileges(why, sizeof(why)))
		test_skip(why);
	rt_start(tested, sizeof(tested) / sizeof(tested[0]));
	rt_open(256, 512);
	test_strtok();
	test_cleanpath();
	test_strtoll();
	test_lltostr();
	test_addr();
	rt_close();
	for (uint32_t size = 1; size < 20; size++)
		test_any(size, 100);
	test_any(64, 300);
	test_any(255, 300);
	test_any(256, 300);
	test_any(1000, 60);
	test_any(4096, 20);
	test_any(65535, 3);
	rt_end();
	return test_done();
}
