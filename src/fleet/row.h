/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row: the text of a row of a fleet's table, column by column, each by its name in tables.def.
 *
 * All columns come, in the order of the table: builds with INVARIANTS check that.
 */
#ifndef FLEET_ROW_H
#define FLEET_ROW_H

#include <stddef.h>
#include <stdint.h>

#include "fleet/tables.h"

struct buf;

enum fleet_column {
#define FLEET_COLUMN(table, name, type) FLEET_##table##_##name,
#include "fleet/tables.def"
	FLEET_COLUMNS,
};

struct fleet_row {
	struct buf *b;
	enum fleet_table table;
	unsigned next; /* enum fleet_column; after the last one that of another table */
};

/* Begins a row of T at the end of B. */
struct fleet_row fleet_row(struct buf *b, enum fleet_table t);

/* Goes on with a row of T, whose columns before NEXT, or the same ones of another table, are in B.
 */
struct fleet_row fleet_row_from(struct buf *b, enum fleet_table t, enum fleet_column next);

void fleet_row_end(struct fleet_row *r);

void fleet_unsigned(struct fleet_row *r, enum fleet_column c, uint64_t n);
void fleet_signed(struct fleet_row *r, enum fleet_column c, int64_t n);
void fleet_real(struct fleet_row *r, enum fleet_column c, double n);

/* Any bytes. */
void fleet_text(struct fleet_row *r, enum fleet_column c, const char *text, size_t len);

/* ELEMENTS, which are divided by commas, as an array. */
void fleet_array(struct fleet_row *r, enum fleet_column c, const char *elements, size_t len);

/* Appends an element of any bytes to the elements in LIST. */
void fleet_put_element(struct buf *list, const char *text, size_t len);

#endif
