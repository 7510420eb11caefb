/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * flags: names of numbers: sets of rows, of which flags.def has the text.  Constant tables, nothing
 * to free.  Compiled by cc and by clang -target bpf, for which the functions do not exist.
 */
#ifndef ABI_FLAGS_H
#define ABI_FLAGS_H

#include <linux/types.h>

#define DT_SEC_FLAGS ".rodata.flags"

enum flag_set {
#define NAMES(set, bits, rest, help) FLAGS_##set,
#include "abi/flags.def"
	FLAGS_MAX,
};

/* The form of 0 and of bits without a name. */
enum flag_rest {
	FLAG_REST_HEX,
	FLAG_REST_OCT,
	FLAG_REST_DEC,	 /* signed */
	FLAG_REST_ERRNO, /* decimal; the value's sign does not count */
	FLAG_REST_ERROR, /* the same, after DT_UNKNOWN_ERROR */
};

#define DT_UNKNOWN_ERROR "Unknown error "

struct dt_flag_set {
	__u16 first, end; /* rows, END excluded */
	__u8 bits, rest;  /* that count, from the lowest; enum flag_rest */
	__u16 pad;
};

struct dt_flag_row {
	__u64 mask, value; /* applies if the bits of the mask have the value */
	__u32 text;	   /* offset in struct dt_flag_texts */
	__u32 pad;
};

/* Names that the running kernel has besides those of the table, in no order. */
struct flag_newer {
	const struct flag_named {
		enum flag_set set;
		__u64 value;
		const char *name;
	} * names;
	__u32 n;
};

#ifndef __bpf__
#include <stdbool.h>
#include <stddef.h>

/* Returns the name and the help of a set; NULL past the last. */
const char *flag_set_name(unsigned set);
const char *flag_set_help(unsigned set);
/* Returns the enum of the kernel whose values the set names; NULL: it is of none. */
const char *flag_set_enum(enum flag_set set);
/* Returns how many low bits of a value count, and whether its sign does not. */
unsigned flag_set_bits(enum flag_set set);
bool flag_set_is_error(enum flag_set set);
/* Returns the number of the set NAME, FLAGS_MAX if there is none. */
enum flag_set flag_set_find(const char *name);
/*
 * Writes the text of VALUE to BUF, cut to SIZE bytes with its NUL, SIZE > 0; returns its length
 * there: the names of flags, joined by "|".
 */
size_t flag_text(enum flag_set set, __u64 value, char *buf, size_t size);

/* True if a row of the set applies to VALUE; no flag at all needs no name. */
bool flag_is_named(enum flag_set set, __u64 value);

/* Returns the name that NEWER, which may be NULL, has for VALUE; NULL: none. */
const char *flag_newer_name(const struct flag_newer *newer, enum flag_set set, __u64 value);

/* Calls VISIT with each row of the set, in order; MASK ~0: the whole value. */
void flag_each(enum flag_set set,
	void (*visit)(void *arg, __u64 mask, __u64 value, const char *text), void *arg);
#endif

#endif
