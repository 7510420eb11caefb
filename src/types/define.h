/* SPDX-License-Identifier: Apache-2.0 */
/*
 * define: the structs, unions, enums, functions and sized strings that a D program defines.
 */
#ifndef TYPES_DEFINE_H
#define TYPES_DEFINE_H

#include <stdbool.h>
#include <stdint.h>

struct types;

struct type_member_def {
	const char *name; /* NULL: unnamed bit-field, or anonymous struct or union; copied */
	const struct type *type;
	bool is_bits;  /* a bit-field, */
	uint32_t bits; /* this wide; 0 only when unnamed */
	/* GNU C's attributes: no padding before it; at least this alignment, in bytes, 0 = none */
	bool packed;
	uint32_t align;
	uint32_t most; /* #pragma pack: at most this alignment; 0: none is too much */
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

/* The same with a minimum alignment, a power of two of bytes; 0 = that of the members. */
const struct type *types_define_aligned(struct types *t, bool is_union, const char *name,
	const struct type_member_def *members, uint32_t n, uint32_t align);

/*
 * Defines an enum, int-sized and signed.  NAME may be NULL.  NULL: the tag already has a body in D.
 */
const struct type *types_define_enum(struct types *t, const char *name, const char *const *names,
	const int64_t *values, uint32_t n);

/* The same as GNU C has it: without a sign, or as large as a long, where the values need that. */
const struct type *types_define_c_enum(struct types *t, const char *name, const char *const *names,
	const int64_t *values, uint32_t n);

/* Makes type NAME, a typedef of OF with alignment ALIGN, in bytes. */
const struct type *types_aligned(
	struct types *t, const char *name, const struct type *of, uint32_t align);

/* Makes a function type; array and function parameters become pointers as in C (C11 6.7.6.3). */
const struct type *types_func(struct types *t, const struct type *result,
	const struct type *const *params, uint32_t n, bool variadic);

/* Returns string<STRSIZE>: a TYPE_STRING of its own size, one for each. */
const struct type *types_string(struct types *t, uint32_t strsize);

#endif
