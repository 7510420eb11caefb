// SPDX-License-Identifier: Apache-2.0
/* Adds hints to errors: similar names, missing declarations, foreign spellings. */
#include "sema/hint.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/strmap.h"
#include "base/suggest.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "probe/registry.h"
#include "sema/names.h"
#include "sema/recover.h"
#include "sema/sema_int.h"
#include "types/type.h"
#include "types/types.h"

bool hint_text(struct sema *s, const char *fmt, ...)
{
	va_list ap;

	if (!s->diags->hints)
		return false;
	va_start(ap, fmt);
	diag_hint(s->diags, "%s", arena_vprintf(s->arena, fmt, ap));
	va_end(ap);
	return false;
}

/* "did you mean 'PREFIXname'?" when something near was offered. */
static bool best_of(struct sema *s, const struct suggest *found, const char *prefix)
{
	const char *name = suggest_best(found);

	return name ? hint_text(s, "did you mean '%s%s'?", prefix, name) : false;
}

static void offer_keys(struct suggest *out, const struct strmap *m)
{
	for (uint32_t i = 0; i < m->entries.len; i++)
		suggest_offer(out, m->entries.data[i].key);
}

/* ---- names that other tracers have ---- */

struct foreign {
	const char *name, *ours;
};

static const struct foreign foreign_variables[] = {{"comm", "execname"}, {"curtask", "curthread"},
	{"func", "probefunc"}, {"kstack", "stack( )"}, {"nsecs", "timestamp"},
	{"probe", "probename"}, {"retval", "arg1"}};
static const struct foreign foreign_functions[] = {{"hist", "quantize( )"},
	{"kaddr", "a backquote before the name"}, {"kstack", "stack( )"}, {"ksym", "sym( )"},
	{"lhist", "lquantize( )"}, {"stats", "avg( ) and count( )"}, {"str", "copyinstr( )"},
	{"strftime", "printf( ) with %Y"}, {"time", "printf( ) with %Y"}, {"zero", "clear( )"}};

static const char *find_foreign(const struct foreign *f, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(f[i].name, name))
			return f[i].ours;
	return NULL;
}

#define FOREIGN(table, name) find_foreign(table, sizeof(table) / sizeof((table)[0]), name)

/* ---- variables ---- */

static const char *const prefixes[] = {
	[SCOPE_GLOBAL] = "", [SCOPE_SELF] = "self->", [SCOPE_THIS] = "this->"};

static void offer_variables(struct sema *s, struct suggest *out, enum var_scope scope)
{
	const struct strmap *m = &s->names[scope];

	for (uint32_t i = 0; i < m->entries.len; i++) {
		const struct variable *v = m->entries.data[i].value;

		if (!v->hidden)
			suggest_offer(out, v->name);
	}
	if (scope != SCOPE_GLOBAL)
		return;
	offer_keys(out, &s->inlines);
	for (const struct scope *k = s->scope; k; k = k->outer)
		suggest_offer(out, k->name);
	for (unsigned i = 0; i < BUILTIN_MAX; i++)
		if (builtin_at(i)->type)
			suggest_offer(out, builtin_at(i)->name);
}

/* A variable NAME of another scope; NULL = there is none. */
static const char *elsewhere(struct sema *s, const char *name, enum var_scope not_in)
{
	for (int scope = SCOPE_GLOBAL; scope <= SCOPE_THIS; scope++)
		if (scope != (int)not_in && strmap_get(&s->names[scope], name))
			return prefixes[scope];
	if (strmap_get(&s->aggs, name))
		return "@";
	if (not_in != SCOPE_GLOBAL && builtin_find(name))
		return "";
	return NULL;
}

static bool is_kernel_variable(struct sema *s, const char *name)
{
	uint64_t addr, size;
	bool is_func = false;

	return s->cfg->symbol && s->cfg->symbol(s->cfg->arg, "", name, &addr, &size, &is_func) &&
		!is_func;
}

