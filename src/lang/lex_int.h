/* SPDX-License-Identifier: Apache-2.0 */
/* lex_int: shared by the lexer's own files. */
#ifndef LANG_LEX_INT_H
#define LANG_LEX_INT_H

#include "base/diag.h"
#include "base/vec.h"

struct token;

struct lexer {
	struct arena *arena;
	struct diags *diags;
	struct lex_macros *macros;
	const struct lex_hooks *hooks;
	struct source *src;
	const char *p, *end, *line_start;
	unsigned line;
	bool c; /* the words of C are reserved */
	/* #pragma pack: the alignment in force, bytes, 0 = any; and those that it was pushed on */
	uint32_t pack;
	VEC(uint32_t) packs;
};

struct loc lex_loc(const struct lexer *lx, const char *p);
void lex_error(struct lexer *lx, const char *at, const char *tag, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void lex_newline(struct lexer *lx);

/* Skips a comment, whose first two characters are at lx->p.  False: an error, it does not end. */
bool lex_skip_comment(struct lexer *lx);
/* The same for one that ends with its line. */
void lex_skip_line_comment(struct lexer *lx);

/* lex_literal.c: read a literal at lx->p into *T; false when an error was reported. */
bool lex_number(struct lexer *lx, struct token *t);
bool lex_string(struct lexer *lx, struct token *t);
bool lex_char(struct lexer *lx, struct token *t);
/*
 * Reads an integer constant, which is all of TEXT, with optional sign: -1 no integer, 0 too big, 1
 * ok.
 */
int lex_integer_text(const char *text, size_t len, struct token *t);
/* Returns TEXT with escapes replaced, cut at the first NUL. */
const char *lex_unescape(struct arena *a, const char *text, size_t len, uint32_t *out_len);

/* lex_macro.c: $1, $$1, $pid ... at lx->p; $ inside a probe description. */
bool lex_macro(struct lexer *lx, struct token *t);
bool lex_expand_spec(struct lexer *lx, struct token *t, size_t len);

/* lex_control.c: a # line at lx->p. */
bool lex_control_line(struct lexer *lx);

#endif
