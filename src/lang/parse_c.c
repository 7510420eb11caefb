// SPDX-License-Identifier: Apache-2.0
/*
 * Parses what C headers have and D does not: attributes, typeof, assembler names, initializers and
 * the bodies of functions.  Attributes that change a layout are kept, the others skipped.
 */
#include "lang/parse_int.h"

#include <string.h>

#include "base/arena.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "lang/parse.h"
#include "lang/source.h"

bool parse_in_header(const struct parser *p)
{
	const struct source *src = p->tok.loc.src;
	size_t n = strlen(src->name);

	return p->in->hooks.c && src->is_included && n > 2 && !strcmp(src->name + n - 2, ".h");
}

/* Skip from the current token on as lex_skip_c() does. */
static void skip(struct parser *p, const char *stop)
{
	if (p->panic)
		return;
	lex_skip_c(p->lx, &p->tok, stop);
	parse_fetch(p);
}

static bool is_called(const char *name, const char *plain)
{
	size_t n = strlen(plain);

	return !strcmp(name, plain) ||
		(!strncmp(name, "__", 2) && !strncmp(name + 2, plain, n) &&
			!strcmp(name + 2 + n, "__"));
}

/* '(' constant ')' of an alignment */
static struct expr *parse_alignment(struct parser *p)
{
	struct expr *e;
	struct token next;

	parse_expect(p, TOK_LPAREN);
	next = p->tok;
	if (parse_starts_type(p, &next)) { /* _Alignas(type) */
		e = expr_new(p, EXPR_SIZEOF_TYPE, next.loc);
		e->op = TOK_ALIGNOF;
		e->tname = parse_type_name(p);
	} else {
		e = parse_conditional(p);
	}
	parse_expect(p, TOK_RPAREN);
	return e;
}

/* '(' word ')' of a machine mode */
static const char *parse_mode(struct parser *p)
{
	const char *name = "";
	size_t n;

	parse_expect(p, TOK_LPAREN);
	if (p->tok.kind == TOK_IDENT)
		name = p->tok.str;
	parse_advance(p);
	parse_expect(p, TOK_RPAREN);
	n = strlen(name);
	if (n > 4 && !strncmp(name, "__", 2) && !strcmp(name + n - 2, "__"))
		name = arena_strndup(p->arena, name + 2, n - 4);
	return name;
}

/* attribute : [word ['(' ... ')']] */
static void parse_attribute(struct parser *p, struct c_attributes *a)
{
	const char *name = p->tok.str ? p->tok.str : "";

	if (p->tok.kind != TOK_IDENT && p->tok.kind < TOK_AUTO)
		return;
	parse_advance(p);
	if (is_called(name, "packed")) {
		a->packed = true;
	} else if (is_called(name, "vector_size") && p->tok.kind == TOK_LPAREN) {
		a->vector = parse_alignment(p);
	} else if (is_called(name, "mode") && p->tok.kind == TOK_LPAREN) {
		a->mode = parse_mode(p);
	} else if (is_called(name, "aligned")) {
		a->aligned = true;
		a->align = NULL;
		if (p->tok.kind == TOK_LPAREN)
			a->align = parse_alignment(p);
	} else if (p->tok.kind == TOK_LPAREN) {
		skip(p, NULL);
	}
}

/* attributes : ('__attribute__' '((' [attribute (',' attribute)*] '))' | '_Alignas' ... | ...)* */
void parse_attributes(struct parser *p, struct c_attributes *a)
{
	for (; !p->panic; parse_accept(p, TOK_COLON)) {
		switch (p->tok.kind) {
		case TOK_ATTRIBUTE:
			parse_advance(p);
			parse_expect(p, TOK_LPAREN);
			parse_expect(p, TOK_LPAREN);
			do
				parse_attribute(p, a);
			while (parse_accept(p, TOK_COMMA));
			parse_expect(p, TOK_RPAREN);
			parse_expect(p, TOK_RPAREN);
			break;
		case TOK_ALIGNAS:
			parse_advance(p);
			a->aligned = true;
			a->align = parse_alignment(p);
			break;
		case TOK_ASM: /* the name that the assembler knows it by */
			parse_advance(p);
			while (p->tok.kind == TOK_VOLATILE)
				parse_advance(p);
			if (p->tok.kind == TOK_LPAREN)
				skip(p, NULL);
			break;
		case TOK_EXTENSION:
		case TOK_NORETURN:
		case TOK_THREAD_LOCAL:
			parse_advance(p);
			break;
		default:
			return;
		}
	}
}

/* typeof : '__typeof__' '(' (type-name | expression) ')' */
void parse_typeof(struct parser *p, struct type_spec *s)
{
	parse_advance(p);
	parse_expect(p, TOK_LPAREN);
	if (parse_starts_type(p, &p->tok))
		s->of_type = parse_type_name(p);
	else
		s->of_expr = parse_expression(p);
	parse_expect(p, TOK_RPAREN);
}

/* initializer : '=' anything */
void parse_skip_initializer(struct parser *p)
{
	if (p->in->hooks.c && p->tok.kind == TOK_ASSIGN)
		skip(p, ",;");
}

/* static-assert : '_Static_assert' '(' anything ')'; top-level assembler code has the same form */
bool parse_skip_assertion(struct parser *p)
{
	if (p->tok.kind != TOK_STATIC_ASSERT && p->tok.kind != TOK_ASM)
		return false;
	parse_advance(p);
	if (p->tok.kind == TOK_LPAREN)
		skip(p, NULL);
	else
		parse_syntax_error(p);
	return true;
}

void parse_skip_body(struct parser *p)
{
	if (p->panic)
		return;
	p->in_decl = false; /* it ends with a brace */
	skip(p, NULL);
}

bool parse_is_c_function(const struct parser *p, const struct decl *d)
{
	const struct declarator *n = d->names.len ? d->names.data[d->names.len - 1] : NULL;
	enum storage st = d->spec->storage;

	return p->in->hooks.c && st != STORAGE_TYPEDEF && n && n->name && n->mods.len &&
		n->mods.data[0].kind == MOD_FUNC &&
		(st == STORAGE_STATIC || st == STORAGE_EXTERN || st == STORAGE_INLINE ||
			d->in_header);
}

bool parse_is_name(const struct parser *p)
{
	switch (p->tok.kind) {
	case TOK_IDENT:
		return true;
	case TOK_COUNTER:
	case TOK_IMPORT:
	case TOK_OFFSETOF:
	case TOK_PROBE:
	case TOK_PROVIDER:
	case TOK_SELF:
	case TOK_STRING:
	case TOK_STRINGOF:
	case TOK_THIS:
	case TOK_TRANSLATOR:
	case TOK_XLATE:
		return parse_in_header(p);
	default:
		return false;
	}
}
