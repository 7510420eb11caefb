// SPDX-License-Identifier: Apache-2.0
/*
 * Parses numbers with a unit of time or size, for options and for the names of timer probes, and
 * writes sizes.
 */
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SECOND INT64_C(1000000000)

static const struct {
	const char *name;
	int64_t ns; /* 0: a frequency */
} time_units[] = {
	{"ns", 1},
	{"nsec", 1},
	{"us", 1000},
	{"usec", 1000},
	{"ms", 1000000},
	{"msec", 1000000},
	{"s", SECOND},
	{"sec", SECOND},
	{"m", 60 * SECOND},
	{"min", 60 * SECOND},
	{"h", 3600 * SECOND},
	{"hour", 3600 * SECOND},
	{"d", 86400 * SECOND},
	{"day", 86400 * SECOND},
	{"hz", 0},
};

int units_parse_integer(const char *text, enum units_base base, int64_t *n, const char **end)
{
	unsigned long long value;
	char *after;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &after, base);
	if (errno || value > INT64_MAX)
		return -ERANGE;
	*n = (int64_t)value;
	*end = after;
	return 0;
}

int units_parse_time(const char *text, enum units_base base, const char *plain, int64_t *ns)
{
	const char *unit;
	int64_t n;
	int err = units_parse_integer(text, base, &n, &unit);

	if (err)
		return err;
	if (!*unit)
		unit = plain;
	for (size_t i = 0; i < sizeof(time_units) / sizeof(time_units[0]); i++) {
		if (strcasecmp(unit, time_units[i].name))
			continue;
		if (!time_units[i].ns)
			*ns = n ? SECOND / n : 0;
		else if (__builtin_mul_overflow(n, time_units[i].ns, ns))
			return -ERANGE;
		return 0;
	}
	return -EINVAL;
}

/* Powers of 1024. */
static const char letters[] = "kmgt";

int units_parse_size(const char *text, int64_t *bytes)
{
	const char *end, *letter;
	int64_t n;
	int shift = 0, err = units_parse_integer(text, UNITS_C, &n, &end);

	if (err)
		return err;
	if (*end) {
		letter = strchr(letters, tolower((unsigned char)*end));
		if (!letter || end[1])
			return -EINVAL;
		shift = 10 * (int)(letter - letters + 1);
	}
	if (n > INT64_MAX >> shift)
		return -ERANGE;
	*bytes = n << shift;
	return 0;
}

const char *units_print_size(char *buf, size_t size, uint64_t bytes)
{
	size_t unit = 0;

	while (bytes && bytes % 1024 == 0 && letters[unit]) {
		bytes /= 1024;
		unit++;
	}
	if (unit)
		snprintf(buf, size, "%" PRIu64 "%c", bytes, letters[unit - 1]);
	else
		snprintf(buf, size, "%" PRIu64 " bytes", bytes);
	return buf;
}
