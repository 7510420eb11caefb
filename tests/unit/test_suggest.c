// SPDX-License-Identifier: Apache-2.0
/* Which of many names is suggested for one that does not exist. */
#include "base/suggest.h"

#include "test.h"

/* The best of NAMES, separated by blanks, offered in this order and in the opposite one. */
static const char *best(const char *wanted, const char *names)
{
	static char copy[2][256];
	const char *parts[32], *a, *b;
	struct suggest s;
	int n = 0;

	snprintf(copy[0], sizeof(copy[0]), "%s", names);
	for (char *p = strtok(copy[0], " "); p; p = strtok(NULL, " "))
		parts[n++] = p;
	suggest_begin(&s, wanted);
	for (int i = 0; i < n; i++)
		suggest_offer(&s, parts[i]);
	a = suggest_best(&s);
	suggest_begin(&s, wanted);
	for (int i = n; i-- > 0;)
		suggest_offer(&s, parts[i]);
	b = suggest_best(&s);
	CHECK_STR(a, b); /* the order does not matter */
	return a;
}

static void test_near(void)
{
	CHECK_STR(best("com", "pid comm flags"), "comm");
	CHECK_STR(best("opne", "open close pipe openat"), "open");
	CHECK_STR(best("enter", "entry return"), "entry");
	CHECK_STR(best("execnam", "pid execname uid"), "execname");
	CHECK_STR(best("exec_name", "pid execname uid"), "execname");
	CHECK_STR(best("nosuch", "pid execname uid"), NULL);
	CHECK_STR(best("x", ""), NULL);
	CHECK_STR(best("", "a b"), NULL);
	CHECK_STR(best("ab", "cd"), NULL);
}

static void test_case(void)
{
	CHECK_STR(best("begin", "being BEGIN begins"), "BEGIN");
	CHECK_STR(best("Curthread", "curthread curthreads"), "curthread");
	CHECK_STR(best("begn", "BEGIN END"), "BEGIN");
	CHECK_STR(best("nosuc", "ENOSPC ENOENT"), NULL);
	CHECK_STR(best("PID", "uid pid ppid"), "pid");
}

/* A name of one letter is no misspelling of another; nothing is left of "ab" in "a". */
static void test_short(void)
{
	CHECK_STR(best("x", "y z"), NULL);
	CHECK_STR(best("x", "X y"), "X");
	CHECK_STR(best("x", "xy"), NULL);
	CHECK_STR(best("ab", "a b"), NULL);
	CHECK_STR(best("ba", "ab"), "ab");
	CHECK_STR(best("pi", "pid"), "pid");
}

/* Among equals the one that begins alike, then the first by name. */
static void test_ties(void)
{
	CHECK_STR(best("time", "tide lime"), "tide");
	CHECK_STR(best("prinft", "print printf printa"), "printf");
	CHECK_STR(best("fork", "forb fora forc"), "fora");
}

/* A name without its beginning or end is found if nothing nearer is. */
static void test_ends(void)
{
	CHECK_STR(best("sendfile", "sendfile64 sendto"), "sendfile64");
	CHECK_STR(best("uname", "newuname olduname2"), "newuname");
	CHECK_STR(best("stat", "newstat"), "newstat");
	CHECK_STR(best("stat", "newstat statx"), "statx");
	CHECK_STR(best("tim", "timing"), NULL);
	CHECK_STR(best("time", "timeinforce"), NULL);
}

/* A name that exists needs no suggestion. */
static void test_exact(void)
{
	CHECK_STR(best("open", "open opne"), NULL);
}

static void test_distance(void)
{
	CHECK_INT(suggest_distance("open", "OPEN"), 0);
	CHECK_INT(suggest_distance("abcdefgh", "abcdefhg"), 1);
	CHECK_INT(suggest_distance("abcdefgh", "bacdefhg"), 2);
	CHECK_INT(suggest_distance("abcdefgh", "abcefgh"), 1);
	CHECK_INT(suggest_distance("abcdefgh", "abxdefgh"), 1);
	CHECK_INT(suggest_distance("abcdefghi", "abcdxxxhi"), 3);
	CHECK(suggest_distance("abcdefghi", "abxxxxxhi") == SUGGEST_FAR);
	CHECK(suggest_distance("abcdefgh", "hgfedcba") == SUGGEST_FAR);
}

static void test_long(void)
{
	static char a[SUGGEST_MAX_LEN + 2], b[SUGGEST_MAX_LEN + 2];

	memset(a, 'a', SUGGEST_MAX_LEN);
	memset(b, 'a', SUGGEST_MAX_LEN);
	b[SUGGEST_MAX_LEN / 2] = 'b';
	CHECK_STR(best(a, b), b);
	a[SUGGEST_MAX_LEN] = b[SUGGEST_MAX_LEN] = 'a';
	CHECK_STR(best(a, b), NULL);
	b[SUGGEST_MAX_LEN] = '\0';
	CHECK_STR(best(a, b), NULL);
	CHECK_STR(best(b, a), NULL);
}

int main(void)
{
	test_near();
	test_case();
	test_short();
	test_ties();
	test_ends();
	test_exact();
	test_distance();
	test_long();
	return test_done();
}
