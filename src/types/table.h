/* SPDX-License-Identifier: Apache-2.0 */
/* table: what the files of this folder share of the type table; nothing frees, see type.h. */
#ifndef TYPES_TABLE_H
#define TYPES_TABLE_H

#include "types/btf.h"
#include "types/type.h"

enum node_state { NODE_READY, NODE_BUILDING, NODE_BAD };

/*
 * A type and what hangs off it.  A chain of `ref` never comes back to where it began: a C type
 * can contain itself only through the members of a struct, which are read on demand.
 */
struct node {
	struct type type; /* first: type_node() relies on it */
	enum node_state state;
	bool skip_first;	      /* TYPE_FUNC: its first parameter is not shown */
	uint16_t depth;		      /* of the kernel's types: length of the chain of refs */
	const struct member *members; /* once they were asked for */
	uint32_t nmembers;
	/* derived types, made once each */
	struct node *ptr, *quals[3], *arrays, *next_array;
	struct node *stripped; /* TYPE_FUNC: the same with skip_first */
};

/* What the kernel's ids became: open addressing, keyed by type.id. */
struct node_map {
	struct node **slots;
	uint32_t nslots, used;
};

#define NMORE_TYPES 8 /* of D's own beyond enum type_basic */

struct types {
	struct arena *arena;
	types_load_fn load;
	void *load_arg;
	bool loaded;
	int error;
	struct btf_image *btf;
	struct node_map by_id;
	const struct type *basic[T_BASIC_MAX];
	const struct type *more[NMORE_TYPES];
};

/* How deep types may nest before they are taken for corrupt; C promises 12 (C11 5.2.4.1). */
#define TYPE_MAX_DEPTH 64

static inline struct node *type_node(const struct type *type)
{
	return (struct node *)(uintptr_t)type;
}

struct node *node_new(struct types *t, enum type_kind kind);

/* The kernel's types, read now if they were not yet; NULL when they cannot be. */
struct btf_image *types_btf(struct types *t);

/* The kernel's type NAME; NULL when there is none. */
const struct type *kernel_type(struct types *t, enum btf_class klass, const char *name);

/* Parameters of a TYPE_FUNC: their number without a "..." at the end, and the I-th. */
uint32_t func_nparams(const struct type *func, bool *variadic);
const struct type *func_param(const struct type *func, uint32_t i, const char **name);

#endif
