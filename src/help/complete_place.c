// SPDX-License-Identifier: Apache-2.0
/* Finds the place of the cursor in an unfinished program. */
#include "help/complete_place.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "lang/source.h"

struct scan {
	struct arena *arena;
	struct lexer *lx;
	struct cursor_place *p;
	enum lex_context ctx;
	VEC(char) open; /* brackets that close those that are open */
	bool in_clause; /* false: in a declaration */
	bool after;	/* of a clause: after its predicate */
	bool is_function;
	struct token last;
};

static bool is_word(const struct token *t)
{
	return t->kind == TOK_IDENT || t->kind == TOK_AGGNAME || t->kind == TOK_PROBESPEC ||
		t->kind == TOK_INTEGER || t->kind >= TOK_AUTO;
}

static const char *end_of(const struct token *t)
{
	return t->start + t->len;
}

/* A statement or predicate begins at AT. */
static void begin_statement(struct scan *s, const char *at)
{
	uint32_t n = s->open.len;
	char *closing = arena_alloc(s->arena, n + 1);

	for (uint32_t i = 0; i < n; i++)
		closing[i] = s->open.data[n - 1 - i];
	closing[n] = '\0';
	s->p->closing = closing;
	s->p->stmt = at;
	s->p->tokens.len = 0;
}

static void end_item(struct scan *s)
{
	s->ctx = LEX_OUTER;
	s->p->item = s->p->specs = s->p->body = s->p->stmt = NULL;
	s->p->tokens.len = 0;
	s->open.len = 0;
	s->in_clause = s->after = false;
}

static void begin_item(struct scan *s, const struct token *t)
{
	end_item(s);
	s->p->item = t->start;
	s->in_clause = t->kind == TOK_PROBESPEC;
	s->is_function = false;
	if (!s->in_clause) {
		s->ctx = LEX_EXPR;
		vec_push(s->arena, &s->p->tokens, *t);
	}
}

static void on_outer(struct scan *s, const struct token *t)
{
	struct cursor_place *p = s->p;
	bool joined = s->last.kind == TOK_COMMA;

	if (!p->item || !s->in_clause) {
		if (t->kind != TOK_SEMI)
			begin_item(s, t);
	} else if (t->kind == TOK_DIV && !s->after) {
		p->specs = t->start;
		s->ctx = LEX_PREDICATE;
		begin_statement(s, NULL);
	} else if (t->kind == TOK_LBRACE) {
		if (!p->specs)
			p->specs = t->start;
		s->ctx = LEX_EXPR;
		vec_push(s->arena, &s->open, '}');
		p->body = end_of(t);
		begin_statement(s, p->body);
	} else if (t->kind != TOK_COMMA && !joined) {
		begin_item(s, t);
	}
}

/* The brace that was closed last may end a clause or function. */
static void on_closed(struct scan *s, const struct token *t)
{
	if (!s->open.len && (s->in_clause || s->is_function))
		end_item(s);
	else if (s->open.len)
		begin_statement(s, end_of(t));
}

static void on_expr(struct scan *s, const struct token *t)
{
	char top = s->open.len ? vec_last(&s->open) : '\0';

	vec_push(s->arena, &s->p->tokens, *t);
	switch (t->kind) {
	case TOK_LPAREN:
	case TOK_LBRACKET:
		vec_push(s->arena, &s->open, t->kind == TOK_LPAREN ? ')' : ']');
		break;
	case TOK_LBRACE:
		if (!s->open.len) {
			s->is_function = s->last.kind == TOK_RPAREN;
			s->p->body = s->is_function ? end_of(t) : NULL;
		}
		vec_push(s->arena, &s->open, '}');
		begin_statement(s, end_of(t));
		break;
	case TOK_RPAREN:
	case TOK_RBRACKET:
		if (top == (t->kind == TOK_RPAREN ? ')' : ']'))
			s->open.len--;
		break;
	case TOK_RBRACE:
		while (s->open.len && s->open.data[--s->open.len] != '}')
			;
		on_closed(s, t);
		break;
	case TOK_SEMI:
		if (!top)
			end_item(s);
		else if (top == '}')
			begin_statement(s, end_of(t));
		break;
	case TOK_PREDEND:
		s->ctx = LEX_OUTER;
		s->after = true;
		s->p->tokens.len = 0;
		break;
	default:
		break;
	}
}

static struct token read_token(struct scan *s)
{
	bool parens = s->ctx == LEX_PREDICATE && s->open.len;

	return lex_next(s->lx, parens ? LEX_EXPR : s->ctx);
}

