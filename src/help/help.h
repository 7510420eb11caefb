/* SPDX-License-Identifier: Apache-2.0 */
/*
 * help: explains names of D with an example: what dtrace_help() returns.
 *
 * Knows no name itself: the tables of built-ins, functions, options, providers and tokens do, and
 * help.def adds their examples.  The texts are in the session's arena.
 */
#ifndef HELP_HELP_H
#define HELP_HELP_H

#include <stdbool.h>

struct buf;
struct dtrace;
struct suggest;
struct type;

/* A row of help.def. */
enum help_kind { HELP_BUILTIN, HELP_FUNCTION, HELP_PROVIDER, HELP_WORD, HELP_LIBRARY };
struct help_row {
	enum help_kind kind;
	const char *name;
	const char *help; /* NULL: the table of the names has it */
	const char *example;
};

/* Returns row I, from 0; NULL: there are fewer. */
const struct help_row *help_row_at(unsigned i);
/* Returns the row of KIND called NAME, or NULL. */
const struct help_row *help_row_find(enum help_kind kind, const char *name);

/* Each writes to OUT what it knows about NAME; false: nothing, and nothing is written. */
bool help_probe(struct dtrace *d, const char *name, struct buf *out);	 /* io:::start, openat */
bool help_argument(struct dtrace *d, const char *name, struct buf *out); /* io:::start args[0] */
bool help_library(struct dtrace *d, const char *name, struct buf *out);	 /* fds, O_RDONLY */

/* The same for a type, "struct file"; with EXAMPLE in place of its own if that is not NULL. */
bool help_type(struct dtrace *d, const char *name, const char *example, struct buf *out);

/* Write EXAMPLE, a program of any number of lines. */
void help_example(struct buf *out, const char *example);

#endif
