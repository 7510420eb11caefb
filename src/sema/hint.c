// SPDX-License-Identifier: Apache-2.0
/* Adds hints to errors: similar names, missing declarations, foreign spellings. */
#include "sema/hint.h"

#include <ctype.h>
#include <string.h>

#include "abi/flags.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/strmap.h"
#include "base/suggest.h"
#include "lang/ast.h"
#include "lang/lex.h"
#include "probe/probe.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "sema/foreign.h"
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
	other = foreign_variable(e->name);
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

bool hint_call(struct sema *s, const char *name)
{
	const struct function *f = function_find(name);

	return f && f->klass == CLASS_SYMBOL && *f->params == '[' ? hint_text(s, "use %s( )", name)
								  : false;
}

bool hint_function(struct sema *s, const char *name)
{
	const char *other = foreign_function(name);
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

bool hint_flags(struct sema *s, const char *name)
{
	const char *all = "";
	struct suggest near;

	if (!s->diags->hints)
		return false;
	suggest_begin(&near, name);
	for (unsigned i = 0; i < FLAGS_MAX; i++) {
		suggest_offer(&near, flag_set_name(i));
		all = arena_printf(s->arena, "%s%s%s", all, i ? ", " : "", flag_set_name(i));
	}
	if (suggest_best(&near))
		return hint_text(s, "did you mean '%s'? The sets are %s", suggest_best(&near), all);
	return hint_text(s, "the sets are %s", all);
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

/* True if PROV is a process's provider whose number is $target's without a target: "pid0". */
static bool lacks_target(const char *prov)
{
	size_t len = strlen(prov);

	return len > 1 && prov[len - 1] == '0' && !isdigit((unsigned char)prov[len - 2]);
}

/* What PAT's provider cannot do here, if it is the hardware's counters: their names tell nothing.
 */
static const char *lacking(struct sema *s, const struct probe_pattern *pat)
{
	const struct provider *p;

	for (uint32_t i = 0; (p = registry_provider(s->registry, i)); i++)
		if (p->needs_hardware && !strcmp(p->name, pat->prov))
			return provider_diagnose(p, registry_env(s->registry), pat).degraded;
	return NULL;
}

/* Why no probe of the provider that PAT names, or may mean, has such a name; NULL: not known. */
static const char *refused(struct sema *s, const struct probe_pattern *pat)
{
	const char *why = NULL;
	const struct provider *p;

	for (uint32_t i = 0; !why && (p = registry_provider(s->registry, i)); i++)
		if (p->refuses && (!*pat->prov || !strcmp(p->name, pat->prov)))
			why = p->refuses(pat);
	return why;
}

/* True if PROV is that of processes, without the number of one: "pid". */
static bool lacks_number(struct sema *s, const char *prov)
{
	const struct provider *p;

	for (uint32_t i = 0; (p = registry_provider(s->registry, i)); i++)
		if (p->user && !strcmp(p->name, prov))
			return true;
	return false;
}

#define QUOTES "in double quotes the shell replaces $target: put the program in single quotes"

/* The words of PAT as they are written: "kprobe:vfs_read" for "::kprobe:vfs_read". */
static const char *written(struct sema *s, const struct probe_pattern *pat)
{
	const char *text =
		arena_printf(s->arena, "%s:%s:%s:%s", pat->prov, pat->mod, pat->func, pat->name);

	return text + strspn(text, ":");
}

bool hint_provider(struct sema *s, const char *prov)
{
	const char *ours = foreign_provider(prov);

	return ours ? hint_text(s, "use %s", ours) : false;
}

bool hint_probe(struct sema *s, const struct probe_pattern *pat)
{
	const char *near, *lack;

	if (!s->diags->hints)
		return false;
	if (lacks_target(pat->prov))
		return hint_text(s, "$target is 0: start a process with -c, or name one with -p");
	if (lacks_number(s, pat->prov))
		return hint_text(
			s, "name a process: %s$target, or %s123; " QUOTES, pat->prov, pat->prov);
	near = foreign_probe(s->arena, written(s, pat));
	if (near)
		return hint_text(s, "use %s", near);
	near = refused(s, pat);
	if (near)
		return hint_text(s, "%s", near);
	lack = lacking(s, pat);
	near = registry_suggest(s->registry, pat, s->arena);
	if (near && lack)
		return hint_text(s, "did you mean %s? (%s)", near, lack);
	if (near)
		return hint_text(s, "did you mean %s?", near);
	return lack ? hint_text(s, "%s", lack) : false;
}

bool hint_assigned(struct sema *s, enum token_kind op)
{
	return op == TOK_ASSIGN ? hint_text(s, "did you mean '=='?") : false;
}

/* Returns the value of character constant E as text, or NULL. */
static const char *character_text(struct sema *s, const struct expr *e)
{
	while (e->kind == EXPR_CAST && !e->text)
		e = e->a;
	return e->kind == EXPR_INT && e->text && *e->text == '\'' && e->text_len > 2
		? arena_strndup(s->arena, e->text + 1, e->text_len - 2)
		: NULL;
}

bool hint_compared(struct sema *s, const struct expr *a, const struct expr *b)
{
	const char *text = NULL;

	if (type_resolve(a->type)->kind == TYPE_STRING)
		text = character_text(s, b);
	else if (type_resolve(b->type)->kind == TYPE_STRING)
		text = character_text(s, a);
	return text ? hint_text(s, "a string has double quotes: \"%s\"", text) : false;
}

/* True if an operand of a comparison in LINE is missing: what the shell took away. */
static bool lacks_operand(const char *line)
{
	for (const char *p = line; (p = strpbrk(p, "=!<>")); p++) {
		if (p[1] != '=')
			continue;
		p += 2;
		p += strspn(p, " \t");
		if (strchr("/)|", *p) || (*p == '&' && p[1] == '&'))
			return true;
		p--;
	}
	return false;
}

const char *hint_syntax(struct arena *a, const char *line)
{
	const char *ours = line ? foreign_probe(a, line) : NULL;

	if (line && !ours && lacks_operand(line))
		return "nothing is compared: " QUOTES;
	return ours ? arena_printf(a, "use %s", ours) : NULL;
}
