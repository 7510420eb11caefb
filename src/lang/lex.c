// SPDX-License-Identifier: Apache-2.0
/* Splits D text into tokens. */
#include "lang/lex_int.h"
#include "lang/spec.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "lang/lex.h"
#include "lang/source.h"

/* A fixed spelling.  The length is kept as each token of a program is compared with many. */
struct spelling {
	enum token_kind kind;
	size_t len;
	const char *text;
};

#define SPELLING(kind, text)                 \
	{                                    \
		kind, sizeof(text) - 1, text \
	}

static const struct spelling punctuation[] = {
#define TOK(kind, text) SPELLING(kind, text),
#include "lang/token.def"
};

static const struct spelling keywords[] = {
#define KW(kind, text) SPELLING(kind, text),
#include "lang/token.def"
};

static const struct spelling c_keywords[] = {
#define CKW(kind, text) SPELLING(kind, text),
#include "lang/token.def"
	SPELLING(TOK_ALIGNOF, "__alignof"),
	SPELLING(TOK_ALIGNOF, "__alignof__"),
	SPELLING(TOK_ASM, "__asm"),
	SPELLING(TOK_ATTRIBUTE, "__attribute"),
	SPELLING(TOK_COMPLEX, "__complex"),
	SPELLING(TOK_COMPLEX, "__complex__"),
	SPELLING(TOK_CONST, "__const"),
	SPELLING(TOK_CONST, "__const__"),
	SPELLING(TOK_INLINE, "__inline"),
	SPELLING(TOK_INLINE, "__inline__"),
	SPELLING(TOK_OFFSETOF, "__builtin_offsetof"),
	SPELLING(TOK_RESTRICT, "__restrict"),
	SPELLING(TOK_RESTRICT, "__restrict__"),
	SPELLING(TOK_SIGNED, "__signed"),
	SPELLING(TOK_SIGNED, "__signed__"),
	SPELLING(TOK_THREAD_LOCAL, "__thread"),
	SPELLING(TOK_TYPEOF, "__typeof"),
	SPELLING(TOK_VOLATILE, "__volatile"),
	SPELLING(TOK_VOLATILE, "__volatile__"),
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

const char *lex_token_spelling(enum token_kind kind)
{
	for (size_t i = 0; i < COUNT(punctuation); i++)
		if (punctuation[i].kind == kind)
			return punctuation[i].text;
	for (size_t i = 0; i < COUNT(keywords); i++)
		if (keywords[i].kind == kind)
			return keywords[i].text;
	return "token";
}

struct lexer *lex_new(struct arena *a, struct source *src, struct diags *diags,
	struct lex_macros *macros, const struct lex_hooks *hooks)
{
	struct lexer *lx = arena_new_obj(a, struct lexer);

	lx->arena = a;
	lx->diags = diags;
	lx->macros = macros;
	lx->hooks = hooks;
	lx->c = hooks && hooks->c;
	lx->src = src;
	lx->p = lx->line_start = src->text;
	lx->end = src->text + src->len;
	lx->line = src->first_line;
	return lx;
}

struct loc lex_loc(const struct lexer *lx, const char *p)
{
	struct loc loc = {lx->src, lx->line, 0};

	loc.col = p >= lx->line_start ? (uint32_t)(p - lx->line_start) + 1 : 0;
	return loc;
}

void lex_error(struct lexer *lx, const char *at, const char *tag, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_vadd(lx->diags, tag, lex_loc(lx, at), fmt, ap);
	va_end(ap);
}

void lex_newline(struct lexer *lx)
{
	lx->p++;
	lx->line++;
	lx->line_start = lx->p;
}

bool lex_skip_comment(struct lexer *lx)
{
	const char *start = lx->p;
	struct loc loc = lex_loc(lx, start);

	for (lx->p += 2; lx->p < lx->end; lx->p++) {
		if (lx->p[0] == '*' && lx->p[1] == '/') {
			lx->p += 2;
			return true;
		}
		if (lx->p[0] == '/' && lx->p[1] == '*') {
			lex_error(lx, lx->p, "D_SYNTAX", "/* encountered inside a comment");
			lx->p = lx->end;
			return false;
		}
		if (*lx->p == '\n') {
			lex_newline(lx);
			lx->p--;
		}
	}
	diag_add(lx->diags, "D_SYNTAX", loc, "end-of-file encountered before matching */");
	return false;
}

static bool at_line_start(const struct lexer *lx)
{
	for (const char *q = lx->line_start; q < lx->p; q++)
		if (!isspace((unsigned char)*q))
			return false;
	return true;
}

static bool ends_predicate(struct lexer *lx);

void lex_skip_line_comment(struct lexer *lx)
{
	const char *nl = memchr(lx->p, '\n', (size_t)(lx->end - lx->p));

	lx->p = nl ? nl : lx->end;
}

/*
 * True if the two slashes at lx->p begin a comment.  The first may end a predicate instead, if it
 * is a comment that follows it.
 */
static bool is_line_comment(struct lexer *lx, enum lex_context ctx)
{
	if (lx->p[1] != '/')
		return false;
	return ctx != LEX_PREDICATE || (lx->p[2] != '*' && lx->p[2] != '/') || !ends_predicate(lx);
}

/* Returns the length of the end of a line at P, 0 if there is none. */
static unsigned line_end(const char *p)
{
	return *p == '\n' ? 1 : p[0] == '\r' && p[1] == '\n' ? 2 : 0;
}

/* Skip blanks, comments and control lines; false when an error was reported. */
static bool skip_blanks(struct lexer *lx, enum lex_context ctx)
{
	while (lx->p < lx->end) {
		char c = *lx->p;

		if (c == '\n') {
			lex_newline(lx);
		} else if (isspace((unsigned char)c)) {
			lx->p++;
		} else if (c == '\\' && line_end(lx->p + 1)) {
			lx->p += line_end(lx->p + 1);
			lex_newline(lx);
		} else if (c == '/' && is_line_comment(lx, ctx)) {
			lex_skip_line_comment(lx);
		} else if (c == '/' && lx->p[1] == '*') {
			if (!lex_skip_comment(lx))
				return false;
		} else if (c == '#' && at_line_start(lx)) {
			if (!lex_control_line(lx))
				return false;
		} else {
			break;
		}
	}
	return true;
}

static struct token token_at(struct lexer *lx, const char *start, enum token_kind kind)
{
	struct token t = {.kind = kind, .loc = lex_loc(lx, start), .start = start};

	return t;
}

static struct token finish(struct lexer *lx, struct token t)
{
	t.len = (uint32_t)(lx->p - t.start);
	return t;
}

static bool ident_start(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '`';
}

static bool ident_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '`';
}

