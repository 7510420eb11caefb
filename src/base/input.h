/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input: reads files that the user names, which may be anything.
 *
 * Regular files, pipes and terminals are read.  Of other devices most never end.
 */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stddef.h>
#include <stdio.h>

struct buf;

/* Returns why IN is not to be read, words that follow its name; NULL: it can be. */
const char *input_refusal(FILE *in);

/* Reads IN to its end: 0, -EFBIG: it is longer than MOST bytes; or another negative errno. */
int input_read(FILE *in, size_t most, struct buf *out);

/* Opens PATH if it is a regular file; opening anything else could wait.  NULL and errno. */
FILE *input_open_regular(const char *path);

#endif
