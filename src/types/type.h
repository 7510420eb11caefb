/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type: one table of C and D types, filled lazily from the kernel's BTF and from D itself.
 *
 * Nobody outside this folder says BTF.  A struct type is immutable, lives in the table's arena
 * and is compared with type_same(); the same C type may have several copies.
 * The kernel's types are read on the first look-up that D's own types do not answer, through
 * the callback given to types_new(); a program that names no kernel type never pays for them.
 */
#ifndef TYPES_TYPE_H
#define TYPES_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

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
	TYPE_STACK,    /* stack(), ustack() */
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
	bool is_user;		/* TYPE_PTR: to user space (__user) */
	bool is_percpu;		/* TYPE_PTR: __percpu */
	char qual;		/* TYPE_QUAL: 'c', 'v' or 'r' */
	uint64_t size;		/* bytes; 0 for void, functions and incomplete types */
	uint32_t nelems;	/* TYPE_ARRAY */
	uint32_t id;		/* of the kernel's copy, for verifier-typed access; else 0 */
	const char *name;	/* spelled name or tag; NULL when anonymous */
	const struct type *ref; /* pointee, element, aliased, qualified or returned type */
	struct types *owner;
};

struct types;

/*
 * How to get at the running kernel's type information.  Returns 0 and *DATA, *LEN (borrowed,
 * alive as long as the table), or a negative errno.
 */
typedef int (*types_load_fn)(void *arg, const void **data, size_t *len);

/* A new table in arena A. strsize: bytes of a D string without its NUL. LOAD may be NULL. */
struct types *types_new(struct arena *a, uint32_t strsize, types_load_fn load, void *arg);

/* ---- finding types ---- */

enum type_space {
	SPACE_ORDINARY /* base types, typedefs */,
	SPACE_STRUCT,
	SPACE_UNION,
	SPACE_ENUM
};

/* NULL when there is none. Multi-word C names are canonical: "unsigned int", "long long". */
const struct type *types_lookup(struct types *t, enum type_space space, const char *name);

/*
 * A struct or union tag that nothing defines (yet): TYPE_FWD, or the body when there is one.
 * NAME is copied.
 */
const struct type *types_forward(struct types *t, enum type_space space, const char *name);

/* Types that every program has; never NULL. */
enum type_basic {
	T_VOID,
	T_CHAR,
	T_SCHAR,
	T_UCHAR,
	T_SHORT,
	T_USHORT,
	T_INT,
	T_UINT,
	T_LONG,
	T_ULONG,
	T_LLONG,
	T_ULLONG,
	T_FLOAT,
	T_DOUBLE,
	T_LDOUBLE,
	T_INT8, /* the typedefs int8_t .. uint64_t, as D knows them */
	T_INT16,
	T_INT32,
	T_INT64,
	T_UINT8,
	T_UINT16,
	T_UINT32,
	T_UINT64,
	T_SIZE,	   /* size_t */
	T_PTRDIFF, /* ptrdiff_t */
	T_UINTPTR,
	T_PID, /* pid_t, int */
	T_ID,  /* id_t, int */
	T_STRING,
	T_STACK,
	T_SYMADDR,
	T_USYMADDR,
	T_DYN,
	T_VOIDPTR,
	T_BASIC_MAX,
};
const struct type *types_basic(struct types *t, enum type_basic which);

/* An integer type of SIZE 1, 2, 4 or 8 bytes: char, short, int, long and their unsigned kin. */
const struct type *types_int(struct types *t, unsigned size, bool is_signed);

const struct type *types_ptr(struct types *t, const struct type *to);
const struct type *types_array(struct types *t, const struct type *of, uint32_t n);
const struct type *types_qual(struct types *t, const struct type *of, char qual);

/* ---- looking into types ---- */

/* TYPE without typedefs and qualifiers.  A TYPE_FWD with a body elsewhere becomes the body. */
const struct type *type_resolve(const struct type *type);

/* The members of a struct or union (resolved), cached; NULL and *N = 0 for others. */
const struct member *type_members(const struct type *type, uint32_t *n);

/* Where a member was found: anonymous structs and unions are searched too. */
struct member_path {
	const struct type *type;
	uint32_t bit_offset; /* from the start of the outermost struct */
	uint32_t bit_size;   /* of a bit-field, else 0 */
	bool in_union;	     /* a union lies on the way */
};
bool type_find_member(const struct type *type, const char *name, struct member_path *out);

/* Enumerators of TYPE; VISIT returns true to stop. */
void type_enumerators(
	const struct type *type, bool (*visit)(void *, const char *, int64_t), void *arg);

/* Functions: parameter types (of TYPE_FUNC) in order; returns their number. */
uint32_t type_params(
	const struct type *func, const struct type **out, const char **names, uint32_t max);

/* Whether both name the same C type, typedefs and qualifiers aside. */
bool type_same(const struct type *a, const struct type *b);

/* The C spelling ("struct task_struct *", "char [16]"); always terminated; returns BUF. */
char *type_name(const struct type *type, char *buf, size_t size);

/*
 * C's declaration words normalised: "long unsigned int" -> "unsigned long"; those of float,
 * double and long double too.  False for words that C does not combine.
 */
bool type_canonical_int(const char *words, char *buf, size_t size);

/* ---- functions and tracepoints of the kernel ---- */

/*
 * The prototype (TYPE_FUNC) of kernel function NAME; NULL when unknown.  Its name is the
 * function's, its id what attaching to the function takes.
 */
const struct type *types_function(struct types *t, const char *name);

/* Each kernel function whose name begins with PREFIX, in no order. */
void types_each_function(
	struct types *t, const char *prefix, void (*visit)(void *arg, const char *name), void *arg);

/*
 * The BTF-typed raw tracepoint EVENT ("sys_enter"): the id that attaching it takes, and its
 * TYPE_FUNC in *PROTO (without the leading void *) when PROTO is not NULL. 0 = unknown.
 */
uint32_t types_tracepoint(struct types *t, const char *event, const struct type **proto);

/*
 * Why the kernel's types cannot be read: 0 = they can (or were not needed), -ENOENT = there is
 * no callback, -EINVAL = what was read so far makes no sense, else the callback's -errno.
 */
int types_error(const struct types *t);

#endif
