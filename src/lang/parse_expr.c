// SPDX-License-Identifier: Apache-2.0
/* Parses expressions, one function a level of precedence. */
#include "lang/parse_int.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "lang/lex.h"

struct expr *expr_new(struct parser *p, enum expr_kind kind, struct loc loc)
{
	struct expr *e = arena_new_obj(p->arena, struct expr);

	e->kind = kind;
	e->loc = loc;
	return e;
}

/* Note that the text of E, unless it has one, begins at START and ends with the last token. */
static struct expr *spanned(const struct parser *p, struct expr *e, const char *start)
{
	if (!e->text && p->end > start) {
		e->text = start;
		e->text_len = (uint32_t)(p->end - start);
	}
	return e;
}

static struct expr *binary(struct parser *p, enum expr_kind kind, const struct token *op,
	struct expr *a, struct expr *b)
{
	struct expr *e = expr_new(p, kind, op->loc);

	e->op = op->kind;
	e->a = a;
	e->b = b;
	return e;
}

static void open(struct parser *p)
{
	p->parens++;
	parse_advance(p);
}

static void close(struct parser *p, enum token_kind kind)
{
	if (p->tok.kind != kind) {
		parse_syntax_error(p);
		return;
	}
	p->parens--;
	parse_advance(p);
}

/* arguments : [assignment (',' assignment)*] closing */
static void parse_arguments(struct parser *p, struct expr *e, enum token_kind closing)
{
	open(p);
	if (p->tok.kind != closing) {
		do
			vec_push(p->arena, &e->args, parse_assignment(p));
		while (parse_accept(p, TOK_COMMA));
	}
	close(p, closing);
}

/* offsetof : 'offsetof' '(' type-name ',' ident ')' */
static struct expr *parse_offsetof(struct parser *p)
{
	struct expr *e = expr_new(p, EXPR_OFFSETOF, p->tok.loc);

	parse_advance(p);
	if (p->tok.kind != TOK_LPAREN) {
		parse_syntax_error(p);
		return e;
	}
	open(p);
	e->tname = parse_type_name(p);
	parse_expect(p, TOK_COMMA);
	e->name = parse_member_name(p);
	close(p, TOK_RPAREN);
	return e;
}

/* xlate : 'xlate' '<' type-name '>' '(' expression ')' */
static struct expr *parse_xlate(struct parser *p)
{
	struct expr *e = expr_new(p, EXPR_XLATE, p->tok.loc);

	parse_advance(p);
	parse_expect(p, TOK_LT);
	if (p->tok.kind == TOK_IDENT && !parse_starts_type(p, &p->tok))
		p->unknown = p->tok;
	e->tname = parse_type_name(p);
	parse_close_angle(p);
	if (p->tok.kind != TOK_LPAREN) {
		parse_syntax_error(p);
		e->a = expr_new(p, EXPR_INT, p->tok.loc);
		return e;
	}
	open(p);
	e->a = parse_expression(p);
	close(p, TOK_RPAREN);
	return e;
}

/* scoped : ('self' | 'this') '->' ident */
static struct expr *parse_scoped(struct parser *p)
{
	struct expr *e = expr_new(p, EXPR_VAR, p->tok.loc);

	e->scope = p->tok.kind == TOK_SELF ? SCOPE_SELF : SCOPE_THIS;
	parse_advance(p);
	parse_expect(p, TOK_ARROW);
	e->name = parse_member_name(p);
	return e;
}

/* primary : integer | string | ident | @agg | scoped | offsetof | xlate | '(' expression ')' */
static struct expr *parse_primary(struct parser *p)
{
	struct token t = p->tok;
	struct expr *e;

	switch (t.kind) {
	case TOK_INTEGER:
		e = expr_new(p, EXPR_INT, t.loc);
		e->value = t.value;
		e->ikind = t.ikind;
		parse_advance(p);
		return e;
	case TOK_STRINGLIT:
		e = expr_new(p, EXPR_STRING, t.loc);
		e->str = t.str;
		e->str_len = t.str_len;
		parse_advance(p);
		return e;
	case TOK_IDENT:
		e = expr_new(p, strchr(t.str, '`') ? EXPR_SYMBOL : EXPR_VAR, t.loc);
		e->name = t.str;
		parse_advance(p);
		return e;
	case TOK_AGGNAME:
		e = expr_new(p, EXPR_AGG, t.loc);
		e->name = t.str;
		parse_advance(p);
		if (p->tok.kind == TOK_LBRACKET)
			parse_arguments(p, e, TOK_RBRACKET);
		if (p->tok.kind == TOK_LBRACKET)
			parse_error(p, p->tok.loc, "D_AGG_MDIM",
				"improper use of @%s as a multi-dimensional aggregation", e->name);
		return e;
	case TOK_SELF:
	case TOK_THIS:
		return parse_scoped(p);
	case TOK_OFFSETOF:
		return parse_offsetof(p);
	case TOK_XLATE:
		return parse_xlate(p);
	case TOK_LPAREN:
		open(p);
		e = parse_expression(p);
		close(p, TOK_RPAREN);
		return e;
	default:
		parse_syntax_error(p);
		return expr_new(p, EXPR_INT, t.loc);
	}
}

