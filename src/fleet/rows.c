// SPDX-License-Identifier: Apache-2.0
/* Reads rows in ClickHouse's TabSeparated. */
#include "fleet/rows.h"

#include <stdlib.h>
#include <string.h>

static char unescape(char c)
{
	static const char codes[] = "ntr0bfa", bytes[] = "\n\t\r\0\b\f\a";
	const char *at = strchr(codes, c);

	return c && at ? bytes[at - codes] : c;
}

/* Ends the column that begins at FROM and ends at END; returns its length. */
static size_t end_column(char *from, char *end)
{
	char *to = from;

	for (char *p = from; p < end; p++) {
		if (*p == '\\' && p + 1 < end)
			*to++ = unescape(*++p);
		else
			*to++ = *p;
	}
	*to = '\0';
	return (size_t)(to - from);
}

bool rows_next(char **at, char *end, struct rows_row *row)
{
	char *p = *at, *line;

	row->n = 0;
	if (p >= end)
		return false;
	line = memchr(p, '\n', (size_t)(end - p));
	line = line ? line : end;
	*at = line + 1;
	for (;;) {
		char *tab = memchr(p, '\t', (size_t)(line - p)), *stop = tab ? tab : line;

		if (row->n < ROWS_COLUMNS) {
			row->text[row->n] = p;
			row->len[row->n++] = end_column(p, stop);
		}
		if (!tab)
			return true;
		p = tab + 1;
	}
}

uint64_t rows_unsigned(const struct rows_row *row, unsigned i)
{
	return i < row->n ? strtoull(row->text[i], NULL, 10) : 0;
}

int64_t rows_signed(const struct rows_row *row, unsigned i)
{
	return i < row->n ? strtoll(row->text[i], NULL, 10) : 0;
}
