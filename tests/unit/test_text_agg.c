// SPDX-License-Identifier: Apache-2.0
/* The text sink's tables: keys, values, printa() formats, joined aggregations. */
#include "test_text_agg.h"

/* The row with the keys put together so far and VALUES; FORMAT may be NULL. */
static const char *row(const struct agg_value *values, uint32_t n, const char *text, bool final)
{
	struct agg_desc desc = {.func = values[0].desc->func, .keys = keys, .nkeys = nkeys};
	const struct agg_desc *list[3] = {&desc};
	const struct agg_row r = {.key = key, .desc = &desc, .values = values, .nvalues = n};
	struct agg_table t = {.aggs = list, .naggs = n, .rows = &r, .nrows = 1, .final = final};
	const char *error = NULL;

	for (uint32_t i = 1; i < n; i++)
		list[i] = values[i].desc;
	if (text)
		t.format = format_parse(arena, text, strlen(text), &error);
	CHECK(!error);
	nkeys = key_used = 0;
	return render(&t);
}

/* As at the end of a session. */
static const char *final_row(struct agg_value v)
{
	return row(&v, 1, NULL, true);
}

static const char *formatted(const char *text, struct agg_value v)
{
	return row(&v, 1, text, false);
}

static void test_values(void)
{
	CHECK_STR(final_row(value(AGG_count, 1, 42, 0, 0)), "               42\n");
	CHECK_STR(final_row(value(AGG_count, 10, 42, 0, 0)), "                4\n");
	CHECK_STR(final_row(value(AGG_sum, 1, -6, 0, 0)), "               -6\n");
	CHECK_STR(final_row(value(AGG_sum, 2, -7, 0, 0)), "               -3\n");
	CHECK_STR(final_row(value(AGG_sum, UINT64_MAX, -7, 0, 0)), "                0\n");
	CHECK_STR(final_row(value(AGG_min, 1, INT64_MAX, 0, 0)), " 9223372036854775807\n");
	CHECK_STR(final_row(value(AGG_max, 1, INT64_MIN, 0, 0)), " -9223372036854775808\n");
	CHECK_STR(final_row(value(AGG_avg, 1, 2, -17, 0)), "               -8\n");
	CHECK_STR(final_row(value(AGG_avg, 1, 0, 0, 0)), "                0\n");
	CHECK_STR(final_row(value(AGG_avg, 10, 3, 100, 0)), "                3\n");
	CHECK_STR(final_row(value(AGG_stddev, 1, 2, 30, 500)), "                5\n");
	CHECK_STR(final_row(value(AGG_stddev, 1, 2, -30, 500)), "                5\n");
	CHECK_STR(final_row(value(AGG_stddev, 1, 0, 0, 0)), "                0\n");
	/* 100 and 7: the factor divides the squares once */
	CHECK_STR(final_row(value(AGG_stddev, 10, 2, 107, 10049)), "               21\n");
	/* printa() without a format has a newline before its rows */
	struct agg_value v = value(AGG_count, 1, 42, 0, 0);
	CHECK_STR(row(&v, 1, NULL, false), "\n               42\n");
}

static void test_key_ints(void)
{
	struct agg_value v = value(AGG_count, 1, 1, 0, 0);
	uint64_t ptr = 0xffffffff81000000;

	add_key_int(8, -3);
	CHECK_STR(final_row(v), "               -3                1\n");
	add_key(DATUM_PTR, &ptr, 8);
	CHECK_STR(final_row(v), " 18446744071578845184                1\n");
	add_key_int(4, -3);
	CHECK_STR(final_row(v), "       -3                1\n");
	add_key_int(2, -1);
	CHECK_STR(final_row(v), "    -1                1\n");
	add_key_int(1, -1);
	CHECK_STR(final_row(v), "  -1                1\n");
	add_key_int(4, 5);
	add_key_int(1, 6);
	add_key_string("x");
	CHECK_STR(final_row(v),
		"        5   6  x                                                 "
		"                1\n");
}

#define DUMP_HEAD \
	"\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"

static void test_key_text(void)
{
	struct agg_value v = value(AGG_count, 1, 12, 0, 0);
	uint64_t id = 7;

	add_key_string("bash");
	CHECK_STR(final_row(v),
		"  bash                                                             12\n");
	add_key_string("");
	CHECK_STR(final_row(v),
		"                                                                   12\n");
	add_key_string("a\tb");
	CHECK_STR(final_row(v),
		"  a\tb                                                              12\n");
	add_key_string("a key of more than fifty bytes, which pushes the value");
	CHECK_STR(final_row(v),
		"  a key of more than fifty bytes, which pushes the value               12\n");
	add_key(DATUM_STRING, "a\1b\0", 5);
	CHECK_STR(final_row(v),
		"  a\\001b                                                           12\n");
	add_key(DATUM_CHARS, "abcd", 4);
	CHECK_STR(final_row(v),
		"  abcd                                                             12\n");
	/* bytes that look like text are text */
	add_key(DATUM_BYTES, "ab\0\0", 4);
	CHECK_STR(final_row(v),
		"  ab                                                               12\n");
	add_key(DATUM_BYTES, "ab\0c", 4);
	CHECK_STR(final_row(v),
		DUMP_HEAD "         0: 61 62 00 63                                      ab.c\n"
			  "               12\n");
	add_key(DATUM_BYTES, "\0\0", 2);
	CHECK_STR(final_row(v),
		DUMP_HEAD "         0: 00 00                                            ..\n"
			  "               12\n");
	add_key(DATUM_PROBEID, &id, 8);
	keys[0].part = DATUM_PROBEFUNC;
	CHECK_STR(final_row(v),
		"  openat                                                           12\n");
	id = 8; /* a probe that nobody knows */
	add_key(DATUM_PROBEID, &id, 8);
	keys[0].part = DATUM_PROBENAME;
	CHECK_STR(final_row(v),
		"                                                                   12\n");
	keys[nkeys++] = (struct datum){.kind = DATUM_LITERAL, .literal = "lit"};
	CHECK_STR(final_row(v),
		"  lit                                                              12\n");
}

