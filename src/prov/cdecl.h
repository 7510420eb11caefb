/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cdecl: C parameter lists as text ("const char *filename, int flags"), for providers whose
 * tables say what their probes' arguments are.
 *
 * Knows base types, struct, union and enum tags, typedefs, qualifiers and pointers; no arrays and
 * no pointers to functions.  The types belong to the table they were looked up in.
 */
#ifndef PROV_CDECL_H
#define PROV_CDECL_H

#include <stdint.h>

struct type;
struct types;

/* Returns the number of parameters in LIST; "" has none. */
uint32_t cdecl_count(const char *list);

/* Stores the types of the first MAX parameters of LIST; NULL for an unknown one. */
void cdecl_types(struct types *t, const char *list, const struct type **out, uint32_t max);

/*
 * Returns the type of the parameter at *P, which ends at a comma or the end of the text; *P is left
 * there.  NULL when it cannot be read or the kernel does not know the name in it.
 */
const struct type *cdecl_param(struct types *t, const char **p);

#endif
