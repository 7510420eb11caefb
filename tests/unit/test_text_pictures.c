// SPDX-License-Identifier: Apache-2.0
/*
 * Bars: agghist, and what aggzoom and encoding make of those of distributions.
 * @ref output 9.4
 */
#include "test_text_agg.h"

/* ---- agghist ---- */

static void test_hist(void)
{
	set_options((struct print_options){HIST});
	add_named("cat", sum(1));
	add_named("bash", sum(5));
	add_named("dtrace", sum(6));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE
		"              cat |@@@                                      1        \n"
		"             bash |@@@@@@@@@@@@@@@@@                        5        \n"
		"           dtrace |@@@@@@@@@@@@@@@@@@@@                     6        \n");
	/* printa() has its newline before that; a key that is too long moves its bar */
	add_named("fifteen letters", sum(0));
	add_named("sixteen letters.", sum(1));
	add_named("seventeen letters", sum(0));
	CHECK_STR(table(NULL, false),
		"\n\n"
		"              key " TITLE
		"  fifteen letters |                                         0        \n"
		" sixteen letters. |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
		" seventeen letters |                                         0        \n");
	/* nothing at all: no bars */
	add_named("x", sum(0));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE
		"                x |                                         0        \n");
}

/* Bars of 40 and of 20 columns, to the side of the sign. */
static void test_hist_signs(void)
{
	set_options((struct print_options){HIST});
	add_named("demerit", sum(-3));
	add_named("zero", sum(0));
	add_named("merit", sum(9));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE
		"          demerit                @@@@@|                     -3       \n"
		"             zero                     |                     0        \n"
		"            merit                     |@@@@@@@@@@@@@@@      9        \n");
	add_named("a", sum(-30));
	add_named("b", sum(-10));
	add_named("c", sum(0));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE
		"                a           @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -30      \n"
		"                b                               @@@@@@@@@@| -10      \n"
		"                c                                         | 0        \n");
	/* halves go up: 1/16 of 40, 1/8 of 20 */
	add_named("a", sum(1));
	add_named("b", sum(15));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE
		"                a |@@@                                      1        \n"
		"                b |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   15       \n");
	add_named("a", sum(-1));
	add_named("b", sum(7));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE
		"                a                  @@@|                     -1       \n"
		"                b                     |@@@@@@@@@@@@@@@@@@   7        \n");
}

/* Sums of magnitudes beyond 64 bits, and the magnitude that has no positive number. */
static void test_hist_huge(void)
{
	set_options((struct print_options){HIST});
	add_named("low", sum(INT64_MIN));
	add_named("high", sum(INT64_MAX));
	add_named("high", sum(INT64_MAX));
	add_named("high", sum(INT64_MAX));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE "              low                "
		"@@@@@|                     -9223372036854775808\n"
		"             high                     |@@@@@                9223372036854775807\n"
		"             high                     |@@@@@                9223372036854775807\n"
		"             high                     |@@@@@                "
		"9223372036854775807\n");
	set_options((struct print_options){HIST, ZOOM});
	add_named("low", sum(INT64_MIN));
	add_named("none", sum(0));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE "              low   "
		"@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -9223372036854775808\n"
		"             none                                         | 0        \n");
}

