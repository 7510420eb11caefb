/* SPDX-License-Identifier: Apache-2.0 */
/*
 * glob: DTrace's shell-style patterns: * ? [abc] [a-z] [!a-z] \c; whole-string, case-sensitive.
 *
 * A set that never ends and a backslash at the end match nothing.  Knows nothing of probes.
 */
#ifndef PROBE_GLOB_H
#define PROBE_GLOB_H

#include <stdbool.h>

/* True if PATTERN matches all of TEXT; an empty pattern matches anything. */
bool glob_match(const char *pattern, const char *text);

/* True if PATTERN has a character that glob_match() treats specially (or is empty). */
bool glob_is_pattern(const char *pattern);

#endif
