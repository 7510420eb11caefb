// SPDX-License-Identifier: Apache-2.0
/* Tests view/tree.h: what merges, in which order it is drawn, and what it adds up to. */
#include <stdlib.h>
#include <string.h>

#include "test.h"

#include "formats/stack_tree.h"

static uint32_t frame(struct tree *t, const char *name, enum frame_kind kind)
{
	const struct tree_frame f = {.name = name, .object = "", .file = "", .kind = kind};

	return tree_frame(t, &f);
}

/* Adds the stack of NAMES, outermost first, divided by blanks. */
static uint32_t add(struct tree *t, const char *names, uint64_t value)
{
	char text[128], *save = NULL;
	uint32_t node = TREE_ROOT;

	strcpy(text, names);
	for (char *p = strtok_r(text, " ", &save); p; p = strtok_r(NULL, " ", &save))
		node = tree_child(t, node, frame(t, p, FRAME_PROGRAM));
	tree_add(t, node, 0, value);
	return node;
}

static const char *name_of(const struct tree *t, const struct tree_step *s)
{
	return tree_frame_at(t, tree_node_at(t, s->node).frame)->name;
}

static void test_frames(void)
{
	struct tree *t = tree_new();
	struct tree_frame f = {.name = "f", .object = "libc.so", .file = "", .kind = FRAME_LIBRARY};

	CHECK_INT(tree_frame(t, &f), 0);
	CHECK_INT(tree_frame(t, &f), 0);
	f.kind = FRAME_INLINED;
	CHECK_INT(tree_frame(t, &f), 1);
	f.line = 7;
	CHECK_INT(tree_frame(t, &f), 2);
	f.object = "";
	CHECK_INT(tree_frame(t, &f), 3);
	CHECK_INT(tree_frames(t), 4);
	CHECK_STR(tree_frame_at(t, 0)->object, "libc.so");
	CHECK_INT(tree_frame_at(t, 2)->line, 7);
	tree_free(t);
}

static void test_walk(void)
{
	static const struct {
		const char *name;
		unsigned depth, self, total;
	} want[] = {
		{"a", 1, 5, 5}, {"main", 1, 0, 13}, {"b", 2, 1, 9}, {"z", 3, 8, 8}, {"c", 2, 4, 4}};
	struct tree *t = tree_new();
	struct tree_step *steps;
	uint32_t n;

	add(t, "main c", 4);
	add(t, "main b z", 2);
	add(t, "main b", 1);
	add(t, "a", 5);
	add(t, "main b z", 6);
	add(t, "main nothing", 0); /* not drawn */
	CHECK_INT(tree_nodes(t), 7);
	CHECK_INT(tree_walk(t, &steps, &n), 0);
	CHECK_INT(n, 6);
	CHECK_INT(steps[0].node, TREE_ROOT);
	CHECK_INT(steps[0].total[0], 18);
	for (unsigned i = 0; i < 5 && i + 1 < n; i++) {
		CHECK_STR(name_of(t, &steps[i + 1]), want[i].name);
		CHECK_INT(steps[i + 1].depth, want[i].depth);
		CHECK_INT(steps[i + 1].self[0], want[i].self);
		CHECK_INT(steps[i + 1].total[0], want[i].total);
	}
	free(steps);
	tree_free(t);
}

static void test_numbers(void)
{
	struct tree *t = tree_new();
	struct tree_step *steps;
	uint32_t node = add(t, "f", UINT64_MAX - 1), n;

	tree_add(t, node, 0, 7);
	CHECK(tree_self(t, node, 0) == UINT64_MAX);
	add(t, "g", 1);
	tree_add(t, node, TREE_VALUES - 1, 3);
	CHECK_INT(tree_walk(t, &steps, &n), 0);
	CHECK(steps[0].total[0] == UINT64_MAX);
	CHECK_INT(steps[0].total[TREE_VALUES - 1], 3);
	free(steps);
	tree_clear(t);
	CHECK_INT(tree_walk(t, &steps, &n), 0);
	CHECK_INT(n, 1);
	free(steps);
	tree_free(t);
}

int main(void)
{
	test_frames();
	test_walk();
	test_numbers();
	return test_done();
}
