// SPDX-License-Identifier: Apache-2.0
/* Units of time and size: every spelling, the largest values, and what is neither. */
#include "base/units.h"

#include <errno.h>

#include "test.h"

#define UNTOUCHED INT64_C(-77)

/* ---- integers ---- */

static void test_integer(void)
{
	const char *end;
	int64_t n;

	CHECK_INT(units_parse_integer("010x", UNITS_C, &n, &end), 0);
	CHECK_INT(n, 8);
	CHECK_STR(end, "x");
	CHECK_INT(units_parse_integer("010x", UNITS_DECIMAL, &n, &end), 0);
	CHECK_INT(n, 10);
	CHECK_STR(end, "x");
	CHECK_INT(units_parse_integer("0x10", UNITS_C, &n, &end), 0);
	CHECK_INT(n, 16);
	CHECK_INT(units_parse_integer("0x10", UNITS_DECIMAL, &n, &end), 0);
	CHECK_INT(n, 0);
	CHECK_STR(end, "x10");
	CHECK_INT(units_parse_integer("9223372036854775807", UNITS_C, &n, &end), 0);
	CHECK_INT(n, INT64_MAX);
	CHECK_INT(units_parse_integer("9223372036854775808", UNITS_C, &n, &end), -ERANGE);
	CHECK_INT(units_parse_integer("99999999999999999999", UNITS_DECIMAL, &n, &end), -ERANGE);
	CHECK_INT(units_parse_integer("", UNITS_C, &n, &end), -EINVAL);
	CHECK_INT(units_parse_integer("-1", UNITS_C, &n, &end), -EINVAL);
	CHECK_INT(units_parse_integer("+1", UNITS_C, &n, &end), -EINVAL);
	CHECK_INT(units_parse_integer(" 1", UNITS_DECIMAL, &n, &end), -EINVAL);
}

/* ---- time ---- */

static int64_t parsed_time(const char *text, const char *plain)
{
	int64_t ns = UNTOUCHED;
	int err = units_parse_time(text, UNITS_DECIMAL, plain, &ns);

	return err ? err : ns;
}

static void test_time(void)
{
	static const struct {
		const char *text;
		int64_t ns;
	} rows[] = {
		{"7ns", 7},
		{"7nsec", 7},
		{"7us", 7000},
		{"7usec", 7000},
		{"10ms", 10000000},
		{"10msec", 10000000},
		{"2s", 2000000000},
		{"2sec", 2000000000},
		{"3m", 180000000000},
		{"3min", 180000000000},
		{"1h", 3600000000000},
		{"1hour", 3600000000000},
		{"1d", 86400000000000},
		{"1day", 86400000000000},
		{"997hz", 1003009},
		{"1000000000hz", 1},
		{"1000000001hz", 0},
		{"0hz", 0},
		{"0s", 0},
		{"10MS", 10000000},
		{"997Hz", 1003009},
		{"9223372036854775807ns", INT64_MAX},
		{"9223372036s", 9223372036000000000},
		{"9223372037s", -ERANGE},
		{"9223372036854775808ns", -ERANGE},
		{"106752d", -ERANGE},
		{"106751d", 106751 * 86400000000000},
		{"10 ms", -EINVAL},
		{"10msecs", -EINVAL},
		{"10k", -EINVAL},
		{"10mss", -EINVAL},
		{"ms", -EINVAL},
		{"", -EINVAL},
		{"-1s", -EINVAL},
		{"1.5s", -EINVAL},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CHECK_INT(parsed_time(rows[i].text, "ns"), rows[i].ns);
		CHECK_INT(parsed_time(rows[i].text, "hz"), rows[i].ns);
	}
	CHECK_INT(parsed_time("100", "ns"), 100);
	CHECK_INT(parsed_time("100", "hz"), 10000000);
	CHECK_INT(parsed_time("010", "ns"), 10);
}

static void test_time_in_c(void)
{
	int64_t ns;

	CHECK_INT(units_parse_time("0x10us", UNITS_C, "ns", &ns), 0);
	CHECK_INT(ns, 16000);
	CHECK_INT(units_parse_time("0x10us", UNITS_DECIMAL, "ns", &ns), -EINVAL);
}

/* ---- size ---- */

static int64_t parsed_size(const char *text)
{
	int64_t bytes = UNTOUCHED;
	int err = units_parse_size(text, &bytes);

	return err ? err : bytes;
}

static const char *printed_size(uint64_t bytes)
{
	static char text[32];

	return units_print_size(text, sizeof(text), bytes);
}

static void test_print_size(void)
{
	CHECK_STR(printed_size(0), "0 bytes");
	CHECK_STR(printed_size(1000), "1000 bytes");
	CHECK_STR(printed_size(1024), "1k");
	CHECK_STR(printed_size(1536), "1536 bytes");
	CHECK_STR(printed_size(32 << 20), "32m");
	CHECK_STR(printed_size(UINT64_C(3) << 30), "3g");
	CHECK_STR(printed_size(UINT64_C(5) << 40), "5t");
	CHECK_STR(printed_size(UINT64_C(1) << 50), "1024t"); /* the largest that can be written */
	CHECK_STR(printed_size(UINT64_MAX), "18446744073709551615 bytes");
}

static void test_size(void)
{
	CHECK_INT(parsed_size("0"), 0);
	CHECK_INT(parsed_size("100"), 100);
	CHECK_INT(parsed_size("4k"), 4096);
	CHECK_INT(parsed_size("4K"), 4096);
	CHECK_INT(parsed_size("4m"), 4 << 20);
	CHECK_INT(parsed_size("2G"), INT64_C(2) << 30);
	CHECK_INT(parsed_size("1t"), INT64_C(1) << 40);
	CHECK_INT(parsed_size("0x10k"), 16384);
	CHECK_INT(parsed_size("8388607t"), INT64_C(8388607) << 40);
	CHECK_INT(parsed_size("8388608t"), -ERANGE);
	CHECK_INT(parsed_size("9223372036854775807"), INT64_MAX);
	CHECK_INT(parsed_size("9223372036854775808"), -ERANGE);
	CHECK_INT(parsed_size(""), -EINVAL);
	CHECK_INT(parsed_size("k"), -EINVAL);
	CHECK_INT(parsed_size("4kb"), -EINVAL);
	CHECK_INT(parsed_size("4p"), -EINVAL);
	CHECK_INT(parsed_size("-4k"), -EINVAL);
	CHECK_INT(parsed_size("4 k"), -EINVAL);
}

int main(void)
{
	test_integer();
	test_time();
	test_time_in_c();
	test_size();
	test_print_size();
	return test_done();
}
