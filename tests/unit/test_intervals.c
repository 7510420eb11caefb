// SPDX-License-Identifier: Apache-2.0
/* Tests what intervals add to aggregations: differences of readings, merged rows, clear() and
 * trunc(). */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "dtrace/data.h"
#include "formats/intervals.h"
#include "test.h"

static struct intervals iv;
static struct buf got;

static void begin(enum dtrace_function function)
{
	intervals_init(&iv, function, 1000);
}

static void end(void)
{
	intervals_fini(&iv);
	buf_free(&got);
	got = (struct buf){0};
}

static void put(const char *key, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	const struct dtrace_agg_value v = {.present = true, .normal = 1, .words = {a, b, c, d}};

	CHECK_INT(intervals_put(&iv, key, strlen(key), 0, &v), 0);
}

static int show(void *arg, const struct interval_row *r)
{
	buf_printf(&got, "%.*s", (int)r->len, r->key);
	if (r->low || r->high)
		buf_printf(&got, "[%" PRId64 ",%" PRId64 "]", r->low, r->high);
	for (int i = 0; i < 4; i++)
		buf_printf(&got, " %" PRId64, (int64_t)r->words[i]);
	if (r->since)
		buf_printf(&got, " since %" PRIu64, r->since);
	buf_puts(&got, "; ");
	return 0;
}

#define TAKE(want)                                             \
	do {                                                   \
		got.len = 0;                                   \
		buf_puts(&got, "");                            \
		CHECK_INT(intervals_take(&iv, show, NULL), 0); \
		CHECK_STR(got.data, want);                     \
	} while (0)

static void test_counts(void)
{
	begin(DTRACE_COUNT);
	intervals_begin(&iv);
	put("a", 3, 0, 0, 0);
	put("b", 1, 0, 0, 0);
	intervals_add(&iv);
	TAKE("a 3 0 0 0; b 1 0 0 0; ");
	intervals_begin(&iv);
	put("b", 1, 0, 0, 0);
	put("a", 10, 0, 0, 0);
	intervals_add(&iv);
	TAKE("a 7 0 0 0; ");
	TAKE("");
	/* two readings in an interval; two rows that look alike */
	intervals_begin(&iv);
	put("a", 11, 0, 0, 0);
	put("b", 1, 0, 0, 0);
	intervals_add(&iv);
	intervals_begin(&iv);
	put("a", 11, 0, 0, 0);
	put("a", 5, 0, 0, 0);
	put("b", 2, 0, 0, 0);
	intervals_add(&iv);
	TAKE("a 6 0 0 0; b 1 0 0 0; ");
	end();
}

/* What clear() takes away was counted before, and what comes after counts from nothing. */
static void test_clear(void)
{
	begin(DTRACE_SUM);
	intervals_begin(&iv);
	put("a", (uint64_t)-5, 0, 0, 0);
	put("b", 7, 0, 0, 0);
	put("zero", 0, 0, 0, 0);
	intervals_add(&iv);
	TAKE("a -5 0 0 0; b 7 0 0 0; zero 0 0 0 0; ");
	intervals_begin(&iv);
	put("a", (uint64_t)-6, 0, 0, 0);
	put("b", 9, 0, 0, 0);
	put("zero", 0, 0, 0, 0);
	intervals_add(&iv);
	intervals_begin(&iv); /* trunc() left one */
	put("b", 9, 0, 0, 0);
	intervals_forget(&iv, 2000);
	intervals_begin(&iv);
	put("a", (uint64_t)-2, 0, 0, 0);
	put("b", 10, 0, 0, 0);
	intervals_add(&iv);
	TAKE("a -3 0 0 0; b 3 0 0 0; ");
	end();
}

/* Sums of squares borrow from one word to the other. */
static void test_stddev(void)
{
	begin(DTRACE_STDDEV);
	intervals_begin(&iv);
	put("a", 1, 5, UINT64_MAX, 0);
	intervals_add(&iv);
	TAKE("a 1 5 -1 0; ");
	intervals_begin(&iv);
	put("a", 3, 9, 4, 2);
	intervals_add(&iv);
	TAKE("a 2 4 5 1; ");
	end();
	begin(DTRACE_AVG);
	intervals_begin(&iv);
	put("a", 2, 10, 77, 77);
	intervals_add(&iv);
	TAKE("a 2 10 0 0; ");
	end();
}

/* The second word says only that there is a value. */
static void test_extremes(void)
{
	begin(DTRACE_MAX);
	intervals_begin(&iv);
	put("a", 5, 1, 0, 0);
	put("a", (uint64_t)-1, 1, 0, 0);
	put("none", 0, 0, 0, 0);
	intervals_add(&iv);
	TAKE("a 5 1 0 0 since 1000; ");
	intervals_begin(&iv);
	put("a", 5, 2, 0, 0);
	intervals_add(&iv);
	TAKE("");
	intervals_begin(&iv);
	put("a", 6, 2, 0, 0);
	intervals_add(&iv);
	intervals_begin(&iv);
	intervals_forget(&iv, 3000);
	intervals_begin(&iv);
	put("a", 2, 1, 0, 0);
	intervals_add(&iv);
	TAKE("a 6 1 0 0 since 1000; ");
	intervals_begin(&iv);
	put("a", 3, 1, 0, 0);
	intervals_add(&iv);
	TAKE("a 3 1 0 0 since 3000; ");
	end();
	begin(DTRACE_MIN);
	intervals_begin(&iv);
	put("a", 5, 1, 0, 0);
	put("a", (uint64_t)-1, 1, 0, 0);
	intervals_add(&iv);
	TAKE("a -1 1 0 0 since 1000; ");
	end();
}

static void put_buckets(const char *key, int64_t low, int64_t count)
{
	const struct dtrace_bucket b[] = {{-1, -1, 2}, {low, low * 2 - 1, count}};
	const struct dtrace_agg_value v = {
		.present = true, .normal = 1, .buckets = b, .nbuckets = 2};

	CHECK_INT(intervals_put(&iv, key, strlen(key), 9, &v), 0);
}

static void test_distribution(void)
{
	begin(DTRACE_QUANTIZE);
	intervals_begin(&iv);
	put_buckets("a", 4, 10);
	put_buckets("b", 8, 1);
	intervals_add(&iv);
	TAKE("a[-1,-1] 2 0 0 0; a[4,7] 10 0 0 0; b[-1,-1] 2 0 0 0; b[8,15] 1 0 0 0; ");
	intervals_begin(&iv);
	put_buckets("a", 4, 13);
	put_buckets("a", 16, 5); /* another process's, whose key looks the same */
	put_buckets("b", 8, 0);	 /* quantize() with a negative increment */
	intervals_add(&iv);
	TAKE("a[-1,-1] 2 0 0 0; a[4,7] 3 0 0 0; b[8,15] -1 0 0 0; a[16,31] 5 0 0 0; ");
	end();
}

int main(void)
{
	test_counts();
	test_clear();
	test_stddev();
	test_extremes();
	test_distribution();
	return test_done();
}
