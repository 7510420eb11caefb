// SPDX-License-Identifier: Apache-2.0
/* Parses declarations and type names. */
#include "lang/parse_int.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "lang/parse.h"

static enum storage storage_of(enum token_kind k)
{
	switch (k) {
	case TOK_SELF:
		return STORAGE_SELF;
	case TOK_THIS:
		return STORAGE_THIS;
	case TOK_EXTERN:
		return STORAGE_EXTERN;
	case TOK_TYPEDEF:
		return STORAGE_TYPEDEF;
	case TOK_INLINE:
		return STORAGE_INLINE;
	case TOK_STATIC:
		return STORAGE_STATIC;
	case TOK_AUTO:
		return STORAGE_AUTO;
	case TOK_REGISTER:
		return STORAGE_REGISTER;
	default:
		return STORAGE_NONE;
	}
}

static unsigned word_of(enum token_kind k)
{
	switch (k) {
	case TOK_VOID:
		return WORD_VOID;
	case TOK_CHAR:
		return WORD_CHAR;
	case TOK_SHORT:
		return WORD_SHORT;
	case TOK_INT:
		return WORD_INT;
	case TOK_LONG:
		return WORD_LONG;
	case TOK_SIGNED:
		return WORD_SIGNED;
	case TOK_UNSIGNED:
		return WORD_UNSIGNED;
	case TOK_FLOAT:
		return WORD_FLOAT;
	case TOK_DOUBLE:
		return WORD_DOUBLE;
	case TOK_STRING:
		return WORD_STRING;
	case TOK_INT128:
		return WORD_INT128;
	case TOK_COMPLEX:
		return WORD_COMPLEX;
	default:
		return 0;
	}
}

static bool is_type_name(struct parser *p, const char *name)
{
	if (strmap_get(&p->names, name))
		return false;
	return p->hooks.is_type(p, name);
}

bool parse_starts_type(struct parser *p, const struct token *t)
{
	switch (t->kind) {
	case TOK_STRUCT:
	case TOK_UNION:
	case TOK_ENUM:
	case TOK_CONST:
	case TOK_VOLATILE:
	case TOK_RESTRICT:
	case TOK_TYPEOF:
	case TOK_ATTRIBUTE:
	case TOK_EXTENSION:
	case TOK_ALIGNAS:
	case TOK_NORETURN:
	case TOK_THREAD_LOCAL:
		return true;
	case TOK_IDENT:
		return is_type_name(p, t->str);
	default:
		return word_of(t->kind) != 0;
	}
}

bool parse_starts_declaration(struct parser *p)
{
	switch (p->tok.kind) {
	case TOK_IDENT: /* the lexer makes this only of what names a type here */
	case TOK_TRANSLATOR:
	case TOK_PROVIDER:
	case TOK_STATIC_ASSERT:
	case TOK_ASM:
		return true;
	default:
		return storage_of(p->tok.kind) != STORAGE_NONE || parse_starts_type(p, &p->tok);
	}
}

/* enumerators : '{' ident ['=' conditional] (',' ...)* [','] '}' */
static void parse_enumerators(struct parser *p, struct type_spec *s)
{
	if (p->tok.kind == TOK_RBRACE)
		parse_syntax_error(p);
	while (parse_is_name(p)) {
		struct enumerator *e = vec_add(p->arena, &s->enumerators);
		struct c_attributes ignored = {0};

		e->loc = p->tok.loc;
		e->name = p->tok.str;
		parse_advance(p);
		parse_attributes(p, &ignored);
		if (parse_accept(p, TOK_ASSIGN)) {
			struct expr *v = parse_conditional(p);

			vec_last(&s->enumerators).value = v;
		}
		if (!parse_accept(p, TOK_COMMA))
			break;
	}
	parse_expect(p, TOK_RBRACE);
}

