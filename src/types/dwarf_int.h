/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dwarf_int: shared by the files of the DWARF reader.
 *
 *   dwarf_file.c    opening and closing
 *   dwarf_index.c   names and addresses to DIEs, unit by unit
 *   dwarf_type.c    DIEs to struct type
 *   dwarf_abi.c     how parameters are passed
 *
 * A DIE is known by its address in the section's bytes, which no two share.
 */
#ifndef TYPES_DWARF_INT_H
#define TYPES_DWARF_INT_H

#include "base/strmap.h"
#include "elf/dwarf.h"
#include "types/table.h"

static inline uint64_t dwarf_key(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

/* The classes of names. */
enum dwarf_class {
	DWARF_TYPES, /* + enum type_space */
	DWARF_FUNCS = DWARF_TYPES + NSPACES,
	DWARF_VARS,
	DWARF_NCLASSES,
};

/* Of several DIEs of one name the index keeps the first of the highest rank. */
enum dwarf_rank {
	RANK_UNSCOPED = 1, /* the name is longer: it is in a namespace or class */
	RANK_INLINED,	   /* a static function that has no code of its own */
	RANK_DECLARED,	   /* a global function or variable that is elsewhere */
	RANK_STATIC,
	RANK_BEST,
};

/*
 * What the index of a file keeps of lists that many DIEs can share, and of names that each DIE in a
 * namespace multiplies: a small file of somebody else could fill our memory.
 */
#define DWARF_RANGES_MOST (4u << 20)
#define DWARF_NAMES_MOST  (1ull << 30) /* bytes */

struct dwarf_entry {
	void *addr;
	Dwarf_CU *cu;
	enum dwarf_rank rank;
	struct dwarf_entry *next; /* another function at the same address */
};

struct dwarf_file {
	struct types *types;
	struct arena *arena; /* of the index; freed with the file */
	struct elf_dwarf dwarf;
	Dwarf *dbg;	  /* dwarf.main.dbg; NULL: closed */
	const char *path; /* of the file that was asked about */
	const char *missing;
	/* index: keys are bytes of the file or in ARENA */
	struct strmap names[DWARF_NCLASSES];
	struct intmap units;   /* Dwarf_CU to struct dwarf_unit */
	struct intmap by_pc;   /* entry address to struct dwarf_entry */
	struct intmap by_data; /* static variable's address to it */
	Dwarf *scanning;       /* dbg, then its supplementary file */
	Dwarf_CU *last;	       /* unit that was scanned */
	bool scanned_all;
	unsigned nested; /* units whose scan is not done */
	bool have_ranges;
	uint32_t ranges_left; /* pieces of code that are kept yet, of units and of functions */
	uint64_t names_left;  /* bytes of names that are put together */
	VEC(struct dwarf_range) ranges; /* of units, in order */
	/* in the types' arena */
	struct intmap nodes; /* DIE address to struct dwarf_node */
};

/* Code of a unit. */
struct dwarf_range {
	uint64_t begin, end;
	void *addr; /* of the unit's DIE */
	Dwarf_CU *cu;
};

/* A type and where it comes from. */
struct dwarf_node {
	struct node node; /* first */
	Dwarf_Die die;
	bool is_vector;		 /* TYPE_ARRAY: of SIMD */
	bool by_address;	 /* what dwarf_abi_by_address() says of a struct, */
	bool asked;		 /* once it was asked */
	bool looked;		 /* TYPE_FWD: for its body, */
	const struct type *body; /* which is this */
};

/* TYPE's, or NULL where it was derived from one or is none of a program. */
struct dwarf_node *dwarf_node_of(const struct type *type);

static inline Dwarf_Die dwarf_entry_die(const struct dwarf_entry *e)
{
	return (Dwarf_Die){.addr = e->addr, .cu = e->cu};
}

/* Walking the children of a DIE: in order, and never back, whatever the bytes say. */
bool dwarf_first(Dwarf_Die *parent, Dwarf_Die *child);
bool dwarf_next(Dwarf_Die *child);

/* Takes note of what is missing; the first time counts. */
void dwarf_miss(struct dwarf_file *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- dwarf_index.c ---- */

/*
 * NAME of CLASS, of at least RANK; units are read until there is one of RANK_BEST.  NULL: none.
 */
const struct dwarf_entry *dwarf_find(
	struct dwarf_file *f, enum dwarf_class klass, const char *name, enum dwarf_rank rank);

/* Returns the functions that begin at VADDR; NULL: none. */
const struct dwarf_entry *dwarf_find_pc(struct dwarf_file *f, uint64_t vaddr);

/* Returns the static variable at VADDR, of the units that were read; NULL: none. */
const struct dwarf_entry *dwarf_find_data(struct dwarf_file *f, uint64_t vaddr);

/* Returns NAME of DIE with the namespaces and classes that it is in, in the types' arena. */
const char *dwarf_qualified(struct dwarf_file *f, Dwarf_Die *die, const char *name);

/* True if DIE is of a language that has namespaces and classes. */
bool dwarf_is_scoped(struct dwarf_file *f, Dwarf_Die *die);

/* Returns DIE's linkage name; NULL: none. */
const char *dwarf_linkage_name(Dwarf_Die *die);

/* ---- dwarf_type.c ---- */

/* Returns the type that DIE describes; void where it makes no sense. */
const struct type *dwarf_build(struct dwarf_file *f, Dwarf_Die *die);

/* Returns the type of DIE's DW_AT_type; void if it has none. */
const struct type *dwarf_type_of(struct dwarf_file *f, Dwarf_Die *die);

/* Reads attribute NAME, DIE's own or that of the DIE that it completes; false: it has none. */
bool dwarf_number(Dwarf_Die *die, unsigned name, uint64_t *value);
bool dwarf_flag(Dwarf_Die *die, unsigned name); /* its own */

#endif
