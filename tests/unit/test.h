/* SPDX-License-Identifier: Apache-2.0 */
/* test: checks for unit tests; a test program ends with `return test_done();`. */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_count, test_failed;

static inline void test_check(int ok, const char *file, int line, const char *what)
{
	test_count++;
	if (ok)
		return;
	test_failed++;
	printf("%s:%d: %s\n", file, line, what);
}

static inline void test_check_int(
	int64_t got, int64_t want, const char *file, int line, const char *what)
{
	test_check(got == want, file, line, what);
	if (got != want)
		printf("\tgot  %lld\n\twant %lld\n", (long long)got, (long long)want);
}

static inline void test_check_str(
	const char *got, const char *want, const char *file, int line, const char *what)
{
	int same = got && want ? !strcmp(got, want) : got == want;

	test_check(same, file, line, what);
	if (!same)
		printf("\tgot  [%s]\n\twant [%s]\n", got ? got : "(null)", want ? want : "(null)");
}

#define CHECK(cond)	     test_check(!!(cond), __FILE__, __LINE__, #cond)
#define CHECK_INT(got, want) test_check_int((got), (want), __FILE__, __LINE__, #got)
#define CHECK_STR(got, want) test_check_str((got), (want), __FILE__, __LINE__, #got)

static inline void test_skip(const char *why)
{
	printf("skip: %s\n", why);
	exit(77);
}

static inline int test_done(void)
{
	if (test_failed)
		printf("FAIL %d of %d\n", test_failed, test_count);
	else
		printf("ok %d\n", test_count);
	return test_failed != 0;
}

#endif