/* postfix : primary ('[' args ']' | '(' args ')' | '.' ident | '->' ident | '++' | '--')* */
static struct expr *parse_postfix(struct parser *p)
{
	const char *start = p->tok.start;
	struct expr *e = spanned(p, parse_primary(p), start), *n;

	while (!p->panic) {
		struct token t = p->tok;

		switch (t.kind) {
		case TOK_LBRACKET:
			n = expr_new(p, EXPR_INDEX, t.loc);
			n->a = e;
			parse_arguments(p, n, TOK_RBRACKET);
			if (!n->args.len)
				parse_syntax_error(p);
			break;
		case TOK_LPAREN:
			n = expr_new(p, EXPR_CALL, e->loc);
			n->a = e;
			parse_arguments(p, n, TOK_RPAREN);
			break;
		case TOK_DOT:
		case TOK_ARROW:
			n = expr_new(p, EXPR_MEMBER, t.loc);
			n->a = e;
			n->op = t.kind;
			parse_advance(p);
			n->name = parse_member_name(p);
			break;
		case TOK_INC:
		case TOK_DEC:
			n = expr_new(p, EXPR_POSTFIX, t.loc);
			n->op = t.kind;
			n->a = e;
			parse_advance(p);
			break;
		default:
			return e;
		}
		e = spanned(p, n, start);
	}
	return e;
}

static struct expr *parse_cast(struct parser *p);

/* True if the token after a name shows that it is a variable, although a type has the same name. */
static bool shows_variable(enum token_kind next)
{
	switch (next) {
	case TOK_LPAREN:
	case TOK_RPAREN:
	case TOK_MUL:
	case TOK_GT:
	case TOK_IDENT:
		return false;
	default:
		return next < TOK_AUTO;
	}
}

/* True if a cast's operand, and nothing that continues an expression, begins with K. */
static bool begins_operand(enum token_kind k)
{
	return k == TOK_INTEGER || k == TOK_STRINGLIT || k == TOK_IDENT || k == TOK_SELF ||
		k == TOK_THIS;
}

/*
 * True if the current '(' begins a cast to a type that is not known: "(name *)" or "(name)
 * operand". OUT gets the token that shows it.
 */
static bool is_unknown_cast(struct parser *p, struct token *out)
{
	unsigned n = 2;

	if (parse_peek(p, 1).kind != TOK_IDENT)
		return false;
	while ((*out = parse_peek(p, n)).kind == TOK_MUL)
		n++;
	if (out->kind != TOK_RPAREN)
		return false;
	if (n > 2)
		return true;
	*out = parse_peek(p, 3);
	return begins_operand(out->kind);
}

/* '(' type-name ')' after sizeof, stringof or as a cast; NULL when it is not a type */
static struct type_name *parse_paren_type(struct parser *p)
{
	struct token next;
	struct type_name *tn;

	if (p->tok.kind != TOK_LPAREN)
		return NULL;
	p->parens++;
	next = parse_peek(p, 1);
	if (!parse_starts_type(p, &next) ||
		(next.kind == TOK_IDENT && shows_variable(parse_peek(p, 2).kind))) {
		if (!is_unknown_cast(p, &next)) {
			p->parens--;
			return NULL;
		}
		p->unknown = next;
	}
	parse_advance(p);
	tn = parse_type_name(p);
	close(p, TOK_RPAREN);
	return tn;
}

/* unary : postfix | ('++' | '--' | '&' | '*' | '+' | '-' | '~' | '!' | 'stringof') cast | sizeof */
static struct expr *parse_unary(struct parser *p)
{
	struct token t = p->tok;
	struct expr *e;

	switch (t.kind) {
	case TOK_INC:
	case TOK_DEC:
	case TOK_AND:
	case TOK_MUL:
	case TOK_ADD:
	case TOK_SUB:
	case TOK_NOT:
	case TOK_LNOT:
	case TOK_STRINGOF:
		e = expr_new(p, EXPR_UNARY, t.loc);
		e->op = t.kind;
		parse_advance(p);
		e->a = parse_cast(p);
		return e;
	case TOK_ALIGNOF:
		parse_advance(p);
		e = expr_new(p, EXPR_SIZEOF_TYPE, t.loc);
		e->op = TOK_ALIGNOF;
		e->tname = parse_paren_type(p);
		if (!e->tname)
			parse_syntax_error(p);
		return e;
	case TOK_SIZEOF:
		parse_advance(p);
		e = expr_new(p, EXPR_SIZEOF_TYPE, t.loc);
		e->tname = parse_paren_type(p);
		if (!e->tname) {
			e->kind = EXPR_UNARY;
			e->op = TOK_SIZEOF;
			e->a = parse_unary(p);
		}
		return e;
	default:
		return parse_postfix(p);
	}
}

