// SPDX-License-Identifier: Apache-2.0
/* Collects stacks from records and tables. */
#include "formats/gather.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "dtrace/data.h"
#include "dtrace/dtrace.h"
#include "formats/writers.h"
#include "formats/stack_tree.h"
#include "print/kinds.h"

/* Of the cells of a graph: one picture's and the older one's nodes. */
struct cell_key {
	uint32_t node, old;
};

/* The numbers of one node. */
struct gather_cell {
	int64_t before[2]; /* counted before the last clear() */
	int64_t shown[2];  /* by the last table, since clear() */
	int64_t now[2];	   /* by the rows of the table under way */
	bool touched;	   /* by one of them */
};

static void free_graph(struct graph *g)
{
	rectab_fini(&g->cells);
	tree_free(g->tree);
	free(g->keys);
	free(g->name);
	free(g);
}

void gather_fini(struct gather *g)
{
	vec_for (p, &g->graphs)
		free_graph(*p);
	heapvec_free(&g->graphs);
	heapvec_free(&g->user);
	heapvec_free(&g->kernel);
	buf_free(&g->text);
}

static char letter_of(const struct dtrace_value *v)
{
	switch (v->kind) {
	case DTRACE_KIND_STACK:
		return 's';
	case DTRACE_KIND_USTACK:
		return 'u';
	case DTRACE_KIND_INT:
	case DTRACE_KIND_POINTER:
		return 'n';
	default:
		return 't';
	}
}

static char *letters(const struct dtrace_value *keys, unsigned n)
{
	char *out = calloc(1, n + 1ul);

	for (unsigned i = 0; out && i < n; i++)
		out[i] = letter_of(&keys[i]);
	return out;
}

static struct graph *new_graph(
	const char *name, const char *function, const struct dtrace_value *keys, unsigned nkeys)
{
	struct graph *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	rectab_init(&g->cells, sizeof(struct cell_key), sizeof(struct gather_cell));
	g->name = strdup(name);
	g->function = function;
	g->keys = letters(keys, nkeys);
	g->tree = tree_new();
	if (g->name && g->keys && g->tree)
		return g;
	free_graph(g);
	return NULL;
}

struct graph *gather_graph(struct gather *g, const char *name, const char *function,
	const struct dtrace_value *keys, unsigned nkeys)
{
	struct graph *new;

	vec_for (p, &g->graphs)
		if (!strcmp((*p)->name, name) && !strcmp((*p)->function, function) &&
			strlen((*p)->keys) == nkeys)
			return *p;
	new = new_graph(name, function, keys, nkeys);
	if (new &&heapvec_push(&g->graphs, new)) {
		free_graph(new);
		return NULL;
	}
	return new;
}

/* ---- frames ---- */

/* Returns the text of B with its end marked; a NUL in it would end it. */
static const char *text_of(struct buf *b)
{
	for (size_t i = 0; !b->failed && i < b->len; i++)
		if (!b->data[i])
			b->data[i] = ' ';
	buf_putc(b, '\0');
	return b->failed ? NULL : b->data;
}

static enum frame_kind managed_kind_of(const char *word)
{
	static const struct {
		const char *word;
		enum frame_kind kind;
	} kinds[] = {
		{"interpreted", FRAME_INTERPRETED},
		{"baseline", FRAME_BASELINE},
		{"optimised", FRAME_JIT},
		{"native", FRAME_LIBRARY},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kinds[i].word, word))
			return kinds[i].kind;
	return FRAME_UNKNOWN;
}

static enum frame_kind kind_of(const struct dtrace_frame *f, bool user)
{
	if (!user)
		return FRAME_KERNEL;
	if (f->inlined)
		return FRAME_INLINED;
	if (*f->kind)
		return managed_kind_of(f->kind);
	if (!strcmp(f->object, "[jit]"))
		return FRAME_JIT;
	if (!*f->object)
		return FRAME_UNKNOWN;
	return *f->object == '[' || strstr(f->object, ".so") ? FRAME_LIBRARY : FRAME_PROGRAM;
}

