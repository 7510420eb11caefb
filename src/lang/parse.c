// SPDX-License-Identifier: Apache-2.0
/* Parses programs and clauses, and goes on after syntax errors. */
#include "lang/parse_int.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "lang/parse.h"
#include "lang/source.h"
#include "lang/tool.h"

void parse_error(struct parser *p, struct loc loc, const char *tag, const char *fmt, ...)
{
	va_list ap;

	if (p->panic)
		return;
	va_start(ap, fmt);
	diag_vadd(p->diags, tag, loc, fmt, ap);
	va_end(ap);
	p->panic = true;
	p->bad = p->tok.kind;
	p->tok.kind = TOK_EOF;
}

void parse_syntax_error(struct parser *p)
{
	const struct token *t = &p->tok;

	if (p->panic)
		return;
	if (t->kind == TOK_EOF)
		parse_error(p, t->loc, "D_SYNTAX", "syntax error near end of input");
	else
		parse_error(
			p, t->loc, "D_SYNTAX", "syntax error near \"%.*s\"", (int)t->len, t->start);
}

void parse_fetch(struct parser *p)
{
	p->tok = lex_next(p->lx, p->ctx == LEX_PREDICATE && p->parens ? LEX_EXPR : p->ctx);
	if (p->tok.kind == TOK_ERROR) {
		p->panic = true;
		p->bad = TOK_ERROR;
		p->tok.kind = TOK_EOF;
	}
}

void parse_advance(struct parser *p)
{
	if (p->panic)
		return;
	p->braces += (p->tok.kind == TOK_LBRACE) - (p->tok.kind == TOK_RBRACE);
	p->end = p->tok.start + p->tok.len;
	parse_fetch(p);
}

void parse_set_context(struct parser *p, enum lex_context ctx)
{
	if (p->ctx == ctx)
		return;
	p->ctx = ctx;
	if (p->panic)
		return;
	lex_rewind(p->lx, &p->tok);
	parse_fetch(p);
}

struct token parse_peek(struct parser *p, unsigned n)
{
	if (p->panic)
		return p->tok;
	return lex_peek(p->lx, p->ctx == LEX_PREDICATE && p->parens ? LEX_EXPR : p->ctx, n);
}

bool parse_accept(struct parser *p, enum token_kind kind)
{
	if (p->tok.kind != kind)
		return false;
	parse_advance(p);
	return true;
}

bool parse_expect(struct parser *p, enum token_kind kind)
{
	if (parse_accept(p, kind))
		return true;
	parse_syntax_error(p);
	return false;
}

bool parse_enter(struct parser *p)
{
	if (++p->depth <= PARSE_MAX_DEPTH)
		return true;
	parse_error(p, p->tok.loc, "D_SYNTAX", "expression is nested too deeply");
	return false;
}

const char *parse_member_name(struct parser *p)
{
	const char *name = p->tok.str;

	if (p->tok.kind != TOK_IDENT && p->tok.kind < TOK_AUTO) {
		parse_syntax_error(p);
		return NULL;
	}
	parse_advance(p);
	return name;
}

uint32_t parse_scope_begin(struct parser *p)
{
	return p->bound.len;
}

void parse_bind(struct parser *p, const char *name)
{
	struct parse_bound b = {name, strmap_get(&p->names, name)};

	vec_push(p->arena, &p->bound, b);
	strmap_put(p->arena, &p->names, name, p);
}

void parse_scope_end(struct parser *p, uint32_t mark)
{
	while (p->bound.len > mark) {
		struct parse_bound b = vec_last(&p->bound);

		strmap_put(p->arena, &p->names, b.name, b.before);
		p->bound.len--;
	}
}

/* probespecs : probespec (',' probespec)* */
static void parse_specs(struct parser *p, struct clause *c)
{
	do {
		struct spec *s;

		if (p->tok.kind != TOK_PROBESPEC) {
			parse_syntax_error(p);
			return;
		}
		s = vec_add(p->arena, &c->specs);
		s->loc = p->tok.loc;
		s->text = p->tok.str;
		s->is_id = *s->text && strspn(s->text, "0123456789") == strlen(s->text);
		parse_advance(p);
	} while (parse_accept(p, TOK_COMMA));
}

