/* SPDX-License-Identifier: Apache-2.0 */
/*
 * place: where in an unfinished D program the cursor stands.
 *
 * The text before the cursor is read with the compiler's lexer; what follows the cursor is ignored.
 * Offsets count bytes from the start of the text.
 */
#ifndef COMPLETE_PLACE_H
#define COMPLETE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "lang/lex.h"

enum place_kind {
	PLACE_NONE, /* in a string or a comment, or where no name can stand */
	PLACE_SPEC, /* in a probe description */
	PLACE_EXPR, /* in an expression, statement or declaration */
};

struct cursor_place {
	enum place_kind kind;
	const char *text;
	const char *cursor;
	struct token word;   /* the word that ends at the cursor; len 0: there is none */
	const char *item;    /* start of the clause or declaration around it; NULL: none */
	const char *specs;   /* end of that clause's descriptions; NULL: it is no clause */
	const char *body;    /* start of its or of a function's statements; NULL: not there yet */
	const char *stmt;    /* start of the statement around it; NULL: it is in no body */
	const char *closing; /* the brackets that close the text before `stmt` */
	VEC(struct token) tokens; /* of the statement or predicate, without `word` */
};

/* Find the place of offset CURSOR in TEXT.  MACROS and HOOKS are as for the lexer. */
struct cursor_place place_find(struct arena *a, const char *text, uint32_t cursor,
	struct lex_macros *macros, const struct lex_hooks *hooks);

/*
 * Returns where the operand that ends before token N of P begins, the index of its first token: 2
 * for "x + a->b[c](d)" and N its length.  N: there is no operand.
 */
uint32_t place_operand(const struct cursor_place *p, uint32_t n);

#endif
