/* SPDX-License-Identifier: Apache-2.0 */
/* private: shared by the files of this folder. */
#ifndef COMPLETE_PRIVATE_H
#define COMPLETE_PRIVATE_H

#include "base/vec.h"
#include "help/complete_place.h"
#include "dtrace/dtrace.h"

struct compiling;
struct sema_clause;
struct type;

/* At most this many completions of one place. */
#define COMPLETIONS_MOST 20000

/* One completion in progress. */
struct completing {
	struct arena *arena; /* for all of it; freed at the end */
	struct compiling *c; /* a compiler of its own: what it compiles leaves no trace */
	struct cursor_place place;
	const char *program; /* of -c, which does not run yet; NULL: there is none */
	const char *prefix;  /* the part of the word that is to be completed */
	unsigned start;	     /* where PREFIX begins in the text */
	VEC(struct dtrace_completion) found;
};

/* Add a completion if TEXT begins with the prefix.  Strings are in the arena or static. */
void complete_offer(struct completing *k, enum dtrace_completion_kind kind, const char *text,
	const char *type, const char *help);
/* Add TEXT as it is, pattern or not: the caller has matched it. */
void complete_offer_matched(
	struct completing *k, enum dtrace_completion_kind kind, const char *text, const char *type);

/* typed.c: check the text before the cursor, so that its names are known. */
void complete_check_before(struct completing *k);
/* typed.c: the clause around the cursor, checked; NULL: there is none, or it cannot be checked. */
const struct sema_clause *complete_check_clause_before(struct completing *k);
/* typed.c: the type of the operand that ends before token N of the place; NULL: unknown. */
const struct type *operand_type(struct completing *k, uint32_t n);

/* names.c: complete a name in an expression; spec.c: a part of a probe description. */
void complete_expression(struct completing *k);
void complete_description(struct completing *k);
/* usdt.c: add USDT providers that match PATTERN. */
void offer_usdt_providers(struct completing *k, const char *pattern);
/*
 * Add part PART (1 module, 2 function, 3 name) of the probes of the program that does not run yet;
 * TEXT are the four parts, patterns, in which $target is 0.
 */
void complete_offer_awaited_probes(struct completing *k, const char *const text[4], int part);

#endif
