/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scopes: the DIEs around an address or around a DIE, from their unit inwards.
 *
 * libdw has dwarf_getscopes() and dwarf_getscopes_die(), which call themselves for each level and
 * read whatever list of ranges a DIE names: a file of somebody else has a million levels, or as
 * many DIEs that share one long list.  These look at no more than any real program has.
 */
#ifndef SYM_SCOPES_H
#define SYM_SCOPES_H

#include <elfutils/libdw.h>
#include <stdint.h>

#define SCOPES_MOST 256	 /* levels */
#define RANGES_MOST 4096 /* pieces of code of one scope */

/*
 * Finds the scopes of UNIT around VADDR as they lie in each other there, an inlined function in the
 * one that it is inlined into.  Stores them in V, from the outermost, which is UNIT, and returns
 * their number; 0: none but the unit, or they were not found in time.
 */
uint32_t scopes_at(Dwarf_Die *unit, uint64_t vaddr, Dwarf_Die v[SCOPES_MOST]);

/*
 * Finds the DIEs that DIE lies in, from its unit to itself.  Returns their number, 0 as above.
 */
uint32_t scopes_of(Dwarf_Die *die, Dwarf_Die v[SCOPES_MOST]);

#endif
