// SPDX-License-Identifier: Apache-2.0
/*
 * Globs, against fnmatch(3) too.
 * @ref d-language 4 glob-star glob-question glob-sets glob-escape case-sensitive
 */
#include <fnmatch.h>
#include <time.h>

#include "probe/glob.h"
#include "test.h"

#define YES(pattern, text) CHECK(glob_match(pattern, text))
#define NO(pattern, text)  CHECK(!glob_match(pattern, text))

static void test_plain(void)
{
	YES("", "");
	YES("", "anything");
	YES("read", "read");
	NO("read", "");
	NO("read", "rea");
	NO("read", "reads");
	NO("read", "aread");
	NO("read", "Read");
	YES("a:b", "a:b");
	YES("!a-]", "!a-]");
}

static void test_wildcards(void)
{
	YES("*", "");
	YES("*", "x");
	YES("**", "");
	YES("a*", "a");
	YES("*a", "a");
	YES("open*", "openat2");
	YES("*stat", "newfstat");
	YES("*stat*", "newfstatat");
	NO("*stat", "newfstatat");
	YES("*ab", "aab");
	YES("*abc*abd", "abcabcabd");
	YES("a*b*c", "abbc");
	NO("a*b*c", "abb");
	YES("?", "x");
	NO("?", "");
	NO("?", "xy");
	YES("??*", "xy");
	NO("??*", "x");
	YES("*?*", "x");
	NO("*?*", "");
}

static void test_sets(void)
{
	YES("[abc]", "b");
	NO("[abc]", "d");
	NO("[abc]", "");
	NO("[abc]", "ab");
	YES("x[a-c]y", "xby");
	NO("x[a-c]y", "xdy");
	YES("[!a-c]", "d");
	NO("[!a-c]", "b");
	NO("[!a]", "");
	YES("[]]", "]");
	YES("[]a]", "a");
	NO("[]a]", "b");
	YES("[!]]", "a");
	NO("[!]]", "]");
	YES("[a-]", "-");
	YES("[-a]", "-");
	NO("[a-]", "b");
	NO("[c-a]", "b");
	YES("[a!]", "!");
	YES("[^a]", "a"); /* only ! negates */
	YES("[*]", "*");
	NO("[*]", "x");
	YES("[\\]]", "]");
	YES("[a\\-c]", "-");
	NO("[a\\-c]", "b");
	YES("[\\a-\\c]", "b");
	YES("*[0-9]", "pread64");
	NO("*[0-9]", "pread");
	YES("[\x80-\xff]", "\xc3");
	YES("[a-c][x-z]*", "bypass");
}

static void test_escapes(void)
{
	YES("\\*", "*");
	NO("\\*", "x");
	YES("\\?", "?");
	YES("\\[a]", "[a]");
	YES("\\a", "a");
	YES("\\\\", "\\");
	YES("*\\*", "a*");
	NO("*\\*", "a");
}

/* A malformed pattern matches nothing, not even itself. */
static void test_malformed(void)
{
	static const char *const patterns[] = {
		"[",
		"[!",
		"[]",
		"[!]",
		"[a",
		"[a-",
		"[a-z",
		"[a\\",
		"[a-\\",
		"[\\]",
		"*[",
		"\\",
		"a\\",
		"*\\",
	};
	static const char *const texts[] = {"", "[", "a", "\\", "a\\", "[a", "[a-", "]", "-"};

	for (unsigned i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		for (unsigned j = 0; j < sizeof(texts) / sizeof(texts[0]); j++)
			NO(patterns[i], texts[j]);
}

static void test_is_pattern(void)
{
	CHECK(glob_is_pattern(""));
	CHECK(glob_is_pattern("*"));
	CHECK(glob_is_pattern("a?"));
	CHECK(glob_is_pattern("[a]"));
	CHECK(glob_is_pattern("a\\b"));
	CHECK(!glob_is_pattern("read"));
	CHECK(!glob_is_pattern("tick-1s"));
	CHECK(!glob_is_pattern("a]b!"));
}

/* Many stars must not cost more than the product of the lengths. */
static void test_many_stars(void)
{
	static char pattern[4001], text[2001];
	struct timespec from, to;

	for (int i = 0; i < 4000; i += 2)
		memcpy(pattern + i, "*a", 2);
	pattern[1000] = '\0';
	memset(text, 'a', sizeof(text) - 1);
	clock_gettime(CLOCK_MONOTONIC, &from);
	YES(pattern, text);
	pattern[999] = 'b';
	NO(pattern, text);
	NO("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*ab", text);
	NO("*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*[a-z]*?*1", text);
	clock_gettime(CLOCK_MONOTONIC, &to);
	CHECK(to.tv_sec - from.tv_sec < 5);
}

/* True if every set ends and no backslash is last: there fnmatch(3) does the same. */
static int well_formed(const char *p)
{
	while (*p) {
		if (*p == '\\' && !*++p)
			return 0;
		if (*p++ != '[' || p[-2] == '\\')
			continue;
		p += *p == '!';
		do {
			if (*p == '\\')
				p++;
			if (!*p)
				return 0;
		} while (*++p != ']');
		p++;
	}
	return 1;
}

/* The N-th string of LEN characters of ALPHABET. */
static void nth_string(char *out, int len, const char *alphabet, unsigned n)
{
	unsigned base = (unsigned)strlen(alphabet);

	for (int i = 0; i < len; i++, n /= base)
		out[i] = alphabet[n % base];
	out[len] = '\0';
}

static unsigned power(unsigned base, int n)
{
	unsigned r = 1;

	while (n--)
		r *= base;
	return r;
}

/* Every short well-formed pattern against every short text, beside fnmatch(3). */
static void test_all_short(void)
{
	static const char in_pattern[] = "ab*?[]!-\\", in_text[] = "ab-]";
	char pattern[8] = {0}, text[8];
	int compared = 0, differing = 0;

	for (int plen = 1; plen <= 5; plen++)
		for (unsigned p = 0; p < power(sizeof(in_pattern) - 1, plen); p++) {
			nth_string(pattern + 1, plen, in_pattern, p);
			if (!well_formed(pattern + 1))
				continue;
			for (int tlen = 0; tlen <= 2; tlen++)
				for (unsigned t = 0; t < power(sizeof(in_text) - 1, tlen); t++) {
					nth_string(text, tlen, in_text, t);
					compared++;
					if (glob_match(pattern + 1, text) ==
						!fnmatch(pattern + 1, text, 0))
						continue;
					if (differing++ < 10)
						printf("%s against %s\n", pattern + 1, text);
				}
		}
	CHECK(compared > 500000);
	CHECK_INT(differing, 0);
}

int main(void)
{
	test_plain();
	test_wildcards();
	test_sets();
	test_escapes();
	test_malformed();
	test_is_pattern();
	test_many_stars();
	test_all_short();
	return test_done();
}