/* Returns the kind of place that the cursor is at after the scan, with WORD before it. */
static enum place_kind kind_at(const struct scan *s, bool word)
{
	enum token_kind last = s->last.kind;

	if (s->ctx != LEX_OUTER)
		return PLACE_EXPR;
	if (!s->p->item || last == TOK_COMMA || last == TOK_SEMI)
		return PLACE_SPEC;
	return word && !s->after && last != TOK_PROBESPEC ? PLACE_SPEC : PLACE_NONE;
}

/* True if a comment that ends with its line is open at END; only blanks and comments follow FROM.
 */
static bool in_line_comment(const char *from, const char *end)
{
	for (const char *p = from; p + 1 < end; p++) {
		if (p[0] != '/')
			continue;
		if (p[1] == '/') {
			p = memchr(p, '\n', (size_t)(end - p));
			if (!p)
				return true;
		} else if (p[1] == '*') {
			p = strstr(p + 2, "*/");
			if (!p)
				return false;
			p++;
		}
	}
	return false;
}

struct cursor_place place_find(struct arena *a, const char *text, uint32_t cursor,
	struct lex_macros *macros, const struct lex_hooks *hooks)
{
	struct cursor_place p = {.text = text, .cursor = text + cursor, .closing = ""};
	struct diags quiet = {.arena = a};
	struct source *src = source_new(
		a, "completion", false, SPEC_NAME, arena_strndup(a, text, cursor), cursor);
	struct scan s = {.arena = a, .p = &p, .last.kind = TOK_EOF};
	const char *before = NULL;
	struct token t;

	p.text = src->text;
	p.cursor = src->text + cursor;
	s.lx = lex_new(a, src, &quiet, macros, hooks);
	while ((t = read_token(&s)).kind != TOK_EOF) {
		/* "pid$tar" has a macro that has no name yet */
		if (t.kind == TOK_ERROR && s.ctx == LEX_OUTER && t.len && end_of(&t) == p.cursor) {
			t.kind = TOK_PROBESPEC;
			t.str = arena_strndup(a, t.start, t.len);
		}
		if (t.kind == TOK_ERROR && (t.start == before || end_of(&t) == p.cursor))
			return p; /* an open string or comment, which ends the text */
		before = t.start;
		if (is_word(&t) && end_of(&t) == p.cursor) {
			p.word = t;
			break;
		}
		if (s.ctx == LEX_OUTER)
			on_outer(&s, &t);
		else
			on_expr(&s, &t);
		s.last = t;
	}
	if (t.kind == TOK_EOF &&
		in_line_comment(s.last.kind == TOK_EOF ? p.text : end_of(&s.last), p.cursor))
		return p;
	p.kind = kind_at(&s, p.word.len);
	return p;
}

/* Returns the token that opens the bracket that token I closes; 0 if none does. */
static uint32_t opening(const struct cursor_place *p, uint32_t i)
{
	unsigned depth = 0;

	for (;; i--) {
		switch (p->tokens.data[i].kind) {
		case TOK_RPAREN:
		case TOK_RBRACKET:
			depth++;
			break;
		case TOK_LPAREN:
		case TOK_LBRACKET:
			if (!--depth)
				return i;
			break;
		default:
			break;
		}
		if (!i)
			return 0;
	}
}

static bool is_name(const struct token *t)
{
	return t->kind == TOK_IDENT || t->kind == TOK_AGGNAME || t->kind >= TOK_AUTO;
}

static bool selects(const struct token *t)
{
	return t->kind == TOK_ARROW || t->kind == TOK_DOT;
}

/* Returns the first token of xlate <type>, whose > is token I; I if it is something else. */
static uint32_t translation(const struct cursor_place *p, uint32_t i)
{
	for (uint32_t k = i; k--;)
		if (p->tokens.data[k].kind == TOK_XLATE)
			return k;
	return i;
}

uint32_t place_operand(const struct cursor_place *p, uint32_t n)
{
	const struct token *t = p->tokens.data;

	while (n) {
		uint32_t i = n - 1;

		if (t[i].kind == TOK_RPAREN || t[i].kind == TOK_RBRACKET) {
			bool paren = t[i].kind == TOK_RPAREN;

			i = opening(p, i);
			if (i && paren && t[i - 1].kind == TOK_GT)
				return translation(p, i - 1);
			if (!i || !(is_name(&t[i - 1]) || t[i - 1].kind == TOK_RBRACKET))
				return i;
			n = i; /* what is called or indexed */
			continue;
		}
		if (!is_name(&t[i]))
			return n;
		if (!i || !selects(&t[i - 1]))
			return i;
		n = i - 1;
	}
	return n;
}
