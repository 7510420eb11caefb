// SPDX-License-Identifier: Apache-2.0
/* Parses and compares versions of the D language (d-language 20). */

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "sema/names.h"

/* the oldest first */
static const uint32_t versions[] = {DVERSION(1, 0, 0), DVERSION(1, 1, 0), DVERSION(1, 2, 0),
	DVERSION(1, 2, 1), DVERSION(1, 2, 2), DVERSION(1, 3, 0), DVERSION(1, 4, 0),
	DVERSION(1, 4, 1), DVERSION(1, 5, 0), DVERSION(1, 6, 0), DVERSION(1, 6, 1),
	DVERSION(1, 6, 2), DVERSION(1, 6, 3), DVERSION(1, 6, 4), DVERSION(2, 0, 0),
	DVERSION(2, 0, 1)};

uint32_t dversion_newest(void)
{
	return versions[sizeof(versions) / sizeof(versions[0]) - 1];
}

/* A number up to MOST at *TEXT; false when there is none. */
static bool parse_number(const char **text, unsigned long most, unsigned long *out)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	errno = 0;
	*out = strtoul(*text, &end, 10);
	*text = end;
	return !errno && *out <= most;
}

int64_t dversion_parse(const char *text)
{
	unsigned long part[3] = {0};
	uint32_t v;

	if (!parse_number(&text, 0xff, &part[0]) || *text++ != '.' ||
		!parse_number(&text, 0xfff, &part[1]))
		return -EINVAL;
	if (*text == '.' && (text++, !parse_number(&text, 0xfff, &part[2])))
		return -EINVAL;
	if (*text)
		return -EINVAL;
	v = DVERSION((uint32_t)part[0], (uint32_t)part[1], (uint32_t)part[2]);
	for (unsigned i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		if (versions[i] == v)
			return v;
	return -ENOENT;
}