/*
 * rawbytes: integers stay what they are, the rest is dumped.
 * @ref options 3
 */
static void test_key_raw(void)
{
	struct agg_value v = value(AGG_count, 1, 12, 0, 0);

	opts.rawbytes = true;
	add_key(DATUM_STRING, "ab\0", 4);
	add_key_int(4, -3);
	CHECK_STR(final_row(v),
		DUMP_HEAD "         0: 61 62 00 00                                      ab..\n"
			  "       -3               12\n");
	add_key(DATUM_BYTES, "ab\0", 4);
	CHECK_STR(final_row(v),
		DUMP_HEAD "         0: 61 62 00 00                                      ab..\n"
			  "               12\n");
	opts.rawbytes = false;
}

static void test_key_stacks(void)
{
	struct agg_value v = value(AGG_count, 1, 57, 0, 0);
	const uint64_t nothing = 0, evicted = 4711, stack[] = {0x1000, 0x2000},
		       user[] = {9, 0x401000};

	add_key_stack(stack, 2);
	CHECK_STR(
		final_row(v), "\n              0x1000\n              0x2000\n               57\n");
	add_key_stack(NULL, 0);
	CHECK_STR(final_row(v), "\n               57\n");
	add_key(DATUM_STACK_ID, &nothing, sizeof(nothing)); /* what a variable without one has */
	CHECK_STR(final_row(v), "\n               57\n");
	add_key(DATUM_STACK_ID, &evicted, sizeof(evicted));
	CHECK_STR(final_row(v), "\n              [stack evicted]\n               57\n");
	CHECK_INT(stacks_missed(key_stacks), 1);
	add_key(DATUM_UADDR, user, sizeof(user));
	CHECK_STR(final_row(v),
		"  0x401000                                                         57\n");
	add_key_stack(stack, 2);
	CHECK_STR(formatted("[%k] %@d\n", v), "[\n0x1000\n0x2000\n] 57\n");
}

static void test_format(void)
{
	struct agg_value v = value(AGG_count, 1, 12, 0, 0);

	add_key_string("bash");
	add_key_int(4, -3);
	CHECK_STR(formatted("%s/%5d: %@d %@5u|%@-5x|%@05d\n", v),
		"bash/   -3: 12    12|c    |00012\n");
	add_key_string("bash");
	add_key_int(4, 1);
	CHECK_STR(formatted("%@d %s\n", v), "12 bash\n"); /* keys may be left over */
	add_key_int(4, 8);
	add_key_string("bash");
	CHECK_STR(formatted("[%*s]", v), "[    bash]"); /* a key is the width */
	add_key_int(4, 4);
	CHECK_STR(formatted("[%@*d]", v), "[  12]");
	add_key_int(2, -1);
	CHECK_STR(formatted("%d %@i", v), "-1 12"); /* by type, unlike the default layout */
	CHECK_STR(formatted("%@d", value(AGG_count, 1, -1, 0, 0)), "18446744073709551615");
	CHECK_STR(formatted("%@d %@u %@x", value(AGG_sum, 2, -7, 0, 0)),
		"-3 18446744073709551613 fffffffffffffffd");
	CHECK_STR(formatted("%@d", value(AGG_avg, 1, 2, -17, 0)), "-8");
	CHECK_STR(formatted("%@8d|", value(AGG_stddev, 1, 2, 30, 500)), "       5|");
	CHECK_STR(formatted("no values\n", v), "no values\n");
	CHECK_STR(formatted("%d", v), ""); /* no key: the compiler lets nothing such through */
}

static void test_empty(void)
{
	const struct agg_desc *list = &descs[AGG_count];
	struct agg_table t = {.aggs = &list, .naggs = 1};
	const char *error;

	CHECK_STR(render(&t), "\n");
	t.final = true;
	CHECK_STR(render(&t), "");
	t.final = false;
	t.format = format_parse(arena, "%@d\n", 4, &error);
	CHECK_STR(render(&t), "");
}

static void test_joined(void)
{
	struct agg_value v[] = {
		value(AGG_count, 1, 3, 0, 0),
		value(AGG_sum, 1, -3, 0, 0),
		value(AGG_min, 1, 0, 0, 0),
	};

	v[2].present = false;
	add_key_string("bash");
	CHECK_STR(row(v, 3, NULL, false),
		"\n  bash                                                              3"
		"               -3                0\n");
	/* each has its own sign; the last one repeats */
	CHECK_STR(row(v, 2, "%@d %@d %@d\n", false), "3 -3 -3\n");
	CHECK_STR(row(v, 3, "%@d %@d %@d\n", false), "3 -3 0\n");
	CHECK_STR(row(v, 2, "%@d\n", false), "3\n");
}

static void test_percpu(void)
{
	const struct agg_value cpus[] = {
		value(AGG_count, 1, 1, 0, 0), value(AGG_count, 1, 2, 0, 0)};
	struct agg_value v = value(AGG_count, 1, 3, 0, 0);

	v.cpus = cpus;
	v.ncpus = 2;
	CHECK_STR(final_row(v),
		"                3\n    [CPU 0]                1\n"
		"    [CPU 1]                2\n");
}

int main(void)
{
	arena = arena_new();
	test_values();
	test_key_ints();
	test_key_text();
	test_key_raw();
	test_key_stacks();
	test_format();
	test_empty();
	test_joined();
	test_percpu();
	arena_free(arena);
	free(outcome);
	return test_done();
}
