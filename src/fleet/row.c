// SPDX-License-Identifier: Apache-2.0
/* Writes rows of a fleet's tables. */
#include "fleet/row.h"

#include "base/buf.h"
#include "base/invariant.h"
#include "formats/json.h"

/* The table of a column; after the last one none. */
static const unsigned table_of[FLEET_COLUMNS + 1] = {
#define FLEET_COLUMN(table, name, type) [FLEET_##table##_##name] = FLEET_##table,
#include "fleet/tables.def"
	[FLEET_COLUMNS] = FLEET_TABLES,
};

static unsigned first_of(enum fleet_table t)
{
	unsigned c = 0;

	while (table_of[c] != t)
		c++;
	return c;
}

struct fleet_row fleet_row_from(struct buf *b, enum fleet_table t, enum fleet_column next)
{
	INVARIANT(table_of[next] == t);
	return (struct fleet_row){b, t, next};
}

struct fleet_row fleet_row(struct buf *b, enum fleet_table t)
{
	return (struct fleet_row){b, t, first_of(t)};
}

void fleet_row_end(struct fleet_row *r)
{
	INVARIANT(table_of[r->next] != r->table);
	buf_putc(r->b, '\n');
}

/* Begins column C, which is the next one. */
static void begin_column(struct fleet_row *r, enum fleet_column c)
{
	INVARIANT(c == r->next);
	if (c && table_of[c - 1] == r->table)
		buf_putc(r->b, '\t');
	r->next++;
}

void fleet_unsigned(struct fleet_row *r, enum fleet_column c, uint64_t n)
{
	begin_column(r, c);
	json_put_unsigned(r->b, n);
}

void fleet_signed(struct fleet_row *r, enum fleet_column c, int64_t n)
{
	begin_column(r, c);
	json_put_signed(r->b, n);
}

void fleet_real(struct fleet_row *r, enum fleet_column c, double n)
{
	begin_column(r, c);
	buf_printf(r->b, "%.17g", n);
}

void fleet_text(struct fleet_row *r, enum fleet_column c, const char *text, size_t len)
{
	begin_column(r, c);
	fleet_put_escaped(r->b, text, len);
}

void fleet_array(struct fleet_row *r, enum fleet_column c, const char *elements, size_t len)
{
	begin_column(r, c);
	buf_putc(r->b, '[');
	buf_put(r->b, elements, len);
	buf_putc(r->b, ']');
}

void fleet_put_element(struct buf *list, const char *text, size_t len)
{
	buf_puts(list, list->len ? ",'" : "'");
	fleet_put_escaped(list, text, len);
	buf_putc(list, '\'');
}
