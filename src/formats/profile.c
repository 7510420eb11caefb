// SPDX-License-Identifier: Apache-2.0
/* Joins graphs of stacks into a list of samples. */
#include "formats/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/gather.h"
#include "formats/writer.h"
#include "formats/stack_tree.h"

/* Writes to BUF how the user knows GRAPH. */
static const char *title(const struct graph *graph, char *buf, size_t size)
{
	snprintf(buf, size, *graph->function ? "@%s" : "what stack() and ustack() record",
		strcmp(graph->name, "_") != 0 ? graph->name : "");
	return buf;
}

static void tell(
	const struct writer_info *info, const struct graph *graph, const struct graph *first)
{
	char name[160], other[160];

	title(graph, name, sizeof(name));
	if (!gather_graph_adds_up(graph))
		writer_say(info, "%s is left out: values of %s() do not add up", name,
			graph->function);
	else if (first)
		writer_say(info, "%s is left out: its keys are not like those of %s", name,
			title(first, other, sizeof(other)));
	else if (graph->negative)
		writer_say(
			info, "%s: sums below zero are left out: %" PRIu64, name, graph->negative);
}

static int add_columns(struct profile *p, const struct graph *graph)
{
	int err = heapvec_push(&p->columns, (struct profile_column){graph, GATHER_COUNT});

	if (!err && graph->has_sum)
		err = heapvec_push(&p->columns, (struct profile_column){graph, GATHER_SUM});
	return err;
}

static int choose(struct profile *p, const struct gather *g, const struct writer_info *info)
{
	const struct graph *first = NULL;
	int err = 0;

	for (uint32_t i = 0; i < g->graphs.len && !err; i++) {
		const struct graph *graph = g->graphs.data[i];

		if (gather_graph_adds_up(graph) && (!first || !strcmp(first->keys, graph->keys))) {
			first = first ? first : graph;
			tell(info, graph, NULL);
			err = add_columns(p, graph);
		} else {
			tell(info, graph, first);
		}
	}
	return err ? err : first ? 0 : -ENODATA;
}

/* Stores for each node of FROM its twin in the profile's tree, which gets what it lacks. */
static int twins(struct profile *p, const struct tree *from, uint32_t *out)
{
	uint32_t n = tree_nodes(from);

	out[TREE_ROOT] = TREE_ROOT;
	for (uint32_t i = 1; i < n; i++) { /* parents are before their children */
		struct tree_node node = tree_node_at(from, i);
		uint32_t frame = tree_frame(p->tree, tree_frame_at(from, node.frame));

		out[i] = frame == TREE_NONE ? TREE_NONE
					    : tree_child(p->tree, out[node.parent], frame);
		if (out[i] == TREE_NONE)
			return -ENOMEM;
	}
	return 0;
}

static int64_t signed_value(uint64_t v)
{
	return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

/* Copies the numbers of column C. */
static int add_column(struct profile *p, uint32_t c)
{
	const struct profile_column *column = &p->columns.data[c];
	const struct tree *from = column->graph->tree;
	uint32_t n = tree_nodes(from), *twin = calloc(n, sizeof(*twin));
	int err = twin ? twins(p, from, twin) : -ENOMEM;

	if (!err)
		err = heapvec_extend(&p->values, (uint64_t)tree_nodes(p->tree) * p->columns.len);
	for (uint32_t i = 0; i < n && !err; i++)
		p->values.data[(size_t)twin[i] * p->columns.len + c] =
			signed_value(tree_self(from, i, column->value));
	free(twin);
	return err;
}

int profile_join(struct profile *p, const struct gather *g, const struct writer_info *info)
{
	int err = choose(p, g, info);

	p->tree = tree_new();
	if (!err && !p->tree)
		err = -ENOMEM;
	for (uint32_t c = 0; c < p->columns.len && !err; c++)
		err = add_column(p, c);
	return err;
}

void profile_fini(struct profile *p)
{
	heapvec_free(&p->columns);
	heapvec_free(&p->values);
	tree_free(p->tree);
}
