/* SPDX-License-Identifier: Apache-2.0 */
/* trusted: files that nobody but root can change, read at once. */
#ifndef AGENT_TRUSTED_H
#define AGENT_TRUSTED_H

#include <stddef.h>

struct buf;

/*
 * Appends the bytes of the regular file PATH, at most MOST, to OUT.  The file belongs to root, and
 * nobody else may write to it.  0, or a negative errno with a text that stays valid in *PROBLEM.
 */
int trusted_read(const char *path, size_t most, struct buf *out, const char **problem);

#endif
