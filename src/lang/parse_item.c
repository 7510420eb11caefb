// SPDX-License-Identifier: Apache-2.0
/* Parses the items between clauses: declarations, inlines, functions, translators, providers. */
#include "lang/parse_int.h"

#include "base/arena.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "lang/parse.h"

/* Names that are variables from here on, or types. */
static void remember_names(struct parser *p, const struct decl *d)
{
	vec_for (e, &d->spec->enumerators)
		strmap_put(p->arena, &p->names, e->name, e);
	for (uint32_t i = 0; i < d->names.len; i++) {
		struct declarator *n = d->names.data[i];

		if (!n->name)
			continue;
		if (d->spec->storage == STORAGE_TYPEDEF)
			strmap_put(p->arena, &p->types, n->name, n);
		else if (d->spec->storage != STORAGE_SELF && d->spec->storage != STORAGE_THIS)
			strmap_put(p->arena, &p->names, n->name, n);
	}
}

/* Parameters of a function or inline: those of the modifier next to the name. */
static void bind_parameters(struct parser *p, const struct declarator *d)
{
	if (!d->mods.len)
		return;
	vec_for (param, &d->mods.data[0].params) {
		const struct declarator *n = (*param)->names.data[0];

		if (n->name)
			parse_bind(p, n->name);
	}
}

/*
 * True if a function's body can follow: one declarator, whose innermost modifier is the parameters.
 */
static bool is_function(const struct parser *p, const struct decl *d)
{
	const struct declarator *n = d->names.len == 1 ? d->names.data[0] : NULL;

	return n && n->name && n->mods.len && n->mods.data[0].kind == MOD_FUNC &&
		d->spec->storage == STORAGE_NONE && !p->in->no_extensions;
}

/* function : specifiers declarator '{' statements '}' */
static void parse_function(struct parser *p, struct item *it)
{
	uint32_t scope = parse_scope_begin(p);

	it->kind = ITEM_FUNCTION;
	p->in_decl = false; /* it ends with a brace */
	p->in_function = true;
	bind_parameters(p, it->decl->names.data[0]);
	parse_block(p, &it->body);
	parse_scope_end(p, scope);
	p->in_function = false;
}

/* inline : 'inline' specifiers declarator '=' assignment */
static void parse_inline(struct parser *p, struct item *it)
{
	uint32_t scope = parse_scope_begin(p);

	it->kind = ITEM_INLINE;
	it->param = p->param;
	p->param = NULL;
	parse_expect(p, TOK_ASSIGN);
	if (it->decl->names.len)
		bind_parameters(p, it->decl->names.data[0]);
	it->value = parse_assignment(p);
	parse_scope_end(p, scope);
}

/* The declarators of D, with the initializers of C's objects. */
static void parse_declarators(struct parser *p, struct decl *d)
{
	do {
		struct declarator *n = parse_declarator(p);

		vec_push(p->arena, &d->names, n);
		if (n->name && d->spec->storage == STORAGE_TYPEDEF)
			strmap_put(p->arena, &p->types, n->name, n);
		/* C has no inline objects: that is D's inline */
		if (d->spec->storage != STORAGE_INLINE &&
			(d->in_header || d->spec->storage == STORAGE_STATIC))
			parse_skip_initializer(p);
	} while (parse_accept(p, TOK_COMMA));
}

/* declaration : specifiers [declarator (',' declarator)*] */
static void parse_variables(struct parser *p, struct item *it)
{
	struct decl *d = arena_new_obj(p->arena, struct decl);

	it->kind = ITEM_DECL;
	it->decl = d;
	d->is_c = p->in->hooks.c;
	d->in_header = parse_in_header(p);
	d->spec = parse_specifiers(p, true);
	if (p->tok.kind != TOK_SEMI)
		parse_declarators(p, d);
	if (parse_is_c_function(p, d)) {
		d->spec->storage = STORAGE_EXTERN;
		if (p->tok.kind == TOK_LBRACE)
			it->skips_body = true;
		return;
	}
	if (p->tok.kind == TOK_LBRACE && is_function(p, d)) {
		remember_names(p, d);
		parse_function(p, it);
		return;
	}
	if (d->spec->storage == STORAGE_INLINE)
		parse_inline(p, it);
	remember_names(p, d);
}

