// SPDX-License-Identifier: Apache-2.0
/* Writes the documents of a fleet's page: lists and heat maps. */
#include "fleet/documents.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/heapvec.h"
#include "base/vec.h"
#include "fleet/rows.h"
#include "pictures/heat_page.h"
#include "formats/json.h"
#include "pictures/picture.h"
#include "pictures/heat.h"

#define SECOND 1000000000ull
#define GROUPS 7u /* with that of all others: LIMIT of ASK_TOP */

void fleet_put_problem(struct buf *b, const char *text)
{
	put_literal(b, "{\"error\":");
	picture_put_text(b, text);
	put_literal(b, "}");
}

static void put_member(struct buf *b, const char *name, const struct rows_row *row, unsigned i)
{
	buf_printf(b, ",\"%s\":%" PRIu64, name, rows_unsigned(row, i));
}

void fleet_put_list(struct buf *b, char *rows, size_t len)
{
	const char *before = "{\"aggregations\":[{\"prog\":";
	char *at = rows, *end = rows + len;
	struct rows_row row;

	while (rows_next(&at, end, &row)) {
		if (row.n < 8)
			continue;
		buf_puts(b, before);
		before = ",{\"prog\":";
		picture_put_text(b, row.text[0]);
		put_literal(b, ",\"agg\":");
		picture_put_text(b, row.text[1]);
		put_literal(b, ",\"function\":");
		picture_put_text(b, row.text[2]);
		put_member(b, "keys", &row, 3);
		put_member(b, "stack", &row, 4);
		put_literal(b, ",\"types\":");
		picture_put_text(b, row.text[5]);
		put_member(b, "hosts", &row, 6);
		put_member(b, "last", &row, 7);
		put_char(b, '}');
	}
	buf_puts(b, *before == '{' ? "{\"aggregations\":[]}" : "]}");
}

void fleet_put_parts(struct buf *b, char *rows, size_t len)
{
	char *at = rows, *end = rows + len;
	struct rows_row row;
	uint64_t part = 0;

	put_literal(b, "\"parts\":[");
	while (rows_next(&at, end, &row)) {
		uint64_t number = rows_unsigned(&row, 0);

		if (row.n < 3 || number < part || number > 5)
			continue;
		if (number == part)
			put_char(b, ',');
		for (; part < number; part++)
			buf_puts(b, part ? "],[" : "[");
		put_char(b, '[');
		picture_put_text(b, row.text[1]);
		buf_printf(b, ",%" PRId64 "]", rows_signed(&row, 2));
	}
	buf_puts(b, part ? "]]" : "]");
}

/* ---- heat maps ---- */

struct bucket {
	int64_t low, high;
};

struct making {
	struct heat heat;
	HEAPVEC(struct bucket) buckets; /* ascending when all are known */
	uint64_t negative;
	uint64_t first, last; /* columns, in widths since 1970 */
};

static int by_low(const void *a, const void *b)
{
	const struct bucket *x = a, *y = b;

	return x->low < y->low ? -1 : x->low > y->low;
}

/* Finds the buckets, and the first and the last column; the rows are sorted by column. */
static int find_buckets(struct making *m, const struct buf *rows)
{
	struct buf copy = {0};
	struct rows_row row;
	uint32_t n = 0;
	char *at;

	buf_put(&copy, rows->data, rows->len);
	at = copy.data;
	while (!copy.failed && rows_next(&at, copy.data + copy.len, &row)) {
		struct bucket b = {rows_signed(&row, 1), rows_signed(&row, 2)};

		m->last = rows_unsigned(&row, 0);
		if (!m->buckets.len)
			m->first = m->last;
		if (m->buckets.len && vec_last(&m->buckets).low == b.low)
			continue;
		if (heapvec_push(&m->buckets, b))
			copy.failed = true;
	}
	if (m->buckets.len)
		qsort(m->buckets.data, m->buckets.len, sizeof(struct bucket), by_low);
	for (uint32_t i = 0; i < m->buckets.len; i++)
		if (!n || m->buckets.data[n - 1].low != m->buckets.data[i].low)
			m->buckets.data[n++] = m->buckets.data[i];
	m->buckets.len = n;
	n = copy.failed;
	buf_free(&copy);
	return n ? -ENOMEM : 0;
}

static uint32_t bucket_number(const struct making *m, int64_t low)
{
	const struct bucket key = {low, low};
	const struct bucket *b =
		bsearch(&key, m->buckets.data, m->buckets.len, sizeof(key), by_low);

	return b ? (uint32_t)(b - m->buckets.data) : 0;
}

static void bucket_bounds(const void *arg, uint32_t bucket, int64_t *low, int64_t *high)
{
	const struct making *m = arg;

	*low = m->buckets.data[bucket].low;
	*high = m->buckets.data[bucket].high;
}

