/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type: a type of C or D: its kind, members, enumerators, parameters and spelling.
 *
 * A struct type lives in the arena of its table (types.h), does not change (but for a forward
 * declaration, which its definition completes in place) and is compared with type_same(); the same
 * C type may have several copies.
 */
#ifndef TYPES_TYPE_H
#define TYPES_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum type_kind {
	TYPE_VOID,
	TYPE_INT, /* char, _Bool too */
	TYPE_FLOAT,
	TYPE_ENUM,
	TYPE_PTR,
	TYPE_ARRAY,
	TYPE_STRUCT,
	TYPE_UNION,
	TYPE_FWD, /* struct or union without a body */
	TYPE_FUNC,
	TYPE_TYPEDEF,
	TYPE_QUAL, /* const, volatile or restrict of ref */
	/* D's own */
	TYPE_STRING,   /* size = strsize + 1, the bytes of its storage with the NUL */
	TYPE_STACK,    /* stack(), ustack(); is_user */
	TYPE_SYMADDR,  /* sym(), func(), mod() */
	TYPE_USYMADDR, /* usym(), ufunc(), umod(), uaddr() */
	TYPE_DYN,      /* not determined */
};

struct member {
	const char *name; /* NULL or "" for an anonymous struct or union */
	const struct type *type;
	uint32_t bit_offset; /* from the start of the struct */
	uint32_t bit_size;   /* of a bit-field, else 0 */
};

struct type {
	enum type_kind kind;
	bool is_signed; /* TYPE_INT, TYPE_ENUM */
	bool is_char;	/* TYPE_INT spelled char */
	bool is_bool;
	bool is_union;		/* TYPE_FWD */
	bool is_user;		/* TYPE_PTR: to user space (__user); TYPE_STACK: of a process */
	bool is_percpu;		/* TYPE_PTR: __percpu */
	char qual;		/* TYPE_QUAL: 'c', 'v' or 'r' */
	uint64_t size;		/* bytes; 0 for void, functions and incomplete types */
	uint32_t nelems;	/* TYPE_ARRAY */
	uint32_t id;		/* vmlinux's, for verifier-typed access; D's and modules': 0 */
	const char *name;	/* spelled name or tag; NULL when anonymous */
	const struct type *ref; /* pointee, element, aliased, qualified or returned type */
	struct types *owner;
};

/* TYPE without typedefs and qualifiers.  A TYPE_FWD with a body elsewhere becomes the body. */
const struct type *type_resolve(const struct type *type);

/* Returns the members of a struct or union (resolved), cached; NULL and *N = 0 for others. */
const struct member *type_members(const struct type *type, uint32_t *n);

/* The place of a member: anonymous structs and unions are searched too. */
struct member_path {
	const struct type *type;
	uint32_t bit_offset; /* from the start of the outermost struct */
	uint32_t bit_size;   /* of a bit-field, else 0 */
	bool in_union;	     /* a union lies on the way */
};
bool type_find_member(const struct type *type, const char *name, struct member_path *out);

/*
 * True if the SIZE bytes at byte OFF of TYPE are in one integer, whichever member of each union is
 * taken.  False if a bit-field is among them.
 */
bool type_is_number_at(const struct type *type, uint64_t off, uint64_t size);

/* The name of each member, those of anonymous members (which have none) too. */
void type_each_member(
	const struct type *type, void (*visit)(void *arg, const char *name), void *arg);

/*
 * Returns the alignment in bytes, at least 1: the ABI's natural one; of kernel structs as their
 * members imply it.
 */
uint32_t type_align(const struct type *type);

/* Enumerators of TYPE; VISIT returns true to stop. */
void type_enumerators(
	const struct type *type, bool (*visit)(void *, const char *, int64_t), void *arg);

/* Stores the parameter types of a TYPE_FUNC in order; returns their number. */
uint32_t type_params(
	const struct type *func, const struct type **out, const char **names, uint32_t max);

/*
 * True if both name the same C type, typedefs and qualifiers aside.  Strings of all sizes are; a
 * type that D defines is only itself.
 */
bool type_same(const struct type *a, const struct type *b);

/* Returns the C spelling ("struct task_struct *", "char [16]"); always terminated; returns BUF. */
char *type_name(const struct type *type, char *buf, size_t size);

/*
 * Normalises C's declaration words: "long unsigned int" -> "unsigned long"; those of float, double
 * and long double too.  False for words that C does not combine.
 */
bool type_canonical_int(const char *words, char *buf, size_t size);

#endif