/* cast : '(' type-name ')' cast | unary */
static struct expr *parse_cast(struct parser *p)
{
	const char *start = p->tok.start;
	struct loc loc = p->tok.loc;
	struct type_name *tn;
	struct expr *e;

	if (!parse_enter(p))
		return expr_new(p, EXPR_INT, loc);
	tn = parse_paren_type(p);
	if (!tn) {
		e = parse_unary(p);
	} else {
		e = expr_new(p, EXPR_CAST, loc);
		e->tname = tn;
		e->a = parse_cast(p);
	}
	p->depth--;
	return spanned(p, e, start);
}

/* Binding strength of binary operators, weakest first; all associate to the left. */
static int precedence(enum token_kind op)
{
	switch (op) {
	case TOK_LOR:
		return 1;
	case TOK_LXOR:
		return 2;
	case TOK_LAND:
		return 3;
	case TOK_OR:
		return 4;
	case TOK_XOR:
		return 5;
	case TOK_AND:
		return 6;
	case TOK_EQ:
	case TOK_NE:
		return 7;
	case TOK_LT:
	case TOK_LE:
	case TOK_GT:
	case TOK_GE:
		return 8;
	case TOK_SHL:
	case TOK_SHR:
		return 9;
	case TOK_ADD:
	case TOK_SUB:
		return 10;
	case TOK_MUL:
	case TOK_DIV:
	case TOK_MOD:
		return 11;
	default:
		return 0;
	}
}

/* binary : cast (op cast)*, by precedence climbing */
static struct expr *parse_binary(struct parser *p, int least)
{
	const char *start = p->tok.start;
	struct expr *e = parse_cast(p);

	for (;;) {
		struct token op = p->tok;
		int prec = precedence(op.kind);

		if (!prec || prec < least)
			return e;
		parse_advance(p);
		e = binary(p, EXPR_BINARY, &op, e, parse_binary(p, prec + 1));
		spanned(p, e, start);
	}
}

struct expr *parse_additive(struct parser *p)
{
	return parse_binary(p, 10);
}

/* conditional : binary ['?' expression ':' conditional] */
struct expr *parse_conditional(struct parser *p)
{
	const char *start = p->tok.start;
	struct expr *cond = parse_binary(p, 1), *e;
	struct token t = p->tok;

	if (t.kind != TOK_QUESTION)
		return cond;
	if (!parse_enter(p))
		return cond;
	parse_advance(p);
	e = expr_new(p, EXPR_COND, t.loc);
	e->a = cond;
	e->b = parse_expression(p);
	parse_expect(p, TOK_COLON);
	e->c = parse_conditional(p);
	p->depth--;
	return spanned(p, e, start);
}

static bool is_assignment(enum token_kind k)
{
	return k == TOK_ASSIGN || k == TOK_SHL_ASSIGN || k == TOK_SHR_ASSIGN ||
		(k >= TOK_ADD_ASSIGN && k <= TOK_XOR_ASSIGN);
}

/*
 * Remembers that the name on the left of an assignment is a variable, although a type may have it.
 */
static void remember(struct parser *p, const struct expr *left)
{
	if (left->kind == EXPR_INDEX)
		left = left->a;
	if (left->kind == EXPR_VAR && left->scope == SCOPE_GLOBAL)
		strmap_put(p->arena, &p->names, left->name, (void *)left);
}

/* assignment : conditional [assign-op assignment] */
struct expr *parse_assignment(struct parser *p)
{
	const char *start = p->tok.start;
	struct expr *left, *e = NULL;
	struct token op;

	if (!parse_enter(p))
		return expr_new(p, EXPR_INT, p->tok.loc);
	left = parse_conditional(p);
	op = p->tok;
	if (is_assignment(op.kind)) {
		remember(p, left);
		parse_advance(p);
		e = binary(p, EXPR_ASSIGN, &op, left, parse_assignment(p));
		spanned(p, e, start);
	}
	p->depth--;
	return e ? e : left;
}

/* expression : assignment (',' assignment)* */
struct expr *parse_expression(struct parser *p)
{
	const char *start = p->tok.start;
	struct expr *e = parse_assignment(p);

	while (p->tok.kind == TOK_COMMA) {
		struct token op = p->tok;

		parse_advance(p);
		e = spanned(p, binary(p, EXPR_COMMA, &op, e, parse_assignment(p)), start);
	}
	return e;
}