/* member : [declarator [':' conditional]]; a struct or union of C may have no name */
static void parse_member(struct parser *p, struct decl *d)
{
	struct declarator *n = p->tok.kind == TOK_COLON ? arena_new_obj(p->arena, struct declarator)
							: parse_declarator(p);

	if (parse_accept(p, TOK_COLON))
		n->bits = parse_conditional(p);
	else if (!n->name && !(d->is_c && d->spec->has_body && d->spec->tag_kind != TOK_ENUM))
		parse_syntax_error(p);
	parse_attributes(p, &n->attrs);
	vec_push(p->arena, &d->names, n);
}

/* members : '{' (specifiers member (',' member)* ';')* '}' */
static void parse_members(struct parser *p, struct type_spec *s)
{
	if (p->tok.kind == TOK_RBRACE && !p->in->hooks.c)
		parse_syntax_error(p);
	while (!p->panic && p->tok.kind != TOK_RBRACE) {
		struct decl *d = arena_new_obj(p->arena, struct decl);

		if (p->in->hooks.c && (parse_accept(p, TOK_SEMI) || parse_skip_assertion(p)))
			continue;
		d->is_c = p->in->hooks.c;
		d->spec = parse_specifiers(p, false);
		do
			parse_member(p, d);
		while (parse_accept(p, TOK_COMMA));
		vec_push(p->arena, &s->members, d);
		parse_expect(p, TOK_SEMI);
	}
	parse_expect(p, TOK_RBRACE);
}

/* tagged : ('struct' | 'union' | 'enum') [ident] ['{' ... '}'] */
static void parse_tagged(struct parser *p, struct type_spec *s)
{
	s->tag_kind = p->tok.kind;
	parse_advance(p);
	parse_attributes(p, &s->attrs);
	if (parse_is_name(p)) {
		s->name = p->tok.str;
		parse_advance(p);
	}
	parse_attributes(p, &s->attrs);
	if (parse_accept(p, TOK_LBRACE)) {
		s->has_body = true;
		if (!parse_enter(p))
			return;
		if (s->tag_kind == TOK_ENUM)
			parse_enumerators(p, s);
		else
			parse_members(p, s);
		p->depth--;
		s->attrs.pack = lex_pack(p->lx);
		parse_attributes(p, &s->attrs);
	} else if (!s->name) {
		parse_syntax_error(p);
	}
}

static void add_word(struct type_spec *s, unsigned word)
{
	if (word == WORD_LONG && (s->words & WORD_LONG)) {
		s->repeated |= (s->words & WORD_LONGLONG) != 0;
		s->words |= WORD_LONGLONG;
	} else {
		s->repeated |= (s->words & word) != 0;
		s->words |= word;
	}
}

static void add_storage(struct parser *p, struct type_spec *s, enum storage st)
{
	/* static inline: the body is skipped, and static says so */
	if (p->in->hooks.c && st == STORAGE_INLINE && s->storage != STORAGE_NONE)
		return;
	if (p->in->hooks.c && s->storage == STORAGE_INLINE)
		s->storage = STORAGE_NONE;
	if (s->storage != STORAGE_NONE)
		parse_error(p, p->tok.loc, "D_DECL_CLASS",
			"only one storage class allowed in declaration");
	s->storage = st;
}

void parse_close_angle(struct parser *p)
{
	struct token t = p->tok;

	switch (t.kind) {
	case TOK_SHR:
	case TOK_GE:
	case TOK_SHR_ASSIGN: /* read again what follows the first character */
		t.start++;
		t.loc.col++;
		lex_rewind(p->lx, &t);
		parse_advance(p);
		break;
	default:
		parse_expect(p, TOK_GT);
	}
}

/* string-size : '<' additive '>', unless it is a translator's '<', which a type follows */
static void parse_string_size(struct parser *p, struct type_spec *s)
{
	struct token next;

	if (p->tok.kind != TOK_LT || p->in->no_extensions)
		return;
	next = parse_peek(p, 1);
	if (parse_starts_type(p, &next))
		return;
	parse_advance(p);
	s->str_size = parse_additive(p);
	parse_close_angle(p);
}