/* Returns the length of the text of F, which has no symbol, without its source line. */
static size_t address_length(const struct dtrace_frame *f)
{
	const char *line = *f->file ? strstr(f->text, " (") : NULL;

	return line ? (size_t)(line - f->text) : strlen(f->text);
}

/*
 * Code without a symbol has the name that it has in text: an address of its file, which is the same
 * in each process, if the file is known.
 */
static uint32_t add_frame(struct gather *g, struct tree *t, const struct dtrace_frame *f, bool user)
{
	struct tree_frame frame = {
		.name = f->symbol,
		.object = f->object,
		.file = f->file,
		.line = *f->kind ? 0 : f->line, /* a managed function is one frame */
		.kind = kind_of(f, user),
	};

	if (!*f->symbol) {
		g->text.len = 0;
		buf_put(&g->text, f->text, address_length(f));
		frame.name = text_of(&g->text);
		if (!frame.name)
			return TREE_NONE;
	}
	return tree_frame(t, &frame);
}

static uint32_t put_stack(
	struct gather *g, struct tree *t, uint32_t node, const struct dtrace_value *v)
{
	bool user = v->kind == DTRACE_KIND_USTACK;

	for (unsigned i = v->nframes; i-- && node != TREE_NONE;) {
		uint32_t frame = add_frame(g, t, &v->frames[i], user);

		node = frame == TREE_NONE ? TREE_NONE : tree_child(t, node, frame);
	}
	return node;
}

static uint32_t put_key(
	struct gather *g, struct tree *t, uint32_t node, const struct dtrace_value *v)
{
	struct tree_frame frame = {.object = "", .file = "", .kind = FRAME_KEY};
	uint32_t id;

	g->text.len = 0;
	writer_put_value_text(&g->text, v);
	frame.name = text_of(&g->text);
	id = frame.name ? tree_frame(t, &frame) : TREE_NONE;
	return id == TREE_NONE ? TREE_NONE : tree_child(t, node, id);
}

static uint32_t put_stacks(struct gather *g, struct tree *t, uint32_t node,
	const struct dtrace_row *row, unsigned nkeys, enum dtrace_kind kind)
{
	for (unsigned i = 0; i < nkeys && node != TREE_NONE; i++)
		if (row->keys[i].kind == kind)
			node = put_stack(g, t, node, &row->keys[i]);
	return node;
}

/* A row without a frame: its number must not be lost. */
static uint32_t put_nothing(struct tree *t)
{
	static const struct tree_frame nothing = {
		.name = "[no stack]", .object = "", .file = "", .kind = FRAME_UNKNOWN};
	uint32_t id = tree_frame(t, &nothing);

	return id == TREE_NONE ? TREE_NONE : tree_child(t, TREE_ROOT, id);
}

uint32_t gather_row(struct gather *g, struct tree *t, const struct dtrace_row *row, unsigned nkeys)
{
	uint32_t node = TREE_ROOT;

	for (unsigned i = 0; i < nkeys && node != TREE_NONE; i++)
		if (!value_is_stack(&row->keys[i]))
			node = put_key(g, t, node, &row->keys[i]);
	/* the kernel is called by the program */
	node = put_stacks(g, t, node, row, nkeys, DTRACE_KIND_USTACK);
	node = put_stacks(g, t, node, row, nkeys, DTRACE_KIND_STACK);
	return node == TREE_ROOT ? put_nothing(t) : node;
}

bool gather_has_stack(const struct dtrace_row *row, unsigned nkeys)
{
	for (unsigned i = 0; i < nkeys; i++)
		if (value_is_stack(&row->keys[i]))
			return true;
	return false;
}

/* ---- aggregations ---- */

/* Of a bucket's values; the outermost buckets of lquantize have one end. */
static long double middle(const struct dtrace_bucket *b)
{
	if (b->low == INT64_MIN)
		return b->high;
	if (b->high == INT64_MAX)
		return b->low;
	return ((long double)b->low + b->high) / 2;
}

static int64_t clamp(long double v)
{
	return v >= 0x1p63L ? INT64_MAX : v < -0x1p63L ? INT64_MIN : (int64_t)v;
}

