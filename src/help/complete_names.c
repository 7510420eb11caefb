// SPDX-License-Identifier: Apache-2.0
/* Completes names in expressions: built-ins, functions, variables, aggregations, members. */
#include "sema/names.h"

#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "compile/compiling.h"
#include "help/complete_private.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "probe/args.h"
#include "probe/registry.h"
#include "probe/user_provider.h"
#include "sema/sema.h"
#include "sema/typed.h"
#include "types/type.h"
#include "types/types.h"

static const char *spelled(struct completing *k, const struct type *t)
{
	char buf[256];

	return t ? arena_strdup(k->arena, type_name(t, buf, sizeof(buf))) : "";
}

/* ---- members ---- */

static void offer_members(struct completing *k, const struct type *t, unsigned depth)
{
	uint32_t n;
	const struct member *m = type_members(type_resolve(t), &n);

	for (uint32_t i = 0; i < n && depth < 16; i++) {
		if (m[i].name && *m[i].name)
			complete_offer(
				k, DTRACE_COMPLETION_MEMBER, m[i].name, spelled(k, m[i].type), "");
		else
			offer_members(k, m[i].type, depth + 1);
	}
}

/* Complete a member of the operand before token N, which is the operator OP. */
static void complete_member(struct completing *k, uint32_t n, enum token_kind op)
{
	const struct type *t = operand_type(k, n);

	if (t)
		t = type_resolve(t);
	if (!t || (op == TOK_ARROW) != (t->kind == TYPE_PTR))
		return;
	offer_members(k, t->kind == TYPE_PTR ? t->ref : t, 0);
}

/* ---- tags ---- */

struct tags {
	struct completing *k;
	enum type_space space;
};

static void on_tag(void *arg, const char *name)
{
	const struct tags *s = arg;
	struct completing *k = s->k;
	const struct type *t = types_lookup(k->c->types, s->space, name);

	complete_offer(k, DTRACE_COMPLETION_TYPE, name, spelled(k, t),
		t && t->size ? arena_printf(k->arena, "%llu bytes", (unsigned long long)t->size)
			     : "");
}

/* Complete the name of a struct, union or enum, as the keyword LAST says. */
static void offer_tags(struct completing *k, enum token_kind last)
{
	struct tags s = {k,
		last == TOK_STRUCT	    ? SPACE_STRUCT
			: last == TOK_UNION ? SPACE_UNION
					    : SPACE_ENUM};

	complete_check_before(k);
	types_each_tag(k->c->types, s.space, k->prefix, on_tag, &s);
}

/* ---- variables and aggregations ---- */

static const char *with_keys(
	struct completing *k, const char *text, const struct type *const *keys, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		text = arena_printf(k->arena, "%s%s%s%s", text, i ? ", " : " [",
			spelled(k, keys[i]), i + 1 == n ? "]" : "");
	return text;
}

static void offer_variables(struct completing *k, enum var_scope scope)
{
	const struct sema_session *s = sema_session(k->c->sema);

	vec_for (v, &s->vars)
		if ((*v)->scope == scope && !(*v)->hidden)
			complete_offer(k, DTRACE_COMPLETION_VARIABLE, (*v)->name,
				with_keys(k, spelled(k, (*v)->type), (*v)->keys,
					(*v)->is_assoc ? (*v)->nkeys : 0),
				"");
}

static void offer_aggregations(struct completing *k)
{
	const struct sema_session *s = sema_session(k->c->sema);

	vec_for (a, &s->aggs)
		complete_offer(k, DTRACE_COMPLETION_AGGREGATION,
			arena_printf(k->arena, "@%s", strcmp((*a)->name, "_") ? (*a)->name : ""),
			with_keys(k,
				(*a)->func ? arena_printf(k->arena, "%s()", (*a)->func->name) : "",
				(*a)->keys, (*a)->nkeys),
			"");
}

/* ---- the language ---- */

