// SPDX-License-Identifier: Apache-2.0
/*
 * aggpack: a line for each distribution; and what no picture is made of.
 * @ref output 9.4
 */
#include "test_text_agg.h"

static void test_pack_quantize(void)
{
	set_options((struct print_options){PACK, .encoding = PRINT_ASCII});
	/* the buckets of all rows, and one more on each side */
	start_q();
	hit(8, 1);
	add_dist("bash");
	start_q();
	hit(1000, 1);
	hit(40000, 3);
	add_dist("sshd");
	CHECK_STR(final_table(),
		"\n"
		"              key  min .---------------. max   | count\n"
		"             bash    4 : X             : 65536 | 1\n"
		"             sshd    4 :       x     x : 65536 | 4\n");
	/* not below 0 */
	start_q();
	hit(0, 1);
	hit(1, 1);
	add_dist("bash");
	CHECK_STR(table(NULL, false),
		"\n\n"
		"              key  min .---. max  | count\n"
		"             bash    0 :xx : 2    | 2\n");
	start_q();
	hit(1, 1);
	add_row(dist_value(1));
	CHECK_STR(final_table(),
		"\n"
		"  min .---. max  | count\n"
		"    0 : X : 2    | 1\n");
	/* but below what is negative, and above it */
	start_q();
	hit(-8, 1);
	hit(-1, 1);
	add_key_int(1, 3);
	add_row(dist_value(1));
	CHECK_STR(final_table(),
		"\n"
		" key  min .------. max  | count\n"
		"   3  -16 : x  x : 0    | 2\n");
	/* a key that has nothing, and nothing at all: after clear() */
	start_q();
	hit(2, 1);
	add_dist("some");
	start_q();
	add_dist("none");
	CHECK_STR(final_table(),
		"\n"
		"              key  min .---. max  | count\n"
		"             some    1 : X : 4    | 1\n"
		"             none    1 :   : 4    | 0\n");
	start_q();
	add_dist("none");
	CHECK_STR(final_table(),
		"\n"
		"              key  min .--. max  | count\n"
		"             none    0 :  : 1    | 0\n");
	/* the ends have no neighbour; their labels are the longest */
	start_q();
	hit(INT64_MIN, 1);
	add_row(dist_value(1));
	CHECK_STR(final_table(),
		"\n"
		"                  min .--. max                  | count\n"
		" -4611686018427387904 :X : -2305843009213693952 | 1\n");
	start_q();
	hit(INT64_MAX, 1);
	add_row(dist_value(1));
	CHECK_STR(final_table(),
		"\n"
		"                 min .--. max                 | count\n"
		" 2305843009213693952 : X: 4611686018427387904 | 1\n");
}

static void test_pack_lquantize(void)
{
	const struct agg_params p = {.base = -10, .limit = 25, .step = 10};

	set_options((struct print_options){PACK, .encoding = PRINT_ASCII});
	/* all buckets, labels of 8 columns */
	start(AGG_lquantize, p);
	hit(0, 3);
	add_dist("bash");
	start(AGG_lquantize, p);
	hit(-11, 1);
	hit(20, 1);
	add_dist("sshd");
	start(AGG_lquantize, p);
	add_dist("none");
	CHECK_STR(final_table(),
		"\n"
		"              key     min .-----. max      | count\n"
		"             bash   < -10 :  X  : >= 20    | 3\n"
		"             sshd   < -10 :x   x: >= 20    | 2\n"
		"             none   < -10 :     : >= 20    | 0\n");
	start(AGG_lquantize, (struct agg_params){.base = 0, .limit = 1, .step = 1});
	hit(0, 1);
	add_row(dist_value(1));
	CHECK_STR(final_table(),
		"\n"
		"     min .---. max      | count\n"
		"     < 0 : X : >= 1     | 1\n");
	/* with longer ones the titles move, too */
	start(AGG_lquantize,
		(struct agg_params){.base = -1000000, .limit = -900000, .step = 50000});
	hit(-1000000, 1);
	add_dist("bash");
	CHECK_STR(final_table(),
		"\n"
		"              key        min .----. max        | count\n"
		"             bash < -1000000 : X  : >= -900000 | 1\n");
}