/* translator-member : name '=' expression ';' */
static void parse_translator_member(struct parser *p, struct translator_ast *t)
{
	struct translator_member *m = vec_add(p->arena, &t->members);

	m->loc = p->tok.loc;
	m->name = parse_member_name(p);
	parse_expect(p, TOK_ASSIGN);
	m->value = parse_expression(p);
	parse_expect(p, TOK_SEMI);
}

/* translator : 'translator' type-name '<' specifiers declarator '>' '{' members '}' */
static void parse_translator(struct parser *p, struct item *it)
{
	struct translator_ast *t = arena_new_obj(p->arena, struct translator_ast);
	uint32_t scope = parse_scope_begin(p);

	it->kind = ITEM_TRANSLATOR;
	it->translator = t;
	parse_advance(p);
	t->out = parse_type_name(p);
	parse_expect(p, TOK_LT);
	t->in = arena_new_obj(p->arena, struct type_name);
	t->in->spec = parse_specifiers(p, false);
	t->in->decl = parse_declarator(p);
	t->param = t->in->decl->name;
	t->in->decl->name = NULL;
	if (!t->param)
		parse_syntax_error(p);
	parse_close_angle(p);
	parse_expect(p, TOK_LBRACE);
	if (p->panic)
		return;
	parse_bind(p, t->param);
	while (!p->panic && p->tok.kind != TOK_RBRACE)
		parse_translator_member(p, t);
	parse_expect(p, TOK_RBRACE);
	parse_scope_end(p, scope);
}

/* probe : 'probe' ident '(' parameters ')' [':' '(' parameters ')'] ';' */
static void parse_probe(struct parser *p, struct provider_ast *prov)
{
	struct provider_probe *pr = vec_add(p->arena, &prov->probes);
	struct declarator_mod in = {.kind = MOD_FUNC}, out = {.kind = MOD_FUNC};

	parse_expect(p, TOK_PROBE);
	pr->loc = p->tok.loc;
	pr->name = p->tok.str;
	parse_expect(p, TOK_IDENT);
	parse_expect(p, TOK_LPAREN);
	parse_parameters(p, &in, TOK_RPAREN);
	pr->has_xparams = parse_accept(p, TOK_COLON);
	if (pr->has_xparams) {
		parse_expect(p, TOK_LPAREN);
		parse_parameters(p, &out, TOK_RPAREN);
	}
	vec_for (d, &in.params)
		vec_push(p->arena, &pr->params, *d);
	vec_for (d, &out.params)
		vec_push(p->arena, &pr->xparams, *d);
	pr->varargs = in.varargs || out.varargs;
	parse_expect(p, TOK_SEMI);
}

/* provider : 'provider' ident '{' probe* '}' */
static void parse_provider(struct parser *p, struct item *it)
{
	struct provider_ast *prov = arena_new_obj(p->arena, struct provider_ast);

	it->kind = ITEM_PROVIDER;
	it->provider = prov;
	parse_advance(p);
	prov->name = p->tok.str;
	parse_expect(p, TOK_IDENT);
	parse_expect(p, TOK_LBRACE);
	while (!p->panic && p->tok.kind != TOK_RBRACE)
		parse_probe(p, prov);
	parse_expect(p, TOK_RBRACE);
}

/* item : (declaration | inline | translator | provider) ';' | function */
void parse_declaration(struct parser *p, struct program *prog)
{
	struct item it = {.loc = p->tok.loc};

	p->in_decl = true;
	parse_set_context(p, LEX_EXPR);
	if (p->tok.kind == TOK_TRANSLATOR)
		parse_translator(p, &it);
	else if (p->tok.kind == TOK_PROVIDER)
		parse_provider(p, &it);
	else if (!parse_skip_assertion(p))
		parse_variables(p, &it);
	if (it.kind != ITEM_FUNCTION && !it.skips_body && p->tok.kind != TOK_SEMI)
		parse_syntax_error(p);
	p->ctx = LEX_OUTER;
	if (it.skips_body)
		parse_skip_body(p);
	else
		parse_advance(p);
	if (it.kind != ITEM_CLAUSE && (!p->panic || it.decl))
		vec_push(p->arena, &prog->items, it);
}
