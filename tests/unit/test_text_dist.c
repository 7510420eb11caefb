// SPDX-License-Identifier: Apache-2.0
/*
 * Distributions as they are printed: labels, ranges, bars, counts.
 * @ref output 9
 * @ref output 9.1
 * @ref output 9.2
 * @ref output 9.3
 */
#include "test_text_agg.h"

/* Returns the text of what start() and hit() made, at the end of a session. */
static const char *shown(uint64_t normal)
{
	add_row(dist_value(normal));
	return final_table();
}

static const char *formatted(const char *format)
{
	add_row(dist_value(1));
	return table(format, false);
}

#define NONE "|                                         0        \n"
#define ALL  "|@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
#define HALF "|@@@@@@@@@@@@@@@@@@@@                     1        \n"

static void test_quantize(void)
{
	start(AGG_quantize, (struct agg_params){0});
	CHECK_STR(shown(1),
		DIST "              -1 " NONE "               0 " NONE "               1 " NONE
		     "\n");
	hit(1, 4);
	hit(2, 10);
	hit(7, 3);
	CHECK_STR(shown(1),
		DIST "               0 |                                         0        \n"
		     "               1 |@@@@@@@@@                                4        \n"
		     "               2 |@@@@@@@@@@@@@@@@@@@@@@@@                 10       \n"
		     "               4 |@@@@@@@                                  3        \n"
		     "               8 |                                         0        \n\n");
	/* the factor changes counts, not bars */
	CHECK_STR(shown(2),
		DIST "               0 |                                         0        \n"
		     "               1 |@@@@@@@@@                                2        \n"
		     "               2 |@@@@@@@@@@@@@@@@@@@@@@@@                 5        \n"
		     "               4 |@@@@@@@                                  1        \n"
		     "               8 |                                         0        \n\n");
	start(AGG_quantize, (struct agg_params){0});
	hit(-1, 1);
	hit(-5, 1);
	CHECK_STR(shown(1),
		DIST "              -8 " NONE "              -4 " HALF "              -2 " NONE
		     "              -1 " HALF "               0 " NONE "\n");
	/* the ends have no neighbour */
	start(AGG_quantize, (struct agg_params){0});
	hit(INT64_MIN, 1);
	CHECK_STR(shown(1), DIST "-4611686018427387904 " ALL "-2305843009213693952 " NONE "\n");
	start(AGG_quantize, (struct agg_params){0});
	hit(INT64_MAX, 1);
	CHECK_STR(shown(1), DIST "2305843009213693952 " NONE "4611686018427387904 " ALL "\n");
}

static void test_signs(void)
{
	start(AGG_quantize, (struct agg_params){0});
	hit(0, -3);
	hit(1, 3);
	CHECK_STR(shown(1),
		DIST "              -1                     |                     0        \n"
		     "               0           @@@@@@@@@@|                     -3       \n"
		     "               1                     |@@@@@@@@@@           3        \n"
		     "               2                     |                     0        \n\n");
	start(AGG_quantize, (struct agg_params){0});
	hit(0, -1);
	hit(1, -3);
	CHECK_STR(shown(1),
		DIST "              -1                                         | 0        \n"
		     "               0                               @@@@@@@@@@| -1       \n"
		     "               1           @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -3       \n"
		     "               2                                         | 0        \n\n");
	/* sums beyond 64 bits */
	start(AGG_quantize, (struct agg_params){0});
	hit(0, INT64_MAX);
	hit(1, INT64_MAX);
	hit(2, INT64_MAX);
	hit(4, INT64_MAX);
	CHECK(strstr(shown(1),
		      " 0 |@@@@@@@@@@                               9223372036854775807\n") !=
		NULL);
}

static void test_lquantize(void)
{
	start(AGG_lquantize, (struct agg_params){.base = -10, .limit = 25, .step = 10});
	CHECK_STR(shown(1),
		DIST "           < -10 " NONE "             -10 " NONE "               0 " NONE
		     "\n");
	hit(-11, 1);
	hit(19, 1);
	CHECK_STR(shown(1),
		DIST "           < -10 " HALF "             -10 " NONE "               0 " NONE
		     "              10 " HALF "           >= 20 " NONE "\n");
	start(AGG_lquantize, (struct agg_params){.base = 0, .limit = 3, .step = 1});
	hit(1, 1);
	CHECK_STR(shown(1),
		DIST "               0 " NONE "               1 " ALL "               2 " NONE
		     "\n");
	start(AGG_lquantize, (struct agg_params){.base = 0, .limit = 3, .step = 1});
	hit(100, 1);
	CHECK_STR(shown(1), DIST "               2 " NONE "            >= 3 " ALL "\n");
}