/* A cell is rounded, of the sum of its row: __xxxxXX and vvvvVV. */
static void test_cells(void)
{
	set_options((struct print_options){PACK, .encoding = PRINT_ASCII});
	start(AGG_lquantize, (struct agg_params){.limit = 7, .step = 1});
	/* of 140: 9 is just less than half a step of 7, 10 is half of one */
	hit(-1, 9);
	hit(0, 10);
	hit(1, 29);
	hit(2, 30);
	hit(3, 62);
	add_row(dist_value(1));
	CHECK_STR(final_table(),
		"\n"
		"     min .---------. max      | count\n"
		"     < 0 :__"
		"_xx    : >= 7     | 140\n");
	/* a row has its own sum; 13/14, 11/14 and 3/14 are halves of steps, 1/14 is, too */
	start(AGG_lquantize, (struct agg_params){.limit = 2, .step = 1});
	hit(0, 13);
	hit(1, 1);
	add_row(dist_value(1));
	start(AGG_lquantize, (struct agg_params){.limit = 2, .step = 1});
	hit(0, 11);
	hit(1, 3);
	add_row(dist_value(1));
	CHECK_STR(final_table(),
		"\n"
		"     min .----. max      | count\n"
		"     < 0 : X_ : >= 2     | 14\n"
		"     < 0 : Xx : >= 2     | 14\n");
	/* half a step of 5 is a tenth */
	start(AGG_lquantize, (struct agg_params){.limit = 2, .step = 1});
	hit(-1, -1);
	hit(0, -7);
	hit(1, 2);
	add_row(dist_value(1));
	start(AGG_lquantize, (struct agg_params){.limit = 2, .step = 1});
	hit(-1, -1);
	hit(0, -9);
	add_row(dist_value(1));
	CHECK_STR(final_table(),
		"\n"
		"     min .----. max      | count\n"
		"     < 0 :vV_ : >= 2     | -6\n"
		"     < 0 :vV  : >= 2     | -10\n");
}

/* Each character of the three scales: shares of n/7 and of n/5. */
static void test_scales(void)
{
	static const struct print_options ascii = {PACK, .encoding = PRINT_ASCII};
	static const struct print_options utf8 = {PACK, .encoding = PRINT_UTF8};
	static const struct print_options any = {PACK};

	for (int n = 0; n <= 7; n++) {
		const struct print_options *const all[] = {&ascii, &utf8, &any};
		char block[4] = {(char)0xe2, (char)0x96, (char)(0x81 + n)}, want[256];

		for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
			char letter[2] = {"__xxxxXX"[n]};

			set_options(*all[i]);
			start(AGG_lquantize, (struct agg_params){.limit = 1, .step = 1});
			/* a seventh of a hundredth: something, even in the lowest step */
			hit(0, 100 * n + !n);
			hit(1, 100 * (7 - n) - !n);
			add_row(dist_value(1));
			snprintf(want, sizeof(want), "     < 0 : %s",
				all[i] == &ascii ? letter : block);
			CHECK(strstr(final_table(), want) != NULL);
		}
	}
	for (int n = 0; n <= 5; n++) {
		char want[64];

		/* there are no blocks that hang */
		set_options(n & 1 ? ascii : utf8);
		start(AGG_lquantize, (struct agg_params){.limit = 1, .step = 1});
		hit(0, -100 * n - !n);
		hit(1, -100 * (5 - n) + !n);
		add_row(dist_value(1));
		snprintf(want, sizeof(want), "     < 0 : %c", "vvvvVV"[n]);
		CHECK(strstr(final_table(), want) != NULL);
	}
}

static void test_pack_zoom(void)
{
	set_options((struct print_options){PACK, ZOOM});
	start(AGG_lquantize, (struct agg_params){.limit = 3, .step = 1});
	hit(0, 100);
	hit(1, 100);
	hit(2, 7);
	add_row(dist_value(1));
	start(AGG_lquantize, (struct agg_params){.limit = 3, .step = 1});
	hit(0, -2);
	hit(1, 1);
	add_row(dist_value(1));
	/* 7 x 95 % = 6.65; .4655; of 5 4.75, of 7 the half 3.325 */
	CHECK_STR(final_table(),
		"\n"
		"     min .-----. max      | count\n"
		"     < 0 : \xe2\x96\x88\xe2\x96\x88\xe2\x96\x81 : >= 3     | 207\n"
		"     < 0 : V\xe2\x96\x84  : >= 3     | -1\n");
}

