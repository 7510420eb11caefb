/* SPDX-License-Identifier: Apache-2.0 */
/* table: the type table, shared by the files of this folder; nothing frees, see types.h. */
#ifndef TYPES_TABLE_H
#define TYPES_TABLE_H

#include "base/intmap.h"
#include "base/strmap.h"
#include "types/btf.h"
#include "types/type.h"
#include "types/types.h"

enum node_state { NODE_READY, NODE_BUILDING, NODE_BAD };

struct type_enumerator {
	const char *name;
	int64_t value;
};

/*
 * A type and what hangs off it.  A chain of `ref` never comes back to where it began: a C type
 * can contain itself only through the members of a struct, which are read on demand.
 */
struct node {
	struct type type;	 /* first: type_node() relies on it */
	struct type_source *src; /* whose type it is; NULL: D's */
	uint32_t id;		 /* there; type.id says less: vmlinux's only */
	enum node_state state;
	bool skip_first; /* TYPE_FUNC: its first parameter is not shown */
	bool made;	 /* D or a program defines it: struct, union, enum or function */
	bool begun;	 /* TYPE_FWD that D is about to define */
	bool variadic;	 /* function type that D made */
	bool has_die;	 /* of a program: it is within a struct dwarf_node */
	bool unread;	 /* of a program, and its members or parameters not read yet */
	uint16_t depth;	 /* of the kernel's types: length of the chain of refs */
	/* bytes: structs and unions, once it was asked for; a typedef that has its own, else 0 */
	uint32_t align;
	const struct member *members; /* once they were asked for */
	uint32_t nmembers;
	/* of an enum and a function type that D or a program made */
	const struct type_enumerator *enums;
	const struct type **params;
	const char **param_names; /* NULL: they have none */
	uint32_t nenums, nparams;
	struct dwarf_file *dwarf; /* whose type it is; NULL: D's or the kernel's */
	/* derived types, made once each */
	struct node *ptr, *quals[3], *arrays, *next_array;
	struct node *stripped; /* TYPE_FUNC: the same with skip_first */
};

/* A source of types: vmlinux, or a module on top of it. */
struct type_source {
	struct types *types;
	const char *name; /* of the module; NULL: vmlinux */
	struct btf_image *btf;
	struct intmap by_id; /* struct node, in the arena of `types` */
	bool unknown;	     /* there is no such module */
	struct type_source *next;
};

#define NMORE_TYPES 33 /* of D's own beyond enum type_basic */
#define NSPACES	    (SPACE_ENUM + 1)

struct types {
	struct arena *arena;
	types_load_fn load;
	void *load_arg;
	bool loaded;
	int error;
	struct type_source kernel;
	types_load_module_fn load_module;
	void *load_module_arg;
	types_find_program_fn find_program;
	void *find_program_arg;
	struct type_source *modules;	  /* the latest first */
	struct strmap tags[NSPACES];	  /* struct node: D's, incomplete ones too */
	VEC(const struct type *) strings; /* of sizes of their own */
	const struct type *basic[T_BASIC_MAX];
	const struct type *more[NMORE_TYPES];
};

/* The depth of types beyond which they count as corrupt; C promises 12 (C11 5.2.4.1). */
#define TYPE_MAX_DEPTH 64

static inline struct node *type_node(const struct type *type)
{
	return (struct node *)(uintptr_t)type;
}

struct node *node_new(struct types *t, enum type_kind kind);

/* ---- types.c ---- */

/* A basic type or typedef that every program has; NULL when NAME is none. */
const struct type *own_type(struct types *t, const char *name);

enum btf_class space_class(enum type_space space);

/* ---- kernel.c: types of a source ---- */

/* Returns the kernel's types, read now if they were not yet; NULL when they cannot be. */
struct type_source *types_kernel(struct types *t);

/* Returns the kernel's type NAME; NULL when there is none. */
const struct type *kernel_type(struct types *t, enum btf_class klass, const char *name);

/* Returns the type NAME of SRC; a module's own come before vmlinux's. */
const struct type *source_find(struct type_source *src, enum btf_class klass, const char *name);

/* Returns the type with ID; NULL and types_error() when it makes no sense. */
const struct type *source_type(struct type_source *src, uint32_t id);

/*
 * Strips typedefs, qualifiers and tags off ID and finds its type *OUT; false if it is void or
 * corrupt.
 */
bool source_strip(struct type_source *src, uint32_t *id, const struct btf_type **out);

/* Returns the prototype of the function or function type BT; NULL when corrupt. */
const struct btf_type *source_proto(struct type_source *src, const struct btf_type *bt);

/* Takes note that the bytes make no sense; NULL for the caller to return. */
void *source_corrupt(struct type_source *src);

/* ---- define.c ---- */

/* Returns D's own type with the tag NAME, which may be incomplete; NULL if there is none. */
const struct type *types_own_tag(struct types *t, enum type_space space, const char *name);

/* ---- module.c ---- */

/*
 * Returns the source that MODULE names, read now if it was not yet ("" and "vmlinux": the kernel);
 * NULL when it cannot be read.
 */
struct type_source *source_named(struct types *t, const char *module, bool *unknown_module);

/* Returns the body of NAME in the modules that were read; NULL when none has it. */
const struct type *module_body(struct types *t, enum btf_class klass, const char *name);

/* ---- dwarf_type.c ---- */

/* Reads what is still unread of a program's type: members, enumerators or parameters. */
void dwarf_fill(struct node *n);

/*
 * Returns the body of TYPE_FWD N of a program, from any of its compilation units; NULL when none
 * has it.
 */
const struct type *dwarf_body(struct node *n);

/* Returns N after its members, enumerators or parameters are read. */
static inline struct node *node_read(struct node *n)
{
	if (n->unread)
		dwarf_fill(n);
	return n;
}

/* ---- members.c ---- */

/* Parameters of a TYPE_FUNC: their number without a "..." at the end, and the I-th. */
uint32_t func_nparams(const struct type *func, bool *variadic);
const struct type *func_param(const struct type *func, uint32_t i, const char **name);

#endif
