/* SPDX-License-Identifier: Apache-2.0 */
/*
 * types: one table of C and D types, filled lazily from the kernel's BTF, from programs' debug
 * information (dwarf.h) and from D itself (define.h).
 *
 * Nobody outside this folder says BTF.  The kernel's types are read on the first look-up that D's
 * own types do not answer, through the callback given to types_new(); a program that names no
 * kernel type never pays for them.
 */
#ifndef TYPES_TYPES_H
#define TYPES_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
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
	T_STACK,  /* of the kernel */
	T_USTACK, /* of a process */
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

/* Visits each tag of SPACE that begins with PREFIX, D's and the kernel's, once each, in no order.
 */
void types_each_tag(struct types *t, enum type_space space, const char *prefix,
	void (*visit)(void *arg, const char *name), void *arg);

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