/* The labels of the rows, bars and counts left out. */
static const char *labels(void)
{
	static char text[4096];
	char *out = text;
	const char *p = shown(1);

	*out = '\0';
	CHECK(!strncmp(p, DIST, strlen(DIST)));
	for (p += strlen(DIST); *p && *p != '\n'; p = strchr(p, '\n') + 1) {
		const char *q = p, *end;

		while (*q == ' ')
			q++;
		end = q + strcspn(q, "|\n");
		while (end[-1] == ' ' || end[-1] == '@')
			end--;
		out += sprintf(out, "%.*s,", (int)(end - q), q);
	}
	return text;
}

static void test_llquantize(void)
{
	const struct agg_params low = {.factor = 10, .lmag = 0, .hmag = 2, .steps = 5};
	const struct agg_params high = {.factor = 10, .lmag = 1, .hmag = 2, .steps = 10};
	const struct agg_params ghosts = {.factor = 10, .lmag = 0, .hmag = 1, .steps = 20};

	start(AGG_llquantize, low);
	CHECK_STR(labels(), "0,1,2,");
	hit(320, 1);
	CHECK_STR(shown(1),
		DIST "             100 " NONE "             200 " ALL "             400 " NONE
		     "\n");
	hit(-15, 1);
	CHECK_STR(labels(), "-20,-10,-8,-6,-4,-2,-1,0,1,2,4,6,8,10,20,40,60,80,100,200,400,");
	start(AGG_llquantize, low);
	hit(1000, 1);
	CHECK_STR(labels(), "800,>= 1000,");
	start(AGG_llquantize, low);
	hit(-1000, 1);
	CHECK_STR(labels(), "<= -1000,-800,");

	/* the bin in the middle is named after what lies beside it */
	start(AGG_llquantize, high);
	CHECK_STR(labels(), "< 10,10,20,");
	hit(35, 1);
	CHECK_STR(labels(), "20,30,40,");
	hit(12, 1);
	CHECK_STR(labels(), "< 10,10,20,30,40,");
	hit(5, 1);
	CHECK_STR(labels(), "-10,abs() < 10,10,20,30,40,");
	start(AGG_llquantize, high);
	hit(-15, 1);
	CHECK_STR(labels(), "-20,-10,abs() < 10,");
	start(AGG_llquantize, high);
	hit(95, 1);
	hit(100, 1);
	CHECK_STR(labels(), "80,90,100,200,");

	/* 20 steps from 1 to 10: every other bin lies between two integers */
	start(AGG_llquantize, ghosts);
	CHECK_STR(labels(), "0,1,2,");
	hit(2, 1);
	hit(9, 1);
	CHECK_STR(labels(), "1,2,3,4,5,6,7,8,9,10,");
	start(AGG_llquantize, ghosts);
	hit(10, 1);
	hit(15, 1);
	CHECK_STR(labels(), "9,10,15,20,");
	start(AGG_llquantize, ghosts);
	hit(-2, 1);
	hit(0, 1);
	CHECK_STR(labels(), "-3,-2,-1,0,1,");
}

/* Each bucket's label is the smallest value that falls into it. */
static void test_llquantize_bounds(void)
{
	static const struct agg_params all[] = {
		{.factor = 2, .lmag = 0, .hmag = 10, .steps = 2},
		{.factor = 10, .lmag = 0, .hmag = 4, .steps = 100},
		{.factor = 10, .lmag = 2, .hmag = 4, .steps = 100},
		{.factor = 10, .lmag = 0, .hmag = 3, .steps = 1},
		{.factor = 4, .lmag = 0, .hmag = 4, .steps = 16},
		{.factor = 1000, .lmag = 0, .hmag = 1, .steps = 20},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		uint32_t last;
		char want[128];

		start(AGG_llquantize, all[i]);
		last = agg_bucket(AGG_llquantize, &all[i], 0);
		for (int64_t v = 1; v < 100000; v++) {
			uint32_t b = agg_bucket(AGG_llquantize, &all[i], v);

			if (b == last)
				continue;
			last = b;
			if (b == dist.nbuckets - 1)
				break;
			start(AGG_llquantize, all[i]);
			hit(v, 1);
			snprintf(want, sizeof(want), "\n%16lld |@", (long long)v);
			CHECK(strstr(shown(1), want) != NULL);
			start(AGG_llquantize, all[i]);
			hit(-v, 1);
			snprintf(want, sizeof(want), "\n%16lld |@", (long long)-v);
			CHECK(strstr(shown(1), want) != NULL);
		}
	}
}