static void test_pack_counts(void)
{
	set_options((struct print_options){PACK, .encoding = PRINT_ASCII});
	/* divided at the end, cells are not; the sum may be longer than 64 bits */
	start_q();
	hit(1, 15);
	hit(2, 16);
	add_row(dist_value(10));
	CHECK_STR(final_table(),
		"\n"
		"  min .----. max  | count\n"
		"    0 : xx : 4    | 3\n");
	start_q();
	for (int i = 0; i < 8; i++)
		hit(INT64_C(1) << i, INT64_MAX);
	add_row(dist_value(1));
	start_q();
	for (int i = 0; i < 8; i++)
		hit(INT64_C(1) << i, INT64_MIN);
	add_row(dist_value(1));
	add_row(dist_value(UINT64_MAX));
	CHECK_STR(final_table(),
		"\n"
		"  min .----------. max  | count\n"
		"    0 : ________ : 256  | 73786976294838206456\n"
		"    0 : vvvvvvvv : 256  | -73786976294838206464\n"
		"    0 : vvvvvvvv : 256  | -4\n");
}

/* ---- what stays as it is ---- */

static void test_ordinary(void)
{
	const struct agg_value two[] = {sum(1), sum(2)};
	const struct agg_desc *list[] = {&table_desc, &table_desc};
	struct agg_row r = {.key = key, .desc = &table_desc, .values = two, .nvalues = 2};
	struct agg_table joined = {.aggs = list, .naggs = 2, .rows = &r, .nrows = 1};

	set_options((struct print_options){HIST, PACK, .encoding = PRINT_ASCII});
	add_named("x", sum(3));
	CHECK_STR(table("%s %@d\n", false), "x 3\n");
	start(AGG_lquantize, (struct agg_params){.limit = 1, .step = 1});
	hit(0, 1);
	add_dist("x");
	CHECK_STR(table("%s %@d", false),
		"x " DIST "             < 0 |                                         0        \n"
		"               0 " FULL "1        \n"
		"            >= 1 |                                         0        \n");
	start(AGG_llquantize, (struct agg_params){.factor = 10, .hmag = 1, .steps = 10});
	hit(0, 1);
	add_row(dist_value(1));
	CHECK_STR(final_table(),
		DIST "              -1 |                                         0        \n"
		     "               0 " FULL "1        \n"
		     "               1 |                                         0        \n\n");
	/* no rows: no titles */
	CHECK_STR(final_table(), "");
	CHECK_STR(table(NULL, false), "\n");
	/* two aggregations side by side */
	add_named("x", sum(3));
	nrows = 0;
	CHECK_STR(render(&joined),
		"\n  x                                                                 1"
		"                2\n");
	/* and pictures of what the option is not about */
	set_options((struct print_options){PACK});
	add_named("x", sum(3));
	CHECK_STR(final_table(),
		"  x                                                                 3\n");
	set_options((struct print_options){HIST});
	start_q();
	hit(1, 1);
	add_row(dist_value(1));
	CHECK(!strncmp(final_table(), DIST, strlen(DIST)));
}

/* The values of each CPU stand below the picture, laid out as ever. */
static void test_percpu(void)
{
	const struct agg_value sums[] = {sum(1), sum(2)};
	struct agg_value v = sum(3);
	struct agg_value parts[2];

	set_options((struct print_options){HIST, PACK, .encoding = PRINT_ASCII});
	v.cpus = sums;
	v.ncpus = 2;
	add_named("x", v);
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE "                x " FULL "3        \n"
		"    [CPU 0]                1\n"
		"    [CPU 1]                2\n");
	start(AGG_lquantize, (struct agg_params){.limit = 1, .step = 1});
	hit(0, 1);
	parts[0] = parts[1] = v = dist_value(1);
	v.cpus = parts;
	v.ncpus = 2;
	add_row(v);
	CHECK_STR(final_table(),
		"\n"
		"     min .---. max      | count\n"
		"     < 0 : X : >= 1     | 1\n"
		"    [CPU 0]" DIST
		"             < 0 |                                         0        \n"
		"               0 " FULL "1        \n"
		"            >= 1 |                                         0        \n"
		"\n"
		"    [CPU 1]" DIST
		"             < 0 |                                         0        \n"
		"               0 " FULL "1        \n"
		"            >= 1 |                                         0        \n"
		"\n");
}

int main(void)
{
	arena = arena_new();
	test_pack_quantize();
	test_pack_lquantize();
	test_cells();
	test_scales();
	test_pack_zoom();
	test_pack_counts();
	test_ordinary();
	test_percpu();
	arena_free(arena);
	free(outcome);
	return test_done();
}
