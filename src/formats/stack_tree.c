// SPDX-License-Identifier: Apache-2.0
/* Merges stacks. */
#define _GNU_SOURCE /* qsort_r() */
#include "formats/stack_tree.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/heapvec.h"
#include "base/rectab.h"
#include "base/vec.h"

struct values {
	uint64_t self[TREE_VALUES];
};

/* The strings of a frame lie behind each other in one allocation, NAME first. */
struct tree {
	HEAPVEC(struct tree_frame) frames;
	struct rectab strings;	     /* hashes of frames to chains of their numbers */
	HEAPVEC(uint32_t) same_hash; /* by frame: the one before with its hash, + 1 */
	struct rectab children; /* struct tree_node, in the order of the nodes but for the root */
	HEAPVEC(struct values) values; /* by node */
};

struct chain {
	uint64_t last; /* frame + 1 */
};

struct tree *tree_new(void)
{
	struct tree *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	rectab_init(&t->strings, sizeof(uint64_t), sizeof(struct chain));
	rectab_init(&t->children, sizeof(struct tree_node), 0);
	if (heapvec_add(&t->values)) /* the root */
		return t;
	tree_free(t);
	return NULL;
}

void tree_free(struct tree *t)
{
	if (!t)
		return;
	vec_for (f, &t->frames)
		free((char *)f->name);
	heapvec_free(&t->frames);
	heapvec_free(&t->same_hash);
	heapvec_free(&t->values);
	rectab_fini(&t->strings);
	rectab_fini(&t->children);
	free(t);
}

/* ---- frames ---- */

static uint64_t hash_frame(const struct tree_frame *f)
{
	const uint64_t parts[] = {
		rectab_hash(f->name, strlen(f->name)),
		rectab_hash(f->object, strlen(f->object)),
		rectab_hash(f->file, strlen(f->file)),
		(uint64_t)f->line << 8 | f->kind,
	};

	return rectab_hash(parts, sizeof(parts));
}

static bool same_frame(const struct tree_frame *a, const struct tree_frame *b)
{
	return a->line == b->line && a->kind == b->kind && !strcmp(a->name, b->name) &&
		!strcmp(a->object, b->object) && !strcmp(a->file, b->file);
}

static bool copy_frame(struct tree_frame *to, const struct tree_frame *f)
{
	size_t name = strlen(f->name) + 1, object = strlen(f->object) + 1;
	size_t file = strlen(f->file) + 1;
	char *text = malloc(name + object + file);

	if (!text)
		return false;
	memcpy(text, f->name, name);
	memcpy(text + name, f->object, object);
	memcpy(text + name + object, f->file, file);
	*to = *f;
	to->name = text;
	to->object = text + name;
	to->file = text + name + object;
	return true;
}

uint32_t tree_frame(struct tree *t, const struct tree_frame *f)
{
	uint64_t hash = hash_frame(f);
	int64_t at = rectab_put(&t->strings, &hash);
	struct tree_frame copy;
	struct chain *c;

	if (at < 0)
		return TREE_NONE;
	c = rectab_rec(&t->strings, (uint32_t)at);
	for (uint64_t i = c->last; i; i = t->same_hash.data[i - 1])
		if (same_frame(&t->frames.data[i - 1], f))
			return (uint32_t)(i - 1);
	if (heapvec_reserve(&t->frames, (uint64_t)t->frames.len + 1) ||
		heapvec_reserve(&t->same_hash, (uint64_t)t->same_hash.len + 1) ||
		!copy_frame(&copy, f))
		return TREE_NONE;
	t->frames.data[t->frames.len++] = copy;
	t->same_hash.data[t->same_hash.len++] = (uint32_t)c->last;
	c->last = t->frames.len;
	return t->frames.len - 1;
}

uint32_t tree_frames(const struct tree *t)
{
	return t->frames.len;
}

const struct tree_frame *tree_frame_at(const struct tree *t, uint32_t frame)
{
	return &t->frames.data[frame];
}

/* ---- nodes ---- */

uint32_t tree_child(struct tree *t, uint32_t parent, uint32_t frame)
{
	const struct tree_node key = {parent, frame};
	int64_t at;

	if (heapvec_reserve(&t->values, (uint64_t)t->values.len + 1))
		return TREE_NONE;
	at = rectab_put(&t->children, &key);
	if (at < 0)
		return TREE_NONE;
	if (at + 1 == t->values.len)
		heapvec_add(&t->values); /* has room */
	return (uint32_t)at + 1;
}

uint32_t tree_nodes(const struct tree *t)
{
	return t->values.len;
}

struct tree_node tree_node_at(const struct tree *t, uint32_t node)
{
	struct tree_node n = {TREE_NONE, TREE_NONE};

	if (node != TREE_ROOT)
		memcpy(&n, rectab_key(&t->children, node - 1), sizeof(n));
	return n;
}

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

void tree_add(struct tree *t, uint32_t node, unsigned which, uint64_t value)
{
	uint64_t *self = &t->values.data[node].self[which];

	*self = sum(*self, value);
}

void tree_set(struct tree *t, uint32_t node, unsigned which, uint64_t value)
{
	t->values.data[node].self[which] = value;
}