static void test_dist_rows(void)
{
	start(AGG_lquantize, (struct agg_params){.base = 0, .limit = 1, .step = 1});
	hit(0, 1);
	add_key_string("bash");
	CHECK_STR(shown(1),
		"  bash                                              " DIST "             < 0 " NONE
		"               0 " ALL "            >= 1 " NONE "\n");
	add_key_string("bash");
	CHECK_STR(formatted("%s:%@-20d.\n"),
		"bash:" DIST "             < 0 " NONE "               0 " ALL
		"            >= 1 " NONE ".\n");
}

/* 9.1: the label of each bucket is the value nearest to zero that goes there, the last ones too. */
static void test_quantize_labels(void)
{
	char want[128];

	for (int k = 0; k < 63; k++) {
		long long v = 1LL << k;

		start_q();
		hit(v, 1);
		hit(v + (v - 1), 1);
		snprintf(want, sizeof(want), "\n%16lld " FULL "2        \n", v);
		CHECK(strstr(shown(1), want) != NULL);
		start_q();
		hit(-v, 1);
		hit(-v - (v - 1), 1);
		snprintf(want, sizeof(want), "\n%16lld " FULL "2        \n", -v);
		CHECK(strstr(shown(1), want) != NULL);
	}
	start_q();
	hit(0, 2);
	CHECK(strstr(shown(1), "\n               0 " FULL "2        \n") != NULL);
}

/* 9: counts are divided with their sign, bars are of what they were. */
static void test_normalized(void)
{
	start_q();
	hit(0, -7);
	hit(1, 7);
	hit(2, 1);
	hit(4, -1);
	CHECK_STR(shown(2),
		DIST "              -1                     |                     0        \n"
		     "               0            @@@@@@@@@|                     -3       \n"
		     "               1                     |@@@@@@@@@            3        \n"
		     "               2                     |@                    0        \n"
		     "               4                    @|                     0        \n"
		     "               8                     |                     0        \n\n");
	start_q();
	hit(0, -7);
	CHECK_STR(shown(UINT64_MAX),
		DIST "              -1                                         | 0        \n"
		     "               0 @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| 0        \n"
		     "               1                                         | 0        \n\n");
	/* a count of more than 9 digits moves nothing, it is the last column */
	start_q();
	hit(1, 1234567890123);
	CHECK_STR(shown(1),
		DIST "               0 " NONE "               1 " FULL "1234567890123\n"
		     "               2 " NONE "\n");
}

/* 9: the depth is rounded, halves up, of 40 and of 20. */
static void test_depth(void)
{
	start(AGG_lquantize, (struct agg_params){.limit = 2, .step = 1});
	/* of 160: 1/4 and 3/4, 1 1/4, 37 3/4 */
	hit(-1, 1);
	hit(0, 3);
	hit(1, 5);
	hit(2, 151);
	CHECK_STR(shown(1),
		DIST "             < 0 |                                         1        \n"
		     "               0 |@                                        3        \n"
		     "               1 |@                                        5        \n"
		     "            >= 2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   151      \n\n");
	start(AGG_lquantize, (struct agg_params){.limit = 2, .step = 1});
	/* of 40: a half, 19 1/2; of 20 what is mixed */
	hit(0, -1);
	hit(1, 39);
	CHECK_STR(shown(1),
		DIST "             < 0                     |                     0        \n"
		     "               0                    @|                     -1       \n"
		     "               1                     |@@@@@@@@@@@@@@@@@@@@ 39       \n"
		     "            >= 2                     |                     0        \n\n");
}