/* True if S begins with the spelling. */
static inline bool is_spelt(const struct spelling *as, const char *s)
{
	return *s == *as->text && !memcmp(s, as->text, as->len);
}

static void set_reserved(struct token *t, const struct spelling *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (words[i].len == t->str_len && is_spelt(&words[i], t->str))
			t->kind = words[i].kind;
}

static void set_ident(struct lexer *lx, struct token *t, const char *s, size_t len)
{
	t->str = arena_strndup(lx->arena, s, len);
	t->str_len = (uint32_t)len;
	t->kind = TOK_IDENT;
	set_reserved(t, keywords, COUNT(keywords));
	if (lx->c && *s == '_')
		set_reserved(t, c_keywords, COUNT(c_keywords));
}

static struct token lex_ident(struct lexer *lx)
{
	struct token t = token_at(lx, lx->p, TOK_IDENT);

	while (lx->p < lx->end && ident_char(*lx->p))
		lx->p++;
	set_ident(lx, &t, t.start, (size_t)(lx->p - t.start));
	return finish(lx, t);
}

static struct token lex_aggname(struct lexer *lx)
{
	struct token t = token_at(lx, lx->p++, TOK_AGGNAME);
	const char *name = lx->p;

	if (lx->p < lx->end && ident_start(*lx->p))
		while (lx->p < lx->end && ident_char(*lx->p))
			lx->p++;
	t.str = lx->p == name ? "_" : arena_strndup(lx->arena, name, (size_t)(lx->p - name));
	return finish(lx, t);
}

/* True if the / at lx->p ends a predicate: {, ;, / or the end of input follows. */
static bool ends_predicate(struct lexer *lx)
{
	struct lexer look = *lx;
	struct diags quiet = {.arena = lx->arena};

	look.diags = &quiet;
	look.hooks = NULL;
	look.p++;
	if (!skip_blanks(&look, LEX_OUTER))
		return false; /* a comment that has no end, which is reported later */
	if (look.p >= look.end)
		return true;
	return *look.p == '{' || *look.p == ';' || *look.p == '/';
}

static struct token lex_punct(struct lexer *lx)
{
	struct token t = token_at(lx, lx->p, TOK_ERROR);
	size_t left = (size_t)(lx->end - lx->p);

	for (size_t i = 0; i < COUNT(punctuation); i++) {
		const struct spelling *as = &punctuation[i];

		if (as->len <= left && is_spelt(as, lx->p)) {
			t.kind = as->kind;
			lx->p += as->len;
			return finish(lx, t);
		}
	}
	if (isprint((unsigned char)*lx->p))
		lex_error(lx, lx->p, "D_SYNTAX", "syntax error near \"%c\"", *lx->p);
	else
		lex_error(lx, lx->p, "D_SYNTAX", "syntax error near \"\\%03o\"",
			(unsigned char)*lx->p);
	lx->p++;
	return t;
}

/* True if reserved word KIND can stand first in a declaration. */
static bool begins_declaration(enum token_kind kind)
{
	switch (kind) {
	case TOK_BREAK:
	case TOK_CASE:
	case TOK_CONTINUE:
	case TOK_COUNTER:
	case TOK_DEFAULT:
	case TOK_DO:
	case TOK_ELSE:
	case TOK_FOR:
	case TOK_GOTO:
	case TOK_IF:
	case TOK_IMPORT:
	case TOK_OFFSETOF:
	case TOK_PROBE:
	case TOK_RETURN: /* the probe of that name, as in dtrace -n return */
	case TOK_SIZEOF:
	case TOK_STRINGOF:
	case TOK_SWITCH:
	case TOK_WHILE:
	case TOK_XLATE:
		return false;
	default:
		return true;
	}
}