uint64_t tree_self(const struct tree *t, uint32_t node, unsigned which)
{
	return t->values.data[node].self[which];
}

void tree_clear(struct tree *t)
{
	memset(t->values.data, 0, t->values.len * sizeof(*t->values.data));
}

/* ---- walking ---- */

struct walk {
	const struct tree *t;
	struct values *totals; /* by node */
	uint32_t *rank;	       /* of frames, by their name and then their number */
	uint32_t *sorted;      /* nodes by parent, then by the rank of their frame */
	uint32_t *first; /* by node: its first child in sorted[]; one more than there are nodes */
	struct tree_step *steps;
};

static bool is_zero(const struct values *v)
{
	for (unsigned i = 0; i < TREE_VALUES; i++)
		if (v->self[i])
			return false;
	return true;
}

/* Children are added after their parents, so one sweep from the end sums up. */
static void add_up(struct walk *w)
{
	const struct tree *t = w->t;

	memcpy(w->totals, t->values.data, t->values.len * sizeof(*w->totals));
	for (uint32_t i = t->values.len; i-- > 1;) {
		struct values *up = &w->totals[tree_node_at(t, i).parent];

		for (unsigned k = 0; k < TREE_VALUES; k++)
			up->self[k] = sum(up->self[k], w->totals[i].self[k]);
	}
}

static int by_name(const void *a, const void *b, void *arg)
{
	const struct tree *t = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order = strcmp(t->frames.data[x].name, t->frames.data[y].name);

	return order ? order : (x > y) - (x < y);
}

static int rank_frames(struct walk *w)
{
	uint32_t n = w->t->frames.len, *order = malloc(sizeof(*order) * (n + 1ul));

	if (!order)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), by_name, (void *)w->t);
	for (uint32_t i = 0; i < n; i++)
		w->rank[order[i]] = i;
	free(order);
	return 0;
}

static int by_rank(const void *a, const void *b, void *arg)
{
	const struct walk *w = arg;
	uint32_t x = w->rank[tree_node_at(w->t, *(const uint32_t *)a).frame];
	uint32_t y = w->rank[tree_node_at(w->t, *(const uint32_t *)b).frame];

	return (x > y) - (x < y);
}

/* Sorts the nodes by parent with a counting sort, and then each family by name. */
static void sort_children(struct walk *w)
{
	uint32_t n = w->t->values.len;

	for (uint32_t i = 1; i < n; i++)
		w->first[tree_node_at(w->t, i).parent + 1]++;
	for (uint32_t i = 0; i < n; i++)
		w->first[i + 1] += w->first[i];
	for (uint32_t i = n; i-- > 1;)
		w->sorted[--w->first[tree_node_at(w->t, i).parent + 1]] = i;
	/* the sweep moved each start one node down */
	memmove(w->first, w->first + 1, n * sizeof(*w->first));
	w->first[n] = n - 1;
	for (uint32_t i = 0; i < n; i++)
		if (w->first[i + 1] - w->first[i] > 1)
			qsort_r(w->sorted + w->first[i], w->first[i + 1] - w->first[i],
				sizeof(*w->sorted), by_rank, w);
}

/* Stores the nodes that have a number; a loop, as stacks can be deep. */
static uint32_t put_steps(struct walk *w, uint32_t *stack)
{
	uint32_t n = 0, depth = 1;

	stack[0] = TREE_ROOT;
	while (depth) {
		uint32_t node = stack[--depth], level = 0;
		struct tree_step *s = &w->steps[n++];

		for (uint32_t up = node; up != TREE_ROOT; up = tree_node_at(w->t, up).parent)
			level++;
		s->node = node;
		s->depth = level;
		memcpy(s->self, w->t->values.data[node].self, sizeof(s->self));
		memcpy(s->total, w->totals[node].self, sizeof(s->total));
		for (uint32_t i = w->first[node + 1]; i-- > w->first[node];)
			if (!is_zero(&w->totals[w->sorted[i]]))
				stack[depth++] = w->sorted[i];
	}
	return n;
}

int tree_walk(const struct tree *t, struct tree_step **steps, uint32_t *n)
{
	size_t nodes = t->values.len;
	struct walk w = {
		.t = t,
		.totals = malloc(nodes * sizeof(*w.totals)),
		.rank = malloc((t->frames.len + 1ul) * sizeof(*w.rank)),
		.sorted = malloc(nodes * sizeof(*w.sorted)),
		.first = calloc(nodes + 1, sizeof(*w.first)),
		.steps = malloc(nodes * sizeof(*w.steps)),
	};
	uint32_t *stack = malloc(nodes * sizeof(*stack));
	int err = -ENOMEM;

	*steps = NULL;
	if (w.totals && w.rank && w.sorted && w.first && w.steps && stack)
		err = rank_frames(&w);
	if (!err) {
		add_up(&w);
		sort_children(&w);
		*n = put_steps(&w, stack);
		*steps = w.steps;
		w.steps = NULL;
	}
	free(w.totals);
	free(w.rank);
	free(w.sorted);
	free(w.first);
	free(w.steps);
	free(stack);
	return err;
}
