// SPDX-License-Identifier: Apache-2.0
/* Parses statements: expressions, and the control flow that D did not have. */
#include "lang/parse_int.h"

#include <string.h>

#include "base/diag.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "lang/parse.h"

static void parse_statement(struct parser *p, stmt_vec *out);

static bool is_word(const struct token *t, const char *word)
{
	return t->kind == TOK_IDENT && !strcmp(t->str, word);
}

/* The end of a statement: ';', or the '}' of the block, which may stand for it. */
static void parse_end(struct parser *p)
{
	if (p->tok.kind != TOK_RBRACE)
		parse_expect(p, TOK_SEMI);
}

/* statements : [statement] (';' [statement])*, up to a '}' */
static void parse_statements(struct parser *p, stmt_vec *out)
{
	while (!p->panic && p->tok.kind != TOK_RBRACE)
		parse_statement(p, out);
}

/* body : '{' statements '}' | statement */
static void parse_body(struct parser *p, stmt_vec *out)
{
	if (!parse_enter(p))
		return;
	if (parse_accept(p, TOK_LBRACE)) {
		parse_statements(p, out);
		parse_expect(p, TOK_RBRACE);
	} else {
		parse_statement(p, out);
	}
	p->depth--;
}

static void parse_loop_body(struct parser *p, struct stmt *s)
{
	p->loops++;
	parse_body(p, &s->body);
	p->loops--;
}

/* condition : '(' expression ')' */
static void parse_condition(struct parser *p, struct stmt *s)
{
	parse_expect(p, TOK_LPAREN);
	s->expr = parse_expression(p);
	parse_expect(p, TOK_RPAREN);
}

/* if : 'if' condition body ['else' body] */
static void parse_if(struct parser *p, struct stmt *s)
{
	s->kind = STMT_IF;
	parse_advance(p);
	parse_condition(p, s);
	parse_body(p, &s->body);
	if (parse_accept(p, TOK_ELSE))
		parse_body(p, &s->orelse);
}

/* while : 'while' condition body */
static void parse_while(struct parser *p, struct stmt *s)
{
	s->kind = STMT_WHILE;
	parse_advance(p);
	parse_condition(p, s);
	parse_loop_body(p, s);
}

/* for : 'for' '(' [expression] ';' [expression] ';' [expression] ')' body */
static void parse_for(struct parser *p, struct stmt *s)
{
	s->kind = STMT_FOR;
	parse_advance(p);
	parse_expect(p, TOK_LPAREN);
	if (p->tok.kind != TOK_SEMI)
		s->init = parse_expression(p);
	parse_expect(p, TOK_SEMI);
	if (p->tok.kind != TOK_SEMI)
		s->expr = parse_expression(p);
	parse_expect(p, TOK_SEMI);
	if (p->tok.kind != TOK_RPAREN)
		s->step = parse_expression(p);
	parse_expect(p, TOK_RPAREN);
	parse_loop_body(p, s);
}

/* "foreach ( name [, name]... in": neither word is reserved, but no expression reads so. */
static bool at_foreach(struct parser *p)
{
	struct token t;
	unsigned n = 1;

	if (!is_word(&p->tok, "foreach") || parse_peek(p, n++).kind != TOK_LPAREN)
		return false;
	do
		if (parse_peek(p, n++).kind != TOK_IDENT)
			return false;
	while ((t = parse_peek(p, n++)).kind == TOK_COMMA);
	return is_word(&t, "in");
}

/* foreach : 'foreach' '(' ident (',' ident)* 'in' ['self' '->'] ident ')' body */
static void parse_foreach(struct parser *p, struct stmt *s)
{
	uint32_t scope = parse_scope_begin(p);

	s->kind = STMT_FOREACH;
	parse_advance(p);
	parse_advance(p);
	do {
		struct binding *b = vec_add(p->arena, &s->keys);

		b->loc = p->tok.loc;
		b->name = p->tok.str;
		parse_expect(p, TOK_IDENT);
	} while (parse_accept(p, TOK_COMMA));
	parse_expect(p, TOK_IDENT); /* in */
	s->over = expr_new(p, EXPR_VAR, p->tok.loc);
	if (parse_accept(p, TOK_SELF)) {
		s->over->scope = SCOPE_SELF;
		parse_expect(p, TOK_ARROW);
		s->over->name = parse_member_name(p);
	} else {
		s->over->name = p->tok.str;
		parse_expect(p, TOK_IDENT);
	}
	parse_expect(p, TOK_RPAREN);
	if (p->panic)
		return;
	vec_for (b, &s->keys)
		parse_bind(p, b->name);
	parse_loop_body(p, s);
	parse_scope_end(p, scope);
}

/* jump : 'break' | 'continue' | 'return' [expression] */
static void parse_jump(struct parser *p, struct stmt *s)
{
	enum token_kind kind = p->tok.kind;
	bool is_return = kind == TOK_RETURN;

	s->kind = is_return ? STMT_RETURN : kind == TOK_BREAK ? STMT_BREAK : STMT_CONTINUE;
	if (is_return ? !p->in_function : !p->loops) {
		parse_error(p, p->tok.loc, "D_SYNTAX", "\"%s\" may only be used in a %s",
			lex_token_spelling(kind), is_return ? "function" : "loop");
		return;
	}
	parse_advance(p);
	if (is_return && p->tok.kind != TOK_SEMI && p->tok.kind != TOK_RBRACE)
		s->expr = parse_expression(p);
	parse_end(p);
}

/* Control flow and nested blocks: where one begins, its parse function. */
static void (*control_flow(struct parser *p))(struct parser *, struct stmt *)
{
	switch (p->tok.kind) {
	case TOK_IF:
		return parse_if;
	case TOK_WHILE:
		return parse_while;
	case TOK_FOR:
		return parse_for;
	case TOK_BREAK:
	case TOK_CONTINUE:
	case TOK_RETURN:
		return parse_jump;
	default:
		return at_foreach(p) ? parse_foreach : NULL;
	}
}

/* statement : ';' | '{' statements '}' | if | while | for | foreach | jump | expression end */
static void parse_statement(struct parser *p, stmt_vec *out)
{
	struct stmt s = {.kind = STMT_EXPR, .loc = p->tok.loc};
	void (*parse)(struct parser *, struct stmt *) = control_flow(p);

	if (parse_accept(p, TOK_SEMI))
		return;
	if ((parse || p->tok.kind == TOK_LBRACE) && p->in->no_extensions) {
		parse_syntax_error(p);
		return;
	}
	p->diags->region = REGION_NONE;
	if (parse) {
		parse(p, &s);
	} else if (p->tok.kind == TOK_LBRACE) {
		s.kind = STMT_BLOCK;
		parse_body(p, &s.body);
	} else {
		s.expr = parse_expression(p);
		parse_end(p);
	}
	vec_push(p->arena, out, s);
}

void parse_block(struct parser *p, stmt_vec *out)
{
	parse_advance(p);
	parse_statements(p, out);
	if (p->tok.kind != TOK_RBRACE)
		parse_syntax_error(p);
}
