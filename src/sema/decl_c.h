/* SPDX-License-Identifier: Apache-2.0 */
/* decl_c: what only C headers declare: layouts with attributes, records defined twice. */
#ifndef SEMA_DECL_C_H
#define SEMA_DECL_C_H

#include <stdbool.h>
#include <stdint.h>

struct c_attributes;
struct decl;
struct declarator;
struct sema;
struct type;
struct type_member_def;
struct type_spec;

/* Finds the alignment that attributes A ask for, in bytes; 0: none.  False: an error. */
bool sema_alignment(struct sema *s, const struct c_attributes *a, uint32_t *out);
/*
 * Returns the type that declarator D of a typedef with SPEC gives T, which may be aligned in its
 * own way or a vector; NULL: an error.
 */
const struct type *sema_typedef_layout(struct sema *s, const struct type_spec *spec,
	const struct declarator *d, const struct type *t);
/* Fills in how D, a declarator of member IN of record SP, is laid out.  False: an error. */
bool sema_layout(struct sema *s, const struct type_spec *sp, const struct decl *in,
	const struct declarator *d, struct type_member_def *m);
/* Returns the record that SP defines again if it has these N members, else NULL. */
const struct type *sema_same_record(
	struct sema *s, const struct type_spec *sp, const struct type_member_def *defs, uint32_t n);
/* True if A and B are the same type, or what two readings of one header make of one without a name.
 */
bool sema_same_c(const struct type *a, const struct type *b);
/* True if NAME is a constant already, and V. */
bool sema_has_value(struct sema *s, const char *name, int64_t v);

#endif
