/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clone: names that compilers give to copies and parts of a function.
 *
 * GCC's are NAME.constprop.0, NAME.isra.0, NAME.part.0, NAME.cold and what these are combined to;
 * those of LLVM NAME.llvm.123, NAME.__uniq.123, NAME.cold.1.  Demanglers write
 * "name(int) [clone .isra.0]".
 */
#ifndef BASE_CLONE_H
#define BASE_CLONE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the length of the function's name in NAME, a symbol or a demangled name: without the
 * suffixes of whole copies.  A part of a function is no copy of it and keeps its name.
 */
size_t clone_source_len(const char *name);

/* True if NAME is a whole copy of function SOURCE. */
bool clone_is_of(const char *name, const char *source);

/*
 * Returns the length of the name of the function that NAME, a symbol, is a part of; 0: it is none.
 * FROM 0 finds the shortest such name, the last result the next longer one: work.part.0.cold is
 * a part of work and of work.part.0.
 */
size_t clone_part_of(const char *name, size_t from);

#endif