bool hint_variable(struct sema *s, const struct expr *e)
{
	const char *prefix = prefixes[e->scope], *other;
	struct suggest near;

	recover_name(s, prefix, e->name);
	if (!s->diags->hints)
		return false;
	other = elsewhere(s, e->name, e->scope);
	if (other)
		return hint_text(s, "did you mean '%s%s'?", other, e->name);
	if (e->scope == SCOPE_GLOBAL &&
		(function_find(e->name) || strmap_get(&s->functions, e->name)))
		return hint_text(s, "%s( ) is a function", e->name);
	other = FOREIGN(foreign_variables, e->name);
	if (other && e->scope == SCOPE_GLOBAL)
		return hint_text(s, "use %s", other);
	suggest_begin(&near, e->name);
	offer_variables(s, &near, e->scope);
	if (suggest_best(&near))
		return best_of(s, &near, prefix);
	if (e->scope == SCOPE_GLOBAL && is_kernel_variable(s, e->name))
		return hint_text(s, "did you mean the kernel's `%s?", e->name);
	return false;
}

bool hint_aggregation(struct sema *s, const char *name)
{
	struct suggest near;

	recover_name(s, "@", name);
	if (!s->diags->hints)
		return false;
	suggest_begin(&near, name);
	offer_keys(&near, &s->aggs);
	return best_of(s, &near, "@");
}

bool hint_function(struct sema *s, const char *name)
{
	const char *other = FOREIGN(foreign_functions, name);
	struct suggest near;

	recover_name(s, "", name);
	if (!s->diags->hints)
		return false;
	if (other)
		return hint_text(s, "use %s", other);
	suggest_begin(&near, name);
	offer_keys(&near, &s->functions);
	for (unsigned i = 0; i < FUNC_MAX; i++) {
		const struct function *f = function_at(i);

		if (f->klass != CLASS_LATER && sema_in_version(s, f->name))
			suggest_offer(&near, f->name);
	}
	return best_of(s, &near, "");
}

/* ---- types ---- */

static void offer(void *arg, const char *name)
{
	suggest_offer(arg, name);
}

bool hint_member(struct sema *s, const struct type *t, const char *name)
{
	struct suggest near;

	if (!s->diags->hints)
		return false;
	suggest_begin(&near, name);
	type_each_member(t, offer, &near);
	return best_of(s, &near, "");
}

static bool is_record(const struct type *t)
{
	t = type_resolve(t);
	return t->kind == TYPE_STRUCT || t->kind == TYPE_UNION || t->kind == TYPE_FWD;
}

bool hint_access(struct sema *s, enum token_kind op, const struct type *t)
{
	t = type_resolve(t);
	if (op == TOK_ARROW && is_record(t))
		return hint_text(s, "did you mean '.'?");
	if (op != TOK_ARROW && t->kind == TYPE_PTR && is_record(t->ref))
		return hint_text(s, "did you mean '->'?");
	return false;
}

bool hint_type(struct sema *s, enum type_space space, const char *name)
{
	static const struct {
		enum type_space space;
		const char *prefix;
	} others[] = {{SPACE_STRUCT, "struct "}, {SPACE_UNION, "union "}, {SPACE_ENUM, "enum "},
		{SPACE_ORDINARY, ""}};
	struct suggest near;

	if (!s->diags->hints)
		return false;
	for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (others[i].space != space && types_lookup(s->types, others[i].space, name))
			return hint_text(s, "did you mean %s%s?", others[i].prefix, name);
	suggest_begin(&near, name);
	if (space == SPACE_ORDINARY)
		offer_keys(&near, &s->typedefs);
	return best_of(s, &near, "");
}

/* ---- probes ---- */

bool hint_probe(struct sema *s, const struct probe_pattern *pat)
{
	const char *near;

	if (!s->diags->hints)
		return false;
	near = registry_suggest(s->registry, pat, s->arena);
	return near ? hint_text(s, "did you mean %s?", near) : false;
}