/*
 * True if this IDENT, a type's name after a whole type, is one type too many and not the name that
 * is declared.
 */
static bool is_second_type(struct parser *p, const struct token *t)
{
	struct token next = parse_peek(p, 1);

	return (next.kind == TOK_IDENT || next.kind == TOK_MUL) && is_type_name(p, t->str);
}

static void refuse_second_type(struct parser *p)
{
	parse_error(p, p->tok.loc, "D_DECL_COMBO", "invalid type combination");
}

static bool has_type(const struct type_spec *s)
{
	return s->words || s->tag_kind != TOK_EOF || s->name || s->of_type || s->of_expr;
}

/* The current name is a type's that is not known: sema reports it unless nobody needs it. */
static void take_unknown(struct parser *p, struct type_spec *s)
{
	const struct token *t = &p->unknown;

	s->name = p->tok.str;
	s->unknown = arena_strndup(p->arena, t->start, t->len);
	s->unknown_loc = t->loc;
	p->unknown.kind = TOK_EOF;
	parse_advance(p);
}

/* specifiers : (storage | qualifier | type-word | tagged | typedef-name)+ */
struct type_spec *parse_specifiers(struct parser *p, bool storage_allowed)
{
	struct type_spec *s = arena_new_obj(p->arena, struct type_spec);
	bool any = false;

	s->loc = p->tok.loc;
	s->tag_kind = TOK_EOF;
	s->is_c = p->in->hooks.c;
	s->in_header = parse_in_header(p);
	for (; !p->panic; any = true) {
		struct token t;

		parse_attributes(p, &s->other_attrs);
		t = p->tok;
		if (has_type(s) && t.kind != TOK_IDENT && parse_is_name(p)) {
			break;
		} else if (storage_of(t.kind) != STORAGE_NONE && storage_allowed) {
			add_storage(p, s, storage_of(t.kind));
			parse_advance(p);
		} else if (t.kind == TOK_CONST || t.kind == TOK_VOLATILE ||
			t.kind == TOK_RESTRICT) {
			s->is_const |= t.kind == TOK_CONST;
			s->is_volatile |= t.kind == TOK_VOLATILE;
			parse_advance(p);
		} else if (t.kind == TOK_TYPEOF && !has_type(s)) {
			parse_typeof(p, s);
		} else if (word_of(t.kind)) {
			add_word(s, word_of(t.kind));
			parse_advance(p);
			if (t.kind == TOK_STRING)
				parse_string_size(p, s);
		} else if (t.kind == TOK_STRUCT || t.kind == TOK_UNION || t.kind == TOK_ENUM) {
			if (s->tag_kind != TOK_EOF || s->name || s->of_type || s->of_expr)
				refuse_second_type(p);
			else
				parse_tagged(p, s);
		} else if (t.kind != TOK_IDENT) {
			break;
		} else if (has_type(s)) {
			if (!is_second_type(p, &t))
				break;
			refuse_second_type(p);
		} else if (p->unknown.kind != TOK_EOF) {
			take_unknown(p, s);
		} else if (is_type_name(p, t.str)) {
			s->name = t.str;
			parse_advance(p);
		} else {
			break;
		}
	}
	if (!any)
		parse_syntax_error(p);
	return s;
}

/* parameters : [param (',' param)*] [',' '...'] closing; sema refuses most storage classes */
void parse_parameters(struct parser *p, struct declarator_mod *m, enum token_kind closing)
{
	while (!p->panic && p->tok.kind != closing) {
		struct decl *d;

		if (parse_accept(p, TOK_ELLIPSIS)) {
			m->varargs = true;
			break;
		}
		d = arena_new_obj(p->arena, struct decl);
		if (p->tok.kind == TOK_SELF || p->tok.kind == TOK_THIS)
			parse_syntax_error(p);
		d->spec = parse_specifiers(p, true);
		vec_push(p->arena, &d->names, parse_declarator(p));
		vec_push(p->arena, &m->params, d);
		if (!parse_accept(p, TOK_COMMA))
			break;
	}
	parse_expect(p, closing);
}

