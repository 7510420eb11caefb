/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree: stacks merged from their outermost frame on, with the numbers that were counted for each.
 *
 * It knows frames by what is shown of them, so stacks of many processes merge.  It knows nothing of
 * keys, tables, colours or files.  Strings are copied.  Without memory a function returns
 * TREE_NONE or -ENOMEM and the tree stays as it was.  tree_free() frees everything.
 */
#ifndef FORMATS_STACK_TREE_H
#define FORMATS_STACK_TREE_H

#include <stdint.h>

#define TREE_NONE UINT32_MAX
#define TREE_ROOT 0u /* a node whose frame means nothing */

/* Numbers that a node can have: those of a picture, and of the older one it is compared with. */
#define TREE_VALUES 4

/* What a frame is a part of; the order is that of palette.def. */
enum frame_kind {
	FRAME_KEY, /* no code: another key of the aggregation */
	FRAME_KERNEL,
	FRAME_LIBRARY,
	FRAME_PROGRAM,
	FRAME_INTERPRETED,
	FRAME_BASELINE,
	FRAME_JIT, /* code of a JIT compiler, optimised */
	FRAME_INLINED,
	FRAME_UNKNOWN,
	FRAME_KINDS
};

/* Frames are the same if all of their members are. */
struct tree_frame {
	const char *name;   /* what is shown; any bytes but NUL */
	const char *object; /* module or file; "" if unknown */
	const char *file;   /* source file; "" if unknown */
	uint32_t line;	    /* in file; 0 if unknown */
	enum frame_kind kind;
};

struct tree_node {
	uint32_t parent, frame;
};

/* The tree as it is drawn. */
struct tree_step {
	uint32_t node;
	uint32_t depth;		     /* 1 = child of the root */
	uint64_t self[TREE_VALUES];  /* of the stacks that end here */
	uint64_t total[TREE_VALUES]; /* with those that go on; at most UINT64_MAX */
};

struct tree *tree_new(void);
void tree_free(struct tree *t);

/* Returns the number of frame F, added if it is new; numbers count from 0. */
uint32_t tree_frame(struct tree *t, const struct tree_frame *f);
uint32_t tree_frames(const struct tree *t);
/* Valid until the next tree_frame(). */
const struct tree_frame *tree_frame_at(const struct tree *t, uint32_t frame);

/* Returns the node of FRAME below node PARENT, added if it is new. */
uint32_t tree_child(struct tree *t, uint32_t parent, uint32_t frame);
uint32_t tree_nodes(const struct tree *t);
struct tree_node tree_node_at(const struct tree *t, uint32_t node);

/* Add VALUE to number WHICH of the stack that ends at NODE; a sum stays at UINT64_MAX. */
void tree_add(struct tree *t, uint32_t node, unsigned which, uint64_t value);
void tree_set(struct tree *t, uint32_t node, unsigned which, uint64_t value);
uint64_t tree_self(const struct tree *t, uint32_t node, unsigned which);

/* Set all numbers to zero; frames and nodes stay. */
void tree_clear(struct tree *t);

/*
 * Store all nodes with a number, parents before children and children by name, in *STEPS, which the
 * caller frees, and how many in *N.  The first is the root.  0 or -ENOMEM.
 */
int tree_walk(const struct tree *t, struct tree_step **steps, uint32_t *n);

#endif
