/* SPDX-License-Identifier: Apache-2.0 */
/* cxx: where the objects of C++'s library have what they stand for. */
#ifndef TYPES_CXX_H
#define TYPES_CXX_H

#include <stdbool.h>
#include <stdint.h>

struct cxx_string; /* abi/record.h */
struct type;

/*
 * True if TYPE, typedefs and qualifiers aside, is a std::string or std::string_view of libstdc++ or
 * libc++.  Stores its places.  Sources: bits/basic_string.h, bits/cow_string.h and string_view of
 * GCC; string of LLVM, from 3.1 on, with either layout (_LIBCPP_ABI_ALTERNATE_STRING_LAYOUT).
 */
bool cxx_is_string(const struct type *type, struct cxx_string *out);

/*
 * Calls VISIT with each string that is a whole in the first SIZE bytes of an object of TYPE, and
 * with the byte where it begins, in order, until it returns false.  Strings in unions are left
 * out: whether there is one is unknown.  Members deeper than CXX_MAX_DEPTH are, as well.
 */
#define CXX_MAX_DEPTH 10
void cxx_each_string(const struct type *type, uint64_t size,
	bool (*visit)(void *arg, uint64_t at, const struct cxx_string *s), void *arg);

#endif
