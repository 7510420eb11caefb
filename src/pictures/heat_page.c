// SPDX-License-Identifier: Apache-2.0
/* Writes heat maps as JSON for the viewer (heat_page.h). */
#include "pictures/heat_page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/vec.h"
#include "formats/gather.h"
#include "pictures/heat_gather.h"
#include "formats/json.h"
#include "pictures/picture.h"
#include "pictures/heat.h"
#include "formats/stack_tree.h"

static void put_columns(struct buf *b, const struct heat *h)
{
	uint64_t end = h->columns.len ? h->columns.data[0].start : 0;

	buf_printf(b, "\"start\":\"%" PRIu64 "\",\"columns\":\"", end);
	vec_for (c, &h->columns) {
		picture_put_number(b, c->start - end);
		picture_put_number(b, c->end - c->start);
		end = c->end;
	}
	put_literal(b, "\"");
}

static void put_rows(struct buf *b, const struct heat *h)
{
	put_literal(b, ",\"rows\":[");
	for (uint32_t i = 0; i < h->rows.len; i++)
		buf_printf(b, "%s[\"%" PRId64 "\",\"%" PRId64 "\"]", i ? "," : "",
			h->rows.data[i].low, h->rows.data[i].high);
	put_literal(b, "]");
}

static void put_path(struct buf *b, const struct tree *t, uint32_t node)
{
	struct tree_node n = tree_node_at(t, node);

	if (n.parent != TREE_ROOT) {
		put_path(b, t, n.parent);
		put_char(b, ',');
	}
	picture_put_text(b, tree_frame_at(t, n.frame)->name);
}

/* Writes the combinations of keys; NUMBERS[node] is what each is called from now on. */
static void put_keys(struct buf *b, const struct heat_map *m, uint32_t *numbers)
{
	uint32_t n = 0;

	put_literal(b, ",\"keys\":[");
	for (uint32_t i = 0; i < m->series.n; i++) {
		uint32_t node = heat_series_at(m, i)->keys;

		if (numbers[node])
			continue;
		if (n)
			put_char(b, ',');
		numbers[node] = ++n;
		put_char(b, '[');
		if (node != TREE_ROOT)
			put_path(b, m->keys, node);
		put_char(b, ']');
	}
	put_literal(b, "]");
}

/* Counts the values of each stack, and stores the place of each node in the picture. */
static int number_stacks(const struct heat_map *m, uint32_t *places)
{
	struct tree_step *steps;
	uint32_t n;

	tree_clear(m->stacks);
	vec_for (c, &m->heat->cells)
		tree_add(m->stacks, heat_series_at(m, c->series)->stack, GATHER_COUNT, c->count);
	if (tree_walk(m->stacks, &steps, &n))
		return -ENOMEM;
	for (uint32_t i = 1; i < n; i++)
		places[steps[i].node] = i;
	free(steps);
	return 0;
}

static int put_series(struct buf *b, const struct heat_map *m)
{
	uint32_t *numbers = calloc(tree_nodes(m->keys), sizeof(*numbers));
	uint32_t *places = calloc(m->stacks ? tree_nodes(m->stacks) : 1, sizeof(*places));
	int err = numbers && places ? 0 : -ENOMEM;

	if (!err)
		put_keys(b, m, numbers);
	if (!err && m->stacks)
		err = number_stacks(m, places);
	put_literal(b, ",\"series\":\"");
	for (uint32_t i = 0; i < m->series.n && !err; i++) {
		const struct heat_series *s = heat_series_at(m, i);

		picture_put_number(b, numbers[s->keys] - 1);
		picture_put_number(b, m->stacks ? places[s->stack] : 0);
	}
	put_literal(b, "\"");
	free(numbers);
	free(places);
	return err;
}

static void put_cells(struct buf *b, const struct heat *h)
{
	uint32_t column = 0;

	put_literal(b, ",\"cells\":\"");
	for (uint32_t i = 0; i < h->cells.len;) {
		const struct heat_cell *c = &h->cells.data[i];
		uint32_t n = 1;

		while (i + n < h->cells.len && c[n].column == c->column)
			n++;
		picture_put_number(b, c->column - column);
		picture_put_number(b, n);
		for (column = c->column; n; n--, i++) {
			c = &h->cells.data[i];
			picture_put_number(b, c->row);
			picture_put_number(b, c->series);
			picture_put_number(b, c->count);
		}
	}
	put_literal(b, "\"");
}

void heat_page_put_cells(struct buf *b, const struct heat *h)
{
	put_columns(b, h);
	put_rows(b, h);
	put_cells(b, h);
}

static void put_graph(struct buf *b, const struct heat_gather *g, const struct heat_map *m)
{
	for (uint32_t i = 0; i < g->gather.graphs.len; i++)
		if (g->gather.graphs.data[i]->tree == m->stacks)
			buf_printf(b, ",\"graph\":%" PRIu32, i);
}

static int put_map(struct buf *b, const struct heat_gather *g, const struct heat_map *m)
{
	static const char *const words[] = {
		[HEAT_PRINTED] = "printed",
		[HEAT_SAMPLED] = "sampled",
		[HEAT_BY_KEY] = "by key",
		[HEAT_OFFSETS] = "offsets",
	};
	int err;

	put_literal(b, "{\"name\":");
	picture_put_text(b, m->name);
	put_literal(b, ",\"function\":");
	picture_put_text(b, m->function);
	buf_printf(
		b, ",\"shows\":\"%s\",\"negative\":%" PRIu64 ",", words[m->columns], m->negative);
	heat_page_put_cells(b, m->heat);
	err = put_series(b, m);
	put_graph(b, g, m);
	put_literal(b, "}");
	return err;
}

/* Writes the maps that are drawn, or the others. */
static int put_maps(struct buf *b, const struct heat_gather *g, bool only_stacks)
{
	bool any = false;
	int err = 0;

	for (uint32_t i = 0; i < g->maps.len && !err; i++) {
		const struct heat_map *m = g->maps.data[i];

		if (!m->heat || !m->heat->cells.len || m->only_stacks != only_stacks)
			continue;
		if (any)
			put_char(b, ',');
		any = true;
		err = put_map(b, g, m);
	}
	put_literal(b, "],");
	return err;
}

int heat_page_put(struct buf *b, const struct heat_gather *g)
{
	int err;

	put_literal(b, "\"heatmaps\":[");
	err = put_maps(b, g, false);
	if (err)
		return err;
	put_literal(b, "\"stacks\":[");
	err = put_maps(b, g, true);
	if (!err)
		err = picture_put_graphs(b, &g->gather);
	return err ? err : b->failed ? -ENOMEM : 0;
}
