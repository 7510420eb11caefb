/* SPDX-License-Identifier: Apache-2.0 */
/* demangle: names of functions as C++ and Rust write them. */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

/*
 * Returns the source's name for symbol NAME, "shop::add(int)" for "_ZN4shop3addEi", with malloc(3).
 * NULL: NAME is not mangled, or memory ran out.
 */
char *demangle(const char *name);

#endif
