/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spec: the text of a probe description, in which the function can be named as programs of C++,
 * Rust and Go, and Java, name it: "int twice<int>(int)", "P::operator<(P const&) const".
 */
#ifndef LANG_SPEC_H
#define LANG_SPEC_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns the end of the description that begins at START and ends before END; START: none does.
 * FUNCTION: it may be the name of a function alone.
 */
const char *spec_end(const char *start, const char *end, bool function);

/*
 * Returns the length of the operator at P, the text of which begins at START, if it is part of a
 * name ("<" of operator<, "()" of operator()); 0: it is not.
 */
size_t spec_operator(const char *start, const char *p, const char *end);

#endif