/* 9.2: as few levels as there can be, and the ends of the parameters. */
static void test_lquantize_ends(void)
{
	start(AGG_lquantize, (struct agg_params){.limit = 1, .step = 1});
	CHECK_STR(labels(), "< 0,0,>= 1,");
	/* a step that leaves a rest: the upper end begins before the limit */
	start(AGG_lquantize, (struct agg_params){.base = 3, .limit = 10, .step = 4});
	CHECK_STR(labels(), "< 3,3,>= 7,");
	hit(7, 1);
	CHECK_STR(labels(), "3,>= 7,");
	start(AGG_lquantize,
		(struct agg_params){.base = INT32_MIN, .limit = INT32_MIN + 2, .step = 1});
	hit(INT64_MIN, 1);
	hit(INT32_MIN + 1, 1);
	CHECK_STR(labels(), "< -2147483648,-2147483648,-2147483647,>= -2147483646,");
	start(AGG_lquantize,
		(struct agg_params){.base = INT32_MAX - 65535, .limit = INT32_MAX, .step = 65535});
	hit(INT64_MAX, 1);
	hit(INT32_MAX - 1, 1);
	CHECK_STR(labels(), "< 2147418112,2147418112,>= 2147483647,");
}

/* 9.3: which buckets there are, from end to end, and what they are called. */
static void test_llquantize_all(void)
{
	const struct agg_params five = {.factor = 10, .lmag = 0, .hmag = 1, .steps = 5};
	const struct agg_params one = {.factor = 10, .lmag = 0, .hmag = 0, .steps = 1};
	const struct agg_params above = {.factor = 10, .lmag = 1, .hmag = 2, .steps = 2};
	const struct agg_params wide = {.factor = 2, .lmag = 61, .hmag = 62, .steps = 2};
	const struct agg_params ghosts = {.factor = 4, .lmag = 0, .hmag = 1, .steps = 16};

	start(AGG_llquantize, five);
	hit(INT64_MIN, 1);
	hit(INT64_MAX, 1);
	CHECK_STR(labels(),
		"<= -100,-80,-60,-40,-20,-10,-8,-6,-4,-2,-1,0,"
		"1,2,4,6,8,10,20,40,60,80,>= 100,");
	start(AGG_llquantize, above);
	hit(-1000, 1);
	hit(1000, 1);
	CHECK_STR(labels(), "<= -1000,-500,-100,-50,-10,abs() < 10,10,50,100,500,>= 1000,");
	start(AGG_llquantize, above);
	CHECK_STR(labels(), "< 10,10,50,");
	start(AGG_llquantize, one);
	CHECK_STR(labels(), "0,1,>= 10,");
	hit(-9, 1);
	hit(9, 1);
	CHECK_STR(labels(), "<= -10,-1,0,1,>= 10,");
	/* the bound that no signed number reaches */
	start(AGG_llquantize, wide);
	hit(INT64_MIN, 1);
	hit(INT64_MAX, 1);
	CHECK_STR(labels(),
		"<= -9223372036854775808,-4611686018427387904,-2305843009213693952,"
		"abs() < 2305843009213693952,2305843009213693952,4611686018427387904,"
		">= 9223372036854775808,");
	/* nothing is between 1, 2, 3 and 4 */
	start(AGG_llquantize, ghosts);
	hit(-16, 1);
	hit(16, 1);
	CHECK_STR(labels(),
		"<= -16,-15,-14,-13,-12,-11,-10,-9,-8,-7,-6,-5,-4,-3,-2,-1,0,"
		"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,>= 16,");
}

/* 9.3: labels have 16 columns; a longer one moves its bar, as it does elsewhere. */
static void test_llquantize_layout(void)
{
	start(AGG_llquantize, (struct agg_params){.factor = 10, .lmag = 3, .hmag = 17, .steps = 1});
	hit(0, 1);
	CHECK_STR(shown(1),
		DIST "           -1000 " NONE "    abs() < 1000 " ALL "            1000 " NONE
		     "\n");
	start(AGG_llquantize, (struct agg_params){.factor = 10, .lmag = 3, .hmag = 17, .steps = 1});
	hit(INT64_MAX, 1);
	CHECK_STR(shown(1), DIST "100000000000000000 " NONE ">= 1000000000000000000 " ALL "\n");
}

int main(void)
{
	arena = arena_new();
	test_quantize();
	test_signs();
	test_lquantize();
	test_llquantize();
	test_llquantize_bounds();
	test_dist_rows();
	test_quantize_labels();
	test_normalized();
	test_depth();
	test_lquantize_ends();
	test_llquantize_all();
	test_llquantize_layout();
	arena_free(arena);
	free(outcome);
	return test_done();
}