/* clause : probespecs ['/' expr '/'] ['{' statements] */
static void parse_clause(struct parser *p, struct program *prog)
{
	struct item *it = vec_add(p->arena, &prog->items);
	struct clause *c = arena_new_obj(p->arena, struct clause);
	struct loc loc = p->tok.loc;

	it->kind = ITEM_CLAUSE;
	it->loc = c->loc = loc;
	c->text = p->tok.start;
	it->clause = c;
	parse_specs(p, c);
	if (p->tok.kind == TOK_DIV) {
		p->ctx = LEX_PREDICATE;
		p->parens = 0;
		parse_advance(p);
		c->predicate = parse_expression(p);
		if (p->tok.kind != TOK_PREDEND)
			parse_syntax_error(p);
		p->ctx = LEX_OUTER;
		parse_advance(p);
	}
	if (p->panic)
		return;
	if (p->tok.kind == TOK_LBRACE) {
		c->has_body = true;
		p->ctx = LEX_EXPR;
		parse_block(p, &c->stmts);
		if (p->panic)
			return;
		p->ctx = LEX_OUTER;
		parse_advance(p);
		c->text_len = (uint32_t)(p->end - c->text);
	} else if (c->predicate) {
		parse_error(p, p->tok.loc, "D_SYNTAX", "expected actions following predicate");
	} else if (prog->src->is_file) {
		parse_error(p, p->tok.loc, "D_SYNTAX",
			"expected predicate and/or actions following probe description");
	}
}

static bool is_type(void *arg, const char *name)
{
	struct parser *p = arg;
	bool own = !strncmp(name, "D`", 2) || !strncmp(name, "C`", 2);

	return strmap_get(&p->types, own ? name + 2 : name) ||
		p->outer->is_type(p->outer->arg, name);
}

static void on_pragma(void *arg, struct loc loc, const char *text)
{
	struct parser *p = arg;

	if (p->outer->pragma)
		p->outer->pragma(p->outer->arg, loc, text);
	p->hooks.pspec = p->outer->pspec; /* #pragma D option pspec */
}

/* The inline that a parameter is follows its line: the token of now is the first after it. */
static void on_tool(void *arg, struct loc loc, const char *text)
{
	struct parser *p = arg;
	struct tool_line line;
	const char *why = tool_line(p->arena, text, &line);

	if (why)
		diag_add(p->diags, "D_PRAGMA_MALFORM", loc, "%s", why);
	parse_end_param(p);
	if (line.param && !why) {
		p->param = line.param;
		p->param_loc = loc;
	}
}

void parse_end_param(struct parser *p)
{
	if (p->param)
		diag_add(p->diags, "D_PRAGMA_MALFORM", p->param_loc,
			"#pragma tool param: no inline follows that is parameter '%s'",
			p->param->name);
	p->param = NULL;
}

/* Go on after the clause or declaration that had the error. */
static void recover(struct parser *p)
{
	int depth = p->braces + (p->bad == TOK_LBRACE) - (p->bad == TOK_RBRACE);

	if (depth > 0 || p->in_decl || (p->bad != TOK_RBRACE && p->bad != TOK_SEMI))
		if (p->bad != TOK_SEMI || depth > 0)
			lex_resync(p->lx, depth, p->in_decl);
	p->panic = p->in_decl = p->in_function = false;
	p->loops = 0;
	parse_scope_end(p, 0);
	p->depth = 0;
	p->braces = 0;
	p->ctx = LEX_OUTER;
}

static void parser_begin(struct parser *p, const struct parse_input *in, enum lex_context ctx)
{
	*p = (struct parser){
		.in = in,
		.arena = in->arena,
		.diags = in->diags,
		.hooks = {on_pragma, on_tool, is_type, p, in->hooks.pspec, in->hooks.c},
		.outer = &in->hooks,
		.ctx = ctx,
		.unknown.kind = TOK_EOF,
	};
	p->lx = lex_new(in->arena, in->src, in->diags, in->macros, &p->hooks);
	parse_fetch(p);
}

struct expr *parse_expression_text(const struct parse_input *in)
{
	struct parser p;
	struct expr *e;

	parser_begin(&p, in, LEX_EXPR);
	e = parse_expression(&p);
	if (!p.panic && p.tok.kind != TOK_EOF)
		parse_syntax_error(&p);
	return p.panic ? NULL : e;
}

struct program *parse_program(const struct parse_input *in)
{
	struct program *prog = arena_new_obj(in->arena, struct program);
	const struct script_param *param;
	struct parser p;

	prog->src = in->src;
	parser_begin(&p, in, LEX_OUTER);
	while (p.panic || p.tok.kind != TOK_EOF) {
		if (p.panic) {
			recover(&p);
			parse_fetch(&p);
			continue;
		}
		p.braces = 0;
		p.in_decl = false;
		param = p.param;
		if (p.tok.kind == TOK_SEMI)
			parse_advance(&p);
		else if (parse_starts_declaration(&p))
			parse_declaration(&p, prog);
		else
			parse_clause(&p, prog);
		if (param && p.param == param) /* the item was no inline */
			parse_end_param(&p);
	}
	parse_end_param(&p);
	return prog;
}
