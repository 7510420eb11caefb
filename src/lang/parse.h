/* SPDX-License-Identifier: Apache-2.0 */
/* parse: tokens to a program.  Syntax errors go to DIAGS; parsing goes on with the next clause. */
#ifndef LANG_PARSE_H
#define LANG_PARSE_H

#include "lang/lex.h"

struct parse_input {
	struct arena *arena;
	struct source *src;
	struct diags *diags;
	struct lex_macros *macros;
	struct lex_hooks hooks;
	/*
	 * Refuse what D did not have: control flow, functions, string<N>.  Read at each use, so
	 * that the pragma hook may set it midway.
	 */
	bool no_extensions;
};

/* Errors are in IN->diags; what was whole (and some that was not) is in the program. */
struct program *parse_program(const struct parse_input *in);

/* Parses all of IN as one expression; NULL after an error. */
struct expr *parse_expression_text(const struct parse_input *in);

#endif
