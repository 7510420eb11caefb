/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hint: hints on errors, added to the one that was reported last (base/diag.h).
 *
 * Each function returns false, so that it goes after the error: return sema_error(...) ||
 * hint_member(...).  Nothing is looked for where hints are not shown.  Where an undefined name is
 * only a consequence of an earlier error, recover.h is told.
 */
#ifndef SEMA_HINT_H
#define SEMA_HINT_H

#include "lang/lex.h"
#include "types/types.h"

struct arena;
struct expr;
struct probe_pattern;
struct sema;

/* The variable E (EXPR_VAR) is not known: of a near name, of another scope, the kernel's ... */
bool hint_variable(struct sema *s, const struct expr *e);
bool hint_aggregation(struct sema *s, const char *name);
bool hint_function(struct sema *s, const char *name);
/* Hints at the parentheses of ustack( ), where NAME is a function without them. */
bool hint_call(struct sema *s, const char *name);
/* Hints at the sets of flags, of which none is NAME. */
bool hint_flags(struct sema *s, const char *name);
/* Hints at members of T (resolved), which has no NAME. */
bool hint_member(struct sema *s, const struct type *t, const char *name);
/* Hints at a "." or "->" (OP) that T does not take. */
bool hint_access(struct sema *s, enum token_kind op, const struct type *t);
/* Hints at types in SPACE, which has no NAME. */
bool hint_type(struct sema *s, enum type_space space, const char *name);
/* Hints at what does the work of provider PROV, which is missing. */
bool hint_provider(struct sema *s, const char *prov);
/* Hints at probes for PAT, which matches none. */
bool hint_probe(struct sema *s, const struct probe_pattern *pat);
/* Hints at a comparison: OP assigns, and its left side cannot be written. */
bool hint_assigned(struct sema *s, enum token_kind op);
/* Hints at a string in single quotes: A and B, of which one is a string, are of two kinds. */
bool hint_compared(struct sema *s, const struct expr *a, const struct expr *b);
/* Returns a hint for a syntax error in LINE, or NULL. */
const char *hint_syntax(struct arena *a, const char *line);
/* Adds a hint with the text FMT. */
bool hint_text(struct sema *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
