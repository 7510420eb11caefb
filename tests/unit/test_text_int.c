// SPDX-License-Identifier: Apache-2.0
/*
 * printf()'s integers: every combination of flags, widths and precisions prints what printf(3) of
 * C prints; so do the columns that trace() and the default layout have.
 */
#include "test.h"

#include <inttypes.h>

#include "base/arena.h"
#include "dtrace/data.h"
#include "print/print.h"

static const uint64_t values[] = {0, 1, 7, 8, 9, 10, 99, 100, 255, 4096, 1234567890, INT64_MAX,
	(uint64_t)INT64_MIN, (uint64_t)-1, (uint64_t)-10, (uint64_t)-1234567, 1ull << 33,
	9999999999999999999ull, 10000000000000000000ull};
#define NVALUES (sizeof(values) / sizeof(values[0]))

static struct arena *arena;
static struct printer pr;

/* Returns C's conversion for D's LETTER. */
static char c_letter(char letter, bool is_signed)
{
	if (letter == 'p')
		return 'x';
	if (letter == 'd' || letter == 'i')
		return is_signed ? 'd' : 'u';
	return letter;
}

static void compare(const char *flags, const char *size, char letter, bool is_signed)
{
	char text[64], fmt[64], want[128];
	const char *error = NULL;
	const struct format *f;

	snprintf(text, sizeof(text), "%%%s%s%c", flags, size, letter);
	snprintf(fmt, sizeof(fmt), "%%%s%sll%c", flags, size, c_letter(letter, is_signed));
	f = format_parse(arena, text, strlen(text), &error);
	CHECK_STR(error, NULL);
	for (size_t i = 0; f && i < NVALUES; i++) {
		const struct dtrace_value v = {.kind = DTRACE_KIND_INT,
			.is_signed = is_signed,
			.size = 8,
			.number = values[i]};
		const struct format_args args = {.values = &v, .nvalues = 1};

		pr.buf.len = 0;
		CHECK_INT(print_format(&pr, f, &args), 0);
		snprintf(want, sizeof(want), fmt, (unsigned long long)values[i]);
		if (strcmp(pr.buf.data, want))
			printf("%s of %" PRIu64 "\n", text, values[i]);
		CHECK_STR(pr.buf.data, want);
	}
}

static void test_printf(void)
{
	static const char letters[] = "diuoxXp";
	static const char *const sizes[] = {
		"", "1", "2", "5", "8", "19", "21", "40", "70", "5.3", "30.25", "3.9", ".1", ".20"};

	for (unsigned set = 0; set < 64; set++) {
		char flags[8], *p = flags;

		for (unsigned i = 0; i < 6; i++)
			if (set >> i & 1)
				*p++ = "#0-+ '"[i];
		*p = '\0';
		for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
			for (const char *l = letters; *l; l++) {
				compare(flags, sizes[s], *l, false);
				compare(flags, sizes[s], *l, true);
			}
		arena_reset(arena);
	}
}

static void test_columns(void)
{
	static const uint32_t widths[] = {0, 1, 3, 20, 64, 65, 100};
	char want[128];

	for (size_t i = 0; i < NVALUES; i++)
		for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++) {
			pr.buf.len = 0;
			print_signed(&pr.buf, (int64_t)values[i], widths[w]);
			snprintf(want, sizeof(want), "%*" PRId64, (int)widths[w],
				(int64_t)values[i]);
			CHECK_STR(pr.buf.data, want);
			pr.buf.len = 0;
			print_unsigned(&pr.buf, values[i], widths[w]);
			snprintf(want, sizeof(want), "%*" PRIu64, (int)widths[w], values[i]);
			CHECK_STR(pr.buf.data, want);
		}
}

int main(void)
{
	arena = arena_new();
	test_printf();
	test_columns();
	buf_free(&pr.buf);
	arena_free(arena);
	return test_done();
}
