// SPDX-License-Identifier: Apache-2.0
/* Skips text that D has no use for: the bodies and initializers of C headers. */
#include "lang/lex_int.h"

#include <ctype.h>
#include <string.h>

#include "lang/lex.h"

static void skip_literal(struct lexer *lx)
{
	char quote = *lx->p++;

	while (lx->p < lx->end && *lx->p != quote && *lx->p != '\n') {
		if (*lx->p == '\\' && lx->p + 1 < lx->end && lx->p[1] != '\n')
			lx->p++;
		lx->p++;
	}
	if (lx->p < lx->end && *lx->p == quote)
		lx->p++;
}

static bool begins_line(const struct lexer *lx)
{
	for (const char *q = lx->line_start; q < lx->p; q++)
		if (!isspace((unsigned char)*q))
			return false;
	return true;
}

void lex_skip_c(struct lexer *lx, const struct token *t, const char *stop)
{
	unsigned depth = 0;

	lex_rewind(lx, t);
	while (lx->p < lx->end) {
		char c = *lx->p;

		if (!depth && stop && strchr(stop, c))
			return;
		if (c == '\n') {
			lex_newline(lx);
			continue;
		}
		if (c == '"' || c == '\'') {
			skip_literal(lx);
			continue;
		}
		if (c == '/' && lx->p + 1 < lx->end && lx->p[1] == '*') {
			if (!lex_skip_comment(lx))
				return;
			continue;
		}
		if (c == '/' && lx->p + 1 < lx->end && lx->p[1] == '/') {
			lex_skip_line_comment(lx);
			continue;
		}
		if (c == '#' && begins_line(lx)) {
			lex_control_line(lx);
			continue;
		}
		lx->p++;
		if (strchr("([{", c))
			depth++;
		else if (strchr(")]}", c) && (!depth || (!--depth && !stop)))
			return;
	}
}