/* Each width of keys, alone and together; what is no integer has 16 columns. */
static void test_hist_keys(void)
{
	const uint64_t stack[] = {0x1000, 0x2000}, user[] = {9, 0x401000}, ptr = 0x1000;

	set_options((struct print_options){HIST});
	add_key_int(1, -1);
	add_row(sum(1));
	CHECK_STR(final_table(),
		"\n"
		" key " TITLE "  -1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n");
	add_key_int(2, -1);
	add_row(sum(1));
	CHECK_STR(final_table(),
		"\n"
		"   key " TITLE "    -1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n");
	add_key_int(4, -1);
	add_row(sum(1));
	CHECK_STR(final_table(),
		"\n"
		"      key " TITLE
		"       -1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n");
	add_key_int(8, -1);
	add_row(sum(1));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE
		"               -1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n");
	add_key_int(1, 1);
	add_key_string("bash");
	add_key_int(4, 4);
	add_key(DATUM_PTR, &ptr, sizeof(ptr));
	add_key_int(2, 2);
	add_row(sum(1));
	CHECK_STR(final_table(),
		"\n"
		"                                                  key " TITLE
		"   1             bash        4             4096     2 "
		"|@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n");
	add_key(DATUM_UADDR, user, sizeof(user));
	add_key(DATUM_BYTES, "ab\0", 3);
	add_key(DATUM_CHARS, "cd", 2);
	keys[nkeys++] = (struct datum){.kind = DATUM_LITERAL, .literal = "lit"};
	add_row(sum(1));
	CHECK_STR(final_table(),
		"\n"
		"                                                                 key " TITLE
		"         0x401000               ab               cd              lit "
		"|@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n");
	/* stacks and dumps take lines of their own, the bar stays where it belongs */
	add_key_int(4, 7);
	add_key_stack(stack, 2);
	add_row(sum(1));
	CHECK_STR(final_table(),
		"\n"
		"                       key " TITLE "        7\n"
		"              0x1000\n"
		"              0x2000\n"
		"                           "
		"|@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n");
	add_key(DATUM_BYTES, "\1\0", 2);
	add_key_int(1, 8);
	add_row(sum(1));
	CHECK_STR(final_table(),
		"\n"
		"                  key " TITLE "\n"
		"             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
		"         0: 01 00                                            ..\n"
		"                    8 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n");
	/* no key to set a bar beside */
	add_row(sum(1));
	CHECK_STR(final_table(), "                1\n");
}

static void test_hist_functions(void)
{
	set_options((struct print_options){HIST});
	add_named("a", value(AGG_count, 1, 7, 0, 0));
	CHECK_STR(final_table(),
		"\n              key " TITLE "                a " FULL "7        \n");
	/* a bar is as long as the number before the division, which is 0 here */
	add_named("a", value(AGG_count, 100, 60, 0, 0));
	add_named("b", value(AGG_count, 100, 20, 0, 0));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE
		"                a |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           0        \n"
		"                b |@@@@@@@@@@                               0        \n");
	add_named("a", value(AGG_avg, 10, 2, 200, 0));
	add_named("b", value(AGG_avg, 10, 0, 0, 0));
	add_named("c", value(AGG_avg, 10, 3, 899, 0));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE
		"                a |@@@@@@@@@@                               10       \n"
		"                b |                                         0        \n"
		"                c |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           29       \n");
	/* after clear() there is nothing to show a bar of */
	add_named("a", value(AGG_min, 1, INT64_MAX, 0, 0));
	add_named("b", value(AGG_min, 1, 5, 1, 0));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE "                a |                                  "
		"       9223372036854775807\n"
		"                b " FULL "5        \n");
	add_named("a", value(AGG_max, 1, INT64_MIN, 0, 0));
	add_named("b", value(AGG_max, 1, 5, 1, 0));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE "                a |                                  "
		"       -9223372036854775808\n"
		"                b " FULL "5        \n");
	add_named("a", value(AGG_stddev, 1, 2, 30, 500));
	CHECK_STR(final_table(),
		"  a                                                                 5\n");
}

static void test_zoom(void)
{
	set_options((struct print_options){HIST, ZOOM});
	add_named("cat", sum(1));
	add_named("bash", sum(5));
	add_named("dtrace", sum(10));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE
		"              cat |@@@@                                     1        \n"
		"             bash |@@@@@@@@@@@@@@@@@@@                      5        \n"
		"           dtrace |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   10       \n");
	add_named("down", sum(-5));
	add_named("up", sum(10));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE
		"             down           @@@@@@@@@@|                     -5       \n"
		"               up                     |@@@@@@@@@@@@@@@@@@@  10       \n");
	/* without agghist it is of no matter */
	set_options((struct print_options){ZOOM});
	add_named("cat", sum(1));
	CHECK_STR(final_table(),
		"  cat                                                               1\n");
}

/* ---- distributions, one below the other ---- */