/* suffix : '[' [conditional | parameters] ']' | '(' parameters ')' */
static void parse_suffixes(struct parser *p, struct declarator *d)
{
	while (p->tok.kind == TOK_LBRACKET || p->tok.kind == TOK_LPAREN) {
		struct declarator_mod m = {.loc = p->tok.loc};

		if (parse_accept(p, TOK_LPAREN)) {
			m.kind = MOD_FUNC;
			parse_parameters(p, &m, TOK_RPAREN);
		} else {
			parse_advance(p);
			m.kind = MOD_ARRAY;
			m.is_c = p->in->hooks.c;
			while (m.is_c &&
				(p->tok.kind == TOK_RESTRICT || p->tok.kind == TOK_CONST ||
					p->tok.kind == TOK_STATIC))
				parse_advance(p);
			if (p->tok.kind == TOK_RBRACKET) {
				parse_advance(p);
			} else if (parse_starts_type(p, &p->tok) || storage_of(p->tok.kind)) {
				m.kind = MOD_ASSOC;
				parse_parameters(p, &m, TOK_RBRACKET);
			} else {
				m.size = parse_conditional(p);
				parse_expect(p, TOK_RBRACKET);
			}
		}
		vec_push(p->arena, &d->mods, m);
	}
}

/* True if NEXT, a name after a '(' of C, is the type of a parameter: int (size_t). */
static bool names_parameter(struct parser *p, const struct token *next)
{
	return p->in->hooks.c && is_type_name(p, next->str);
}

/* declarator : '*' qualifiers declarator | (ident | '(' declarator ')' | nothing) suffixes */
struct declarator *parse_declarator(struct parser *p)
{
	struct c_attributes ignored = {0};
	struct declarator *d;
	struct loc loc;

	if (!parse_enter(p))
		return arena_new_obj(p->arena, struct declarator);
	parse_attributes(p, &ignored);
	loc = p->tok.loc;
	if (parse_accept(p, TOK_MUL)) {
		struct declarator_mod m = {.kind = MOD_PTR, .loc = loc};

		while (p->tok.kind == TOK_CONST || p->tok.kind == TOK_VOLATILE ||
			p->tok.kind == TOK_RESTRICT)
			parse_advance(p);
		parse_attributes(p, &ignored);
		d = parse_declarator(p);
		vec_push(p->arena, &d->mods, m);
		p->depth--;
		return d;
	}
	if (p->tok.kind == TOK_LPAREN) {
		struct token next = parse_peek(p, 1);

		if (next.kind == TOK_MUL || next.kind == TOK_ATTRIBUTE ||
			(next.kind == TOK_IDENT && !names_parameter(p, &next))) {
			parse_advance(p);
			d = parse_declarator(p);
			parse_expect(p, TOK_RPAREN);
			parse_suffixes(p, d);
			parse_attributes(p, &d->attrs);
			p->depth--;
			return d;
		}
	}
	d = arena_new_obj(p->arena, struct declarator);
	d->loc = loc;
	if (parse_is_name(p)) {
		d->name = p->tok.str;
		parse_advance(p);
	}
	parse_suffixes(p, d);
	parse_attributes(p, &d->attrs);
	p->depth--;
	return d;
}

struct type_name *parse_type_name(struct parser *p)
{
	struct type_name *tn = arena_new_obj(p->arena, struct type_name);

	tn->spec = parse_specifiers(p, false);
	tn->decl = parse_declarator(p);
	if (tn->decl->name)
		parse_error(
			p, tn->decl->loc, "D_SYNTAX", "syntax error near \"%s\"", tn->decl->name);
	return tn;
}
