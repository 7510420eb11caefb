/* SPDX-License-Identifier: Apache-2.0 */
/* rows: reads what ClickHouse answers as TabSeparated.  fleet/tables.h writes it. */
#ifndef FLEET_ROWS_H
#define FLEET_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROWS_COLUMNS 8

/* A row; the texts have no escapes, and each has a NUL after it. */
struct rows_row {
	char *text[ROWS_COLUMNS];
	size_t len[ROWS_COLUMNS];
	unsigned n;
};

/*
 * Takes the row at *AT, which ends before END, from text that is changed, and moves *AT to the next
 * one.  Columns after ROWS_COLUMNS are not looked at.  False: there is none.
 */
bool rows_next(char **at, char *end, struct rows_row *row);

/* Return column I as a number; 0 if there is none. */
uint64_t rows_unsigned(const struct rows_row *row, unsigned i);
int64_t rows_signed(const struct rows_row *row, unsigned i);

#endif
