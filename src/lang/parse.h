/* SPDX-License-Identifier: Apache-2.0 */
/* parse: tokens to a program.  Syntax errors go to DIAGS; parsing goes on with the next clause. */
#ifndef LANG_PARSE_H
#define LANG_PARSE_H

#include "lang/ast.h"

struct parse_input {
	struct arena *arena;
	struct source *src;
	struct diags *diags;
	struct lex_macros *macros;
	struct lex_hooks hooks;
};

struct program *parse_program(const struct parse_input *in);

#endif