/* Adds the numbers that V shows to NOW; false: it has none that add up. */
static bool add_numbers(const struct dtrace_agg_value *v, int64_t *now)
{
	long double sum = 0;
	int64_t n = 0;

	switch (v->aggregation->function) {
	case DTRACE_COUNT:
	case DTRACE_SUM:
		now[GATHER_COUNT] += v->number;
		return true;
	case DTRACE_AVG:
	case DTRACE_STDDEV:
		now[GATHER_COUNT] += (int64_t)v->words[0];
		now[GATHER_SUM] += (int64_t)v->words[1];
		return true;
	case DTRACE_MIN:
	case DTRACE_MAX:
		return false;
	default:
		break;
	}
	for (unsigned i = 0; i < v->nbuckets; i++) {
		n += v->buckets[i].count;
		sum += middle(&v->buckets[i]) * v->buckets[i].count;
	}
	now[GATHER_COUNT] += writer_bucket_shown(v, n);
	now[GATHER_SUM] = clamp(now[GATHER_SUM] + sum);
	return true;
}

static int add_value(struct gather *g, struct graph *graph, const struct dtrace_row *row,
	const struct dtrace_agg_value *v)
{
	int64_t now[2] = {0}, at;
	struct gather_cell *cell;
	struct cell_key key = {.old = g->old};

	if (!v->present || !add_numbers(v, now))
		return 0;
	key.node = gather_row(g, graph->tree, row, v->aggregation->nkeys);
	at = key.node == TREE_NONE ? -ENOMEM : rectab_put(&graph->cells, &key);
	if (at < 0)
		return -ENOMEM;
	cell = rectab_rec(&graph->cells, (uint32_t)at);
	/* rows differ in addresses that have one name, or that are not shown */
	for (unsigned i = 0; i < 2; i++)
		cell->now[i] += now[i];
	cell->touched = graph->touched = true;
	return 0;
}

/* Takes over what the table shows of CELL; ANEW: trunc() removed it before. */
static void take_over(struct gather_cell *cell, bool anew)
{
	for (unsigned k = 0; k < 2; k++) {
		cell->before[k] += anew ? cell->shown[k] : 0;
		cell->shown[k] = cell->now[k];
		cell->now[k] = 0;
	}
	cell->touched = false;
}

/*
 * A node that the table does not have was removed by trunc(), or its frames have other names now,
 * as their process has ended: then they are counted at another node.
 */
static void end_cell(struct graph *graph, struct gather_cell *cell, const struct cell_key *key)
{
	take_over(cell,
		graph->truncated &&
			(!cell->touched || cell->now[GATHER_COUNT] < cell->shown[GATHER_COUNT]));
	for (unsigned k = 0; k < 2; k++) {
		int64_t n = cell->before[k] + cell->shown[k];

		graph->negative += n < 0;
		tree_set(graph->tree, key->node, k + (key->old ? GATHER_OLD : 0),
			n < 0 ? 0 : (uint64_t)n);
	}
}

/* The tree has what the table shows now. */
static void end_table(const struct gather *g, struct graph *graph)
{
	graph->negative = 0;
	graph->touched = false;
	for (uint32_t i = 0; i < graph->cells.n; i++) {
		const struct cell_key *key = rectab_key(&graph->cells, i);

		if (key->old == g->old)
			end_cell(graph, rectab_rec(&graph->cells, i), key);
	}
}

static struct graph *graph_of(
	struct gather *g, const struct dtrace_aggregation *a, const struct dtrace_row *row)
{
	struct graph *graph = gather_graph(g, a->name, a->function_name, row->keys, a->nkeys);

	if (graph) {
		graph->about = aggregation_is_distribution(a);
		graph->has_sum =
			graph->about || a->function == DTRACE_AVG || a->function == DTRACE_STDDEV;
	}
	return graph;
}

int gather_table(struct gather *g, const struct dtrace_table *t)
{
	unsigned nkeys = t->aggregations[0].nkeys;

	for (unsigned i = 0; i < t->nrows; i++) {
		const struct dtrace_row *row = dtrace_table_row(t, i);

		if (!row)
			return -ENOMEM;
		if (!gather_has_stack(row, nkeys)) /* nor has any other row */
			return 0;
		for (unsigned k = 0; k < t->naggregations; k++) {
			struct graph *graph = graph_of(g, &t->aggregations[k], row);

			if (!graph || add_value(g, graph, row, &row->values[k]))
				return -ENOMEM;
		}
	}
	vec_for (p, &g->graphs)
		if ((*p)->touched)
			end_table(g, *p);
	return 0;
}

