/* SPDX-License-Identifier: Apache-2.0 */
/* rows: the rows of tables are made when a consumer asks for them, by whoever made the table. */
#ifndef PRINT_ROWS_H
#define PRINT_ROWS_H

#include <stddef.h>

struct dtrace_row;
struct dtrace_table;

/*
 * The first member of a table's insides: dtrace_table_row() and dtrace_table_text(), whose
 * arguments were checked.  TEXT may be NULL: the table has none.
 */
struct table_insides {
	const struct dtrace_row *(*row)(const struct dtrace_table *t, unsigned i);
	const char *(*text)(const struct dtrace_table *t, unsigned first, unsigned n, size_t *len);
};

#endif