static void test_zoom_distribution(void)
{
	set_options((struct print_options){ZOOM});
	start(AGG_quantize, (struct agg_params){0});
	hit(1, 1);
	hit(2, 1);
	add_row(dist_value(1));
	CHECK_STR(final_table(),
		DIST "               0 |                                         0        \n"
		     "               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1        \n"
		     "               2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1        \n"
		     "               4 |                                         0        \n\n");
	/* in a printa() with a format, too */
	start(AGG_llquantize, (struct agg_params){.factor = 10, .hmag = 1, .steps = 10});
	hit(-1, 2);
	hit(1, -1);
	add_row(dist_value(1));
	CHECK_STR(table("<%@d>\n", false),
		"<" DIST "              -2                     |                     0        \n"
		"              -1                     |@@@@@@@@@@@@@@@@@@@  2        \n"
		"               0                     |                     0        \n"
		"               1           @@@@@@@@@@|                     -1       \n"
		"               2                     |                     0        \n"
		">\n");
	start(AGG_lquantize, (struct agg_params){.limit = 2, .step = 1});
	add_row(dist_value(1));
	CHECK_STR(final_table(),
		DIST "             < 0 |                                         0        \n"
		     "               0 |                                         0        \n"
		     "               1 |                                         0        \n\n");
}

/* U+2588 and below: E2 96 88 is full, 89 to 8F have seven eighths to one of the width. */
#define B8    "\xe2\x96\x88"
#define B8x10 B8 B8 B8 B8 B8 B8 B8 B8 B8 B8

static void test_utf8_bars(void)
{
	set_options((struct print_options){HIST, .encoding = PRINT_UTF8});
	/* 40 x 1/3 = 13 1/3 = 13 2/8, 40 x 2/3 = 26 5/8 */
	add_named("a", sum(1));
	add_named("b", sum(2));
	add_named("c", sum(0));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE "                a |" B8x10 B8 B8 B8 "\xe2\x96\x8e"
		"                           1        \n"
		"                b |" B8x10 B8x10 B8 B8 B8 B8 B8 B8 "\xe2\x96\x8b"
		"              2        \n"
		"                c |                                         0        \n");
	/* 40 x 1/320 is one eighth, 7/320 are seven, one less than that is nothing of a bar */
	add_named("a", sum(1));
	add_named("b", sum(7));
	add_named("c", sum(312));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE "                a |\xe2\x96\x8f"
		"                                        1        \n"
		"                b |\xe2\x96\x89"
		"                                        7        \n"
		"                c |" B8x10 B8x10 B8x10 B8 B8 B8 B8 B8 B8 B8 B8 B8 "  312      \n");
	add_named("a", sum(1));
	add_named("b", sum(320));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE "                a |"
		"                                         1        \n"
		"                b |" B8x10 B8x10 B8x10 B8 B8 B8 B8 B8 B8 B8 B8 B8 "\xe2\x96\x89"
		" 320      \n");
	add_named("a", sum(INT64_MAX));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE "                a |" B8x10 B8x10 B8x10 B8x10
		" 9223372036854775807\n");
	/* only where all are positive */
	add_named("a", sum(-1));
	add_named("b", sum(1));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE
		"                a           @@@@@@@@@@|                     -1       \n"
		"                b                     |@@@@@@@@@@           1        \n");
	add_named("a", sum(-1));
	CHECK_STR(final_table(),
		"\n"
		"              key " TITLE
		"                a @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -1       \n");
}

static void test_utf8_distribution(void)
{
	set_options((struct print_options){ZOOM, .encoding = PRINT_UTF8});
	start(AGG_lquantize, (struct agg_params){.limit = 2, .step = 1});
	hit(0, 1);
	hit(1, 3);
	/* 40 x 95 % = 38, a third of it 12 2/3 = 12 5/8 */
	add_row(dist_value(1));
	CHECK_STR(final_table(),
		DIST "             < 0 |                                         0        \n"
		     "               0 |" B8x10 B8 B8 "\xe2\x96\x8b"
		     "                            1        \n"
		     "               1 |" B8x10 B8x10 B8x10 B8 B8 B8 B8 B8 B8 B8 B8 "   3        \n"
		     "            >= 2 |                                         0        \n\n");
	/* they are not what is drawn when nobody asked */
	set_options((struct print_options){.encoding = PRINT_ANY});
	add_row(dist_value(1));
	CHECK(strstr(final_table(), " 1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3 ") != NULL);
	set_options((struct print_options){.encoding = PRINT_ASCII});
	add_row(dist_value(1));
	CHECK(strstr(final_table(), " 1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3 ") != NULL);
}

int main(void)
{
	arena = arena_new();
	test_hist();
	test_hist_signs();
	test_hist_huge();
	test_hist_keys();
	test_hist_functions();
	test_zoom();
	test_zoom_distribution();
	test_utf8_bars();
	test_utf8_distribution();
	arena_free(arena);
	free(outcome);
	return test_done();
}