bool gather_graph_adds_up(const struct graph *g)
{
	return strcmp(g->function, "min") != 0 && strcmp(g->function, "max") != 0;
}

static void forget(struct graph *graph)
{
	for (uint32_t i = 0; i < graph->cells.n; i++) {
		struct gather_cell *cell = rectab_rec(&graph->cells, i);

		for (unsigned k = 0; k < 2; k++) {
			cell->before[k] += cell->shown[k];
			cell->shown[k] = 0;
		}
	}
	graph->truncated = false;
}

void gather_begin_old(struct gather *g)
{
	g->old = g->has_old = true;
}

void gather_end_old(struct gather *g)
{
	g->old = g->has_user = g->has_kernel = false;
	vec_for (p, &g->graphs)
		forget(*p);
}

/* After clear() and trunc() values begin anew; trunc() with a number keeps some. */
static void begin_anew(struct gather *g, const struct dtrace_item *item)
{
	const struct dtrace_table *t = item->table;
	bool keeps = item->action == DTRACE_ACTION_TRUNC && item->nvalues && item->values[0].number;

	for (unsigned k = 0; t && k < t->naggregations; k++)
		vec_for (p, &g->graphs) {
			if (strcmp((*p)->name, t->aggregations[k].name))
				continue;
			if (keeps)
				(*p)->truncated = true;
			else
				forget(*p);
		}
}

/* ---- records ---- */

/* Counts the stacks of the record under way as one more of their kind. */
int gather_end(struct gather *g)
{
	struct graph *graph;
	uint32_t node = TREE_ROOT;

	if (!g->has_user && !g->has_kernel)
		return 0;
	g->has_user = g->has_kernel = false;
	graph = gather_graph(g, "", "", NULL, 0);
	if (!graph)
		return -ENOMEM;
	for (uint32_t i = g->user.len; i-- && node != TREE_NONE;)
		node = tree_child(graph->tree, node, g->user.data[i]);
	for (uint32_t i = g->kernel.len; i-- && node != TREE_NONE;)
		node = tree_child(graph->tree, node, g->kernel.data[i]);
	if (node == TREE_ROOT)
		node = put_nothing(graph->tree);
	if (node == TREE_NONE)
		return -ENOMEM;
	tree_add(graph->tree, node, g->old ? GATHER_OLD : GATHER_COUNT, 1);
	return 0;
}

static int keep_stack(struct gather *g, const struct dtrace_value *v)
{
	bool user = v->kind == DTRACE_KIND_USTACK;
	struct graph *graph = gather_graph(g, "", "", NULL, 0);
	int err = graph ? 0 : -ENOMEM;

	/* stack() and ustack() are one, a second one of a kind begins the next */
	if (!err && (user ? g->has_user : g->has_kernel))
		err = gather_end(g);
	if (!g->has_user && !g->has_kernel)
		g->user.len = g->kernel.len = 0;
	for (unsigned i = 0; i < v->nframes && !err; i++) {
		uint32_t frame = add_frame(g, graph->tree, &v->frames[i], user);

		if (frame == TREE_NONE)
			err = -ENOMEM;
		else if (user)
			err = heapvec_push(&g->user, frame);
		else
			err = heapvec_push(&g->kernel, frame);
	}
	*(user ? &g->has_user : &g->has_kernel) = true;
	return err;
}

int gather_item(struct gather *g, const struct dtrace_record *r, const struct dtrace_item *i)
{
	int err = 0;

	switch (i->action) {
	case DTRACE_ACTION_PRINTA:
		return gather_table(g, i->table);
	case DTRACE_ACTION_CLEAR:
	case DTRACE_ACTION_TRUNC:
		begin_anew(g, i);
		return 0;
	default:
		break;
	}
	for (unsigned k = 0; k < i->nvalues && !err; k++)
		if (value_is_stack(&i->values[k]))
			err = keep_stack(g, &i->values[k]);
	return err;
}
