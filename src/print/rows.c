// SPDX-License-Identifier: Apache-2.0
/* Returns the rows of tables. */
#include "print/rows.h"

#include <dtrace/dtrace.h>

#include "dtrace/data.h"

const struct dtrace_row *dtrace_table_row(const struct dtrace_table *t, unsigned i)
{
	const struct table_insides *insides = t->insides;

	return insides && i < t->nrows ? insides->row(t, i) : NULL;
}

const char *dtrace_table_text(const struct dtrace_table *t, unsigned first, unsigned n, size_t *len)
{
	const struct table_insides *insides = t->insides;

	if (!insides || !insides->text || first > t->nrows || n > t->nrows - first)
		return NULL;
	return insides->text(t, first, n, len);
}