static void offer_builtins(struct completing *k)
{
	const struct builtin *b;
	const struct function *f;

	for (unsigned i = 0; (b = builtin_at(i)); i++) {
		bool indexed = b->type && !*b->type;

		if (b->type)
			complete_offer(k, DTRACE_COMPLETION_BUILTIN,
				indexed ? arena_printf(k->arena, "%s[", b->name) : b->name, b->type,
				b->help);
	}
	for (unsigned i = 0; (f = function_at(i)); i++)
		if (f->klass != CLASS_LATER && *f->name != '_')
			complete_offer(k, DTRACE_COMPLETION_FUNCTION,
				arena_printf(k->arena, "%s(", f->name),
				arena_printf(k->arena, "%s (%s)",
					f->klass == CLASS_AGG ? "aggregation"
						: f->result   ? f->result
							      : "void",
					f->params),
				f->help);
}

/* The words that begin a statement or an operand. */
static void offer_keywords(struct completing *k)
{
	static const char *const words[] = {"break", "continue", "else", "for", "foreach", "if",
		"offsetof", "return", "self->", "sizeof", "stringof", "this->", "while", "xlate"};
	static const char *const outer[] = {
		"extern", "inline", "provider", "self", "struct", "this", "translator", "typedef"};
	bool in_clause = k->place.specs || k->place.body;

	for (size_t i = 0; in_clause && i < sizeof(words) / sizeof(words[0]); i++)
		complete_offer(k, DTRACE_COMPLETION_KEYWORD, words[i], "", "");
	for (size_t i = 0; !in_clause && i < sizeof(outer) / sizeof(outer[0]); i++)
		complete_offer(k, DTRACE_COMPLETION_KEYWORD, outer[i], "", "");
}

/*
 * There are thousands of constants: those are offered that begin with what was typed.  Names that
 * begin with '_' are the libraries' own.
 */
static void on_name(void *arg, enum sema_name_kind kind, const char *name, const struct type *type)
{
	struct completing *k = arg;

	if ((kind == SEMA_CONSTANT && !*k->prefix) || (*name == '_' && *k->prefix != '_'))
		return;
	if (kind == SEMA_FUNCTION)
		name = arena_printf(k->arena, "%s(", name);
	complete_offer(k,
		kind == SEMA_FUNCTION		? DTRACE_COMPLETION_FUNCTION
			: kind == SEMA_CONSTANT ? DTRACE_COMPLETION_CONSTANT
						: DTRACE_COMPLETION_VARIABLE,
		name, spelled(k, type), "");
}

/* ---- args[N] ---- */

static void offer_arguments(struct completing *k)
{
	const struct sema_clause *c = complete_check_clause_before(k);
	struct probe_args args;
	const struct probe *p;

	if (!c || !c->probes.len)
		return;
	p = c->probes.data[0];
	args = c->args;
	probe_describe_types(registry_env(k->c->registry), p, &args);
	for (uint32_t i = 0; i < args.nargs; i++)
		complete_offer(k, DTRACE_COMPLETION_BUILTIN, arena_printf(k->arena, "%u]", i),
			args.xtypes[i]		 ? args.xtypes[i]
				: args.dtypes[i] ? args.dtypes[i]
						 : spelled(k, args.types[i]),
			"");
}

void complete_expression(struct completing *k)
{
	const struct token *t = k->place.tokens.data;
	uint32_t n = k->place.tokens.len;
	enum token_kind last = n ? t[n - 1].kind : TOK_EOF;
	enum token_kind before = n > 1 ? t[n - 2].kind : TOK_EOF;

	if (last == TOK_ARROW && (before == TOK_SELF || before == TOK_THIS)) {
		complete_check_before(k);
		offer_variables(k, before == TOK_SELF ? SCOPE_SELF : SCOPE_THIS);
	} else if (last == TOK_ARROW || last == TOK_DOT) {
		complete_member(k, n - 1, last);
	} else if (last == TOK_LBRACKET && before == TOK_IDENT && !strcmp(t[n - 2].str, "args")) {
		offer_arguments(k);
	} else if (k->place.word.kind == TOK_AGGNAME) {
		complete_check_before(k);
		offer_aggregations(k);
	} else if (last == TOK_STRUCT || last == TOK_UNION || last == TOK_ENUM) {
		offer_tags(k, last);
	} else if (!isdigit((unsigned char)*k->prefix)) {
		complete_check_before(k);
		sema_libraries(k->c->sema);
		offer_builtins(k);
		offer_keywords(k);
		offer_variables(k, SCOPE_GLOBAL);
		sema_each_name(k->c->sema, on_name, k);
		if (!*k->prefix)
			offer_aggregations(k);
	}
}
