/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diag: located error messages, collected in a list; nothing is printed here.
 *
 * A diagnostic has DTrace's error tag ("D_SYNTAX"; "" = none, and no place in the text), a place,
 * and DTrace's own one-line text (further lines begin with a tab).  The place's text forms are
 * chosen by who prints.  It may have a hint, a fragment for people ("did you mean 'comm'?") that is
 * shown only where errors are explained.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>

#include "base/vec.h"

/* A place in a source; line and column count from 1, 0 = unknown. */
struct loc {
	const struct source *src;
	uint32_t line, col;
};

/* Which part of a command-line program is compiled; it stands where scripts have a line. */
enum diag_region { REGION_NONE, REGION_PREDICATE, REGION_ACTIONS };

struct diag {
	const char *tag;
	struct loc loc;
	uint32_t line; /* what DTrace says for it, where that is not loc's; else 0 */
	enum diag_region region;
	const char *text;
	const char *hint; /* NULL = none */
};

struct diags {
	struct arena *arena;
	VEC(struct diag) list;
	VEC(struct diag) warnings; /* of what compiles; without tags, one a place and text */
	enum diag_region region;   /* put on what is added from now on */
	bool hints;		   /* they will be shown: looking for one may take time */
};

void diag_add(struct diags *d, const char *tag, struct loc loc, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void diag_vadd(struct diags *d, const char *tag, struct loc loc, const char *fmt, va_list ap);

/* Add a warning, unless the same is there for the same place. */
void diag_warn(struct diags *d, struct loc loc, const char *text);

/* Of the error that was added last: DTrace says LINE, having read on from its place. */
void diag_line(struct diags *d, uint32_t line);

/* Give the error that was added last a hint, replacing what it had.  Without an error: nothing. */
void diag_hint(struct diags *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