/*
 * True if the word of LEN characters at S begins a declaration in the outer context: it has nothing
 * that only descriptions have, and is a word of declarations or names a type.  The part before a
 * '*' counts, so that "int*p;" is a declaration.
 */
static bool is_declaration_word(struct lexer *lx, const char *s, size_t len)
{
	const char *star = memchr(s, '*', len);
	struct token t = {0};
	const char *word;

	if (star)
		len = (size_t)(star - s);
	for (size_t i = 0; i < len; i++)
		if (strchr(":-.?!`$[]\\", s[i]))
			return false;
	if (!len || isdigit((unsigned char)*s))
		return false;
	set_ident(lx, &t, s, len);
	if (t.kind != TOK_IDENT)
		return begins_declaration(t.kind);
	word = t.str;
	if (!strcmp(word, "BEGIN") || !strcmp(word, "END") || !strcmp(word, "ERROR"))
		return false;
	return lx->hooks && lx->hooks->is_type && lx->hooks->is_type(lx->hooks->arg, word);
}

static struct token lex_outer(struct lexer *lx)
{
	struct token t = token_at(lx, lx->p, TOK_PROBESPEC);
	const char *p = lx->p;

	if (*p == '/') { /* opens a predicate */
		lx->p++;
		t.kind = TOK_DIV;
		return finish(lx, t);
	}
	p = spec_end(p, lx->end, lx->src->level == SPEC_FUNCTION);
	if (p == lx->p)
		return lex_punct(lx);
	if (!(lx->hooks && lx->hooks->pspec) && is_declaration_word(lx, lx->p, (size_t)(p - lx->p)))
		return lex_ident(lx);
	lx->p = p;
	if (!lex_expand_spec(lx, &t, (size_t)(p - t.start)))
		t.kind = TOK_ERROR;
	return finish(lx, t);
}

struct token lex_next(struct lexer *lx, enum lex_context ctx)
{
	struct token t;
	char c;

	if (!skip_blanks(lx, ctx))
		return token_at(lx, lx->p, TOK_ERROR);
	if (lx->p >= lx->end)
		return finish(lx, token_at(lx, lx->p, TOK_EOF));
	c = *lx->p;
	if (ctx == LEX_OUTER)
		return lex_outer(lx);
	if (ident_start(c))
		return lex_ident(lx);
	if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)lx->p[1]))) {
		t = token_at(lx, lx->p, TOK_INTEGER);
		if (!lex_number(lx, &t))
			t.kind = TOK_ERROR;
		return finish(lx, t);
	}
	if (c == '"' || c == '\'') {
		t = token_at(lx, lx->p, c == '"' ? TOK_STRINGLIT : TOK_INTEGER);
		if (!(c == '"' ? lex_string(lx, &t) : lex_char(lx, &t)))
			t.kind = TOK_ERROR;
		return finish(lx, t);
	}
	if (c == '@')
		return lex_aggname(lx);
	if (c == '$') {
		t = token_at(lx, lx->p, TOK_ERROR);
		if (lex_macro(lx, &t) && t.kind == TOK_IDENT)
			set_ident(lx, &t, t.str, t.str_len);
		return finish(lx, t);
	}
	if (ctx == LEX_PREDICATE && c == '/' && ends_predicate(lx)) {
		t = token_at(lx, lx->p++, TOK_PREDEND);
		return finish(lx, t);
	}
	return lex_punct(lx);
}

struct token lex_peek(const struct lexer *lx, enum lex_context ctx, unsigned n)
{
	struct lexer look = *lx;
	struct diags quiet = {.arena = lx->arena};
	struct token t;

	look.diags = &quiet;
	look.hooks = NULL;
	do
		t = lex_next(&look, ctx);
	while (--n && t.kind != TOK_EOF && t.kind != TOK_ERROR);
	return t;
}

void lex_rewind(struct lexer *lx, const struct token *t)
{
	lx->p = t->start;
	lx->line = t->loc.line;
	lx->line_start = t->start - (t->loc.col ? t->loc.col - 1 : 0);
}

void lex_resync(struct lexer *lx, int depth, bool decl)
{
	struct diags quiet = {.arena = lx->arena};
	struct diags *diags = lx->diags;

	lx->diags = &quiet;
	for (;;) {
		struct token t = lex_next(lx, LEX_EXPR);

		if (t.kind == TOK_EOF)
			break;
		if (t.kind == TOK_LBRACE)
			depth++;
		else if (t.kind == TOK_RBRACE && --depth <= 0 && !decl)
			break;
		else if (t.kind == TOK_SEMI && depth <= 0)
			break;
	}
	lx->diags = diags;
}
