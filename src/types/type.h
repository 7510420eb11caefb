/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type: one table of C and D types, filled lazily from the kernel's BTF, from programs' debug
 * information (dwarf.h) and from D itself.
 *
 * Nobody outside this folder says BTF.  A struct type lives in the table's arena, does not change
 * (but for a forward declaration, which its definition completes in place) and is compared with
 * type_same(); the same C type may have several copies.
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
	uint32_t id;		/* vmlinux's, for verifier-typed access; D's and modules': 0 */
	const char *name;	/* spelled name or tag; NULL when anonymous */
	const struct type *ref; /* pointee, element, aliased, qualified or returned type */
	struct types *owner;
};

struct types;

/*
 * Reads the running kernel's type information.  Returns 0 and *DATA, *LEN (borrowed, alive as long
 * as the table), or a negative errno.
 */
typedef int (*types_load_fn)(void *arg, const void **data, size_t *len);

/* A new table in arena A. strsize: bytes of a D string without its NUL. LOAD may be NULL. */
struct types *types_new(struct arena *a, uint32_t strsize, types_load_fn load, void *arg);

/* Sets the length of D's plain strings from here on. */
void types_set_strsize(struct types *t, uint32_t strsize);

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
 * Declares a struct or union tag that nothing defines (yet): TYPE_FWD, or the body when there is
 * one, D's before the kernel's.  There is one TYPE_FWD for a tag, and defining the tag completes
 * it. NAME is copied.
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

/* ---- types that a program defines ---- */

struct type_member_def {
	const char *name; /* NULL: unnamed bit-field, or anonymous struct or union; copied */
	const struct type *type;
	bool is_bits;  /* a bit-field, */
	uint32_t bits; /* this wide; 0 only when unnamed */
};

/*
 * Returns the opening brace of `struct NAME {`: from here on NAME is D's, and what looks it up gets
 * the still incomplete TYPE_FWD even where the kernel has such a type, so that `struct NAME *`
 * among its own members means itself (C11 6.7.2.3).  NULL: the tag already has a body in D.
 */
const struct type *types_begin_record(struct types *t, bool is_union, const char *name);

/*
 * Defines a struct or union of D, laid out as the native C ABI has it (x86-64 psABI: bit-fields
 * share storage units of their declared type, unnamed ones of no width align the next one, the size
 * is rounded to the alignment, that of nothing but bit-fields too).  NAME may be NULL. The TYPE_FWD
 * that was given out for NAME becomes it; the kernel's type of that name is shadowed. Unnamed
 * bit-fields are not among its type_members().  Members of incomplete type, names that occur twice
 * and widths are the caller's to check.  NULL: the tag already has a body in D. One that C could
 * not have for its size has the size UINT64_MAX.
 */
const struct type *types_define_record(struct types *t, bool is_union, const char *name,
	const struct type_member_def *members, uint32_t n);

/*
 * Defines an enum, int-sized and signed.  NAME may be NULL.  NULL: the tag already has a body in D.
 */
const struct type *types_define_enum(struct types *t, const char *name, const char *const *names,
	const int64_t *values, uint32_t n);

/* Makes a function type; array and function parameters become pointers as in C (C11 6.7.6.3). */
const struct type *types_func(struct types *t, const struct type *result,
	const struct type *const *params, uint32_t n, bool variadic);

/* Returns string<STRSIZE>: a TYPE_STRING of its own size, one for each. */
const struct type *types_string(struct types *t, uint32_t strsize);

/* ---- types of modules ---- */

/* Reads the types of module NAME, as types_load_fn; -ENOENT = there is no such module. */
typedef int (*types_load_module_fn)(void *arg, const char *name, const void **data, size_t *len);
void types_set_module_loader(struct types *t, types_load_module_fn load, void *arg);

/*
 * Finds the types of a program or library by its name, for MODULE`NAME if the kernel has no such
 * module; NULL: there is none, or it has no debug information.
 */
struct dwarf_file;
typedef struct dwarf_file *(*types_find_program_fn)(void *arg, const char *name);
void types_set_program_finder(struct types *t, types_find_program_fn find, void *arg);

/*
 * Type MODULE`NAME: "D" are the program's own, "C" has none yet, "vmlinux" the kernel's, else
 * those of a kernel module, which include vmlinux's; "" = vmlinux's, then those of the modules
 * read so far.  NULL when there is none; *UNKNOWN_MODULE then says that the module is.
 */
const struct type *types_lookup_in(struct types *t, const char *module, enum type_space space,
	const char *name, bool *unknown_module);

/* ---- looking into types ---- */

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

/* ---- variables, functions and tracepoints of the kernel ---- */

/*
 * Returns the type of the kernel's variable NAME, which BTF has for those of a CPU only (*PERCPU),
 * and a table of ours for a few others whose declaration has been the same for years; NULL when
 * neither knows it.
 */
const struct type *types_variable(struct types *t, const char *name, bool *percpu);

/*
 * Returns the type of a variable of MODULE, as types_lookup_in() says; a module's own only, the
 * kernel's for "vmlinux" and "" (D and C have none).  NULL as well when the module is unknown.
 */
const struct type *types_variable_in(
	struct types *t, const char *module, const char *name, bool *percpu);
const struct type *types_function_in(struct types *t, const char *module, const char *name);

/*
 * Returns the prototype (TYPE_FUNC) of kernel function NAME; NULL when unknown.  Its name is the
 * function's, its id what attaching to the function takes.
 */
const struct type *types_function(struct types *t, const char *name);

/* Visits each kernel function whose name begins with PREFIX, in no order. */
void types_each_function(
	struct types *t, const char *prefix, void (*visit)(void *arg, const char *name), void *arg);

/* Visits each tracepoint of the kernel proper, in no order. */
void types_each_tracepoint(struct types *t, void (*visit)(void *arg, const char *name), void *arg);

/*
 * Returns the BTF-typed raw tracepoint EVENT ("sys_enter"): the id that attaching it takes, and its
 * TYPE_FUNC in *PROTO (without the leading void *) when PROTO is not NULL. 0 = unknown.
 */
uint32_t types_tracepoint(struct types *t, const char *event, const struct type **proto);

/*
 * Returns why the kernel's types cannot be read: 0 = they can (or were not needed), -ENOENT = there
 * is no callback, -EINVAL = what was read so far makes no sense, else the callback's -errno.
 */
int types_error(const struct types *t);

#endif