/* Makes the columns, from the first one that has a value to the last. */
static int make_columns(struct making *m, uint64_t width)
{
	int err = 0;

	for (uint64_t c = m->first; c <= m->last && !err; c++) {
		uint64_t time = (c + 1) * width * SECOND;

		err = heat_tick(&m->heat, &time);
	}
	return err;
}

/* The texts of groups, from 1; 0 is all others. */
struct group_texts {
	struct buf copy;
	const char *text[GROUPS];
	unsigned n;
};

static void read_groups(struct group_texts *g, const struct fleet_map *map)
{
	struct rows_row row;
	char *at;

	*g = (struct group_texts){.n = 1};
	if (!map->grouped)
		return;
	buf_put(&g->copy, map->groups, map->groups_len);
	at = g->copy.data;
	while (g->n < GROUPS && !g->copy.failed && rows_next(&at, g->copy.data + g->copy.len, &row))
		g->text[g->n++] = row.text[0];
}

/* Returns the group of a row: it says whether it is in one, and in which. */
static uint32_t group_of(const struct group_texts *g, const struct rows_row *row)
{
	if (row->n < 6 || !rows_unsigned(row, 4))
		return 0;
	for (unsigned i = 1; i < g->n; i++)
		if (!strcmp(g->text[i], row->text[5]))
			return i;
	return 0;
}

/* Makes a cell of each row. */
static int fill(struct making *m, const struct fleet_map *map, const struct group_texts *groups,
	char *at, char *end)
{
	struct rows_row row;
	int err = make_columns(m, map->width);

	while (!err && rows_next(&at, end, &row)) {
		int64_t count = rows_signed(&row, 3);
		struct heat_point p = {
			.time = (rows_unsigned(&row, 0) + 1) * map->width * SECOND,
			.count = (uint64_t)count,
			.bucket = bucket_number(m, rows_signed(&row, 1)),
			.series = group_of(groups, &row),
		};

		if (row.n < 4 || count <= 0) {
			m->negative += count < 0;
			continue;
		}
		err = heat_add(&m->heat, &p);
	}
	return err;
}

static void put_groups(struct buf *b, const struct group_texts *g)
{
	put_literal(b, "\"values\":[");
	for (unsigned i = 1; i < g->n; i++) {
		if (i > 1)
			put_char(b, ',');
		picture_put_text(b, g->text[i]);
	}
	put_literal(b, "],");
}

/* Keys are the numbers of groups; the page puts their texts, from "values", in their place. */
static void put_series(struct buf *b, unsigned n)
{
	put_literal(b, ",\"keys\":[");
	for (unsigned i = 0; i < n; i++)
		buf_printf(b, n > 1 ? "%s[\"%u\"]" : "%s[]", i ? "," : "", i);
	put_literal(b, "],\"series\":\"");
	for (unsigned i = 0; i < n; i++) {
		picture_put_number(b, i);
		picture_put_number(b, 0);
	}
	put_literal(b, "\"");
}

static void put_map(
	struct buf *b, const struct making *m, const struct fleet_map *map, unsigned ngroups)
{
	put_literal(b, "\"heatmaps\":[");
	if (m->heat.cells.len) {
		put_literal(b, "{\"name\":");
		picture_put_text(b, map->agg);
		put_literal(b, ",\"function\":");
		picture_put_text(b, map->function);
		buf_printf(b, ",\"shows\":\"summed\",\"negative\":%" PRIu64 ",", m->negative);
		heat_page_put_cells(b, &m->heat);
		put_series(b, ngroups);
		put_literal(b, "}");
	}
	put_literal(b,
		"],\"stacks\":[],\"graphs\":[],\"frames\":{\"names\":[],\"objects\":[],\"files\":[],\"list\":\"\"}");
}

int fleet_put_map(struct buf *b, const struct fleet_map *map, char *rows, size_t len)
{
	const struct buf all = {.data = rows, .len = len};
	struct making m = {.negative = 0};
	const struct heat_buckets buckets = {bucket_bounds, &m};
	struct group_texts groups;
	int err = find_buckets(&m, &all);

	read_groups(&groups, map);
	if (groups.copy.failed)
		err = -ENOMEM;
	if (!err)
		err = fill(&m, map, &groups, rows, rows + len);
	if (!err && m.heat.points.len)
		err = heat_layout_ticks(&m.heat, m.first * map->width * SECOND, &buckets);
	put_groups(b, &groups);
	if (!err)
		put_map(b, &m, map, groups.n);
	buf_free(&groups.copy);
	heat_fini(&m.heat);
	heapvec_free(&m.buckets);
	return err ? err : b->failed ? -ENOMEM : 0;
}
