// SPDX-License-Identifier: Apache-2.0
/* Checks whole programs, item by item, and keeps the names of the session. */
#include "base/arena.h"
#include "base/diag.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "probe/stability.h"
#include "sema/names.h"
#include "sema/recover.h"
#include "sema/sema.h"
#include "sema/sema_int.h"
#include "sema/typed.h"
#include "types/types.h"

#include <string.h>

struct sema *sema_new(struct arena *a, struct types *types, struct registry *registry)
{
	struct sema *s = arena_new_obj(a, struct sema);

	s->arena = a;
	s->types = types;
	s->registry = registry;
	return s;
}

void sema_prepare(struct sema *s, const struct sema_config *cfg, struct diags *diags)
{
	struct sema_config *own = arena_new_obj(s->arena, struct sema_config);

	*own = *cfg;
	s->cfg = own;
	s->diags = diags;
}

bool sema_error(struct sema *s, struct loc loc, const char *tag, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_vadd(s->diags, tag, loc, fmt, ap);
	va_end(ap);
	s->lost.consequence = false;
	s->undefined = !strcmp(tag, "D_IDENT_UNDEF") || !strcmp(tag, "D_VAR_UNDEF");
	return false;
}

bool sema_is_type(struct sema *s, const char *name)
{
	size_t n;

	const char *mark = strchr(name, '`');
	bool unknown = false;

	if (mark && mark - name == 1 && (*name == 'D' || *name == 'C') &&
		strmap_get(&s->typedefs, mark + 1))
		return true;
	if (mark) /* module`type */
		return types_lookup_in(s->types,
			       arena_strndup(s->arena, name, (size_t)(mark - name)), SPACE_ORDINARY,
			       mark + 1, &unknown) != NULL;
	if (builtin_find(name) || function_find(name) ||
		strmap_get(&s->names[SCOPE_GLOBAL], name) || strmap_get(&s->inlines, name))
		return false;
	if (strmap_get(&s->typedefs, name) || types_lookup(s->types, SPACE_ORDINARY, name))
		return true;
	/* types of the libraries are called so; other words do not make them load */
	n = strlen(name);
	return n > 2 && !strcmp(name + n - 2, "_t") && s->cfg && !s->libraries_loaded &&
		sema_from_library(s, name) && strmap_get(&s->typedefs, name);
}

const struct sema_session *sema_session(struct sema *s)
{
	return &s->session;
}

void sema_each_name(struct sema *s,
	void (*visit)(
		void *arg, enum sema_name_kind kind, const char *name, const struct type *type),
	void *arg)
{
	vec_for (e, &s->inlines.entries) {
		const struct inline_def *in = e->value;

		if (in)
			visit(arg, in->constant || in->enumerator ? SEMA_CONSTANT : SEMA_INLINE,
				e->key, in->type);
	}
	vec_for (e, &s->functions.entries)
		if (e->value)
			visit(arg, SEMA_FUNCTION, e->key,
				((const struct user_function *)e->value)->result);
}

static bool check_item(
	struct sema *s, struct program *prog, struct item *it, struct sema_program *out)
{
	switch (it->kind) {
	case ITEM_CLAUSE:
		if (s->cfg->is_library)
			return sema_error(
				s, it->loc, "D_SYNTAX", "probe clauses may not be in a D library");
		return sema_clause(s, prog, it->clause, out);
	case ITEM_DECL:
		return sema_declaration(s, it->decl);
	case ITEM_INLINE:
		return sema_inline(s, it);
	case ITEM_FUNCTION:
		return sema_function(s, it);
	case ITEM_TRANSLATOR:
		return sema_translator(s, it->translator, it->loc);
	case ITEM_PROVIDER:
		return sema_provider(s, it->provider, it->loc, out);
	}
	return false;
}

void sema_leave(struct sema *s, const struct sema *clean)
{
	s->scope = clean->scope;
	s->func = clean->func;
	s->result = clean->result;
	s->no_actions = clean->no_actions;
	s->loops = clean->loops;
	s->loop_depth = clean->loop_depth;
	s->clause = clean->clause;
	s->depth = clean->depth;
	s->expanding = clean->expanding;
	s->compound = clean->compound;
	s->diags->region = REGION_NONE;
}

/*
 * True if an item of a library has a name that the program, or an item before, gave to something:
 * libraries load late, and a program's own names stand for what it says.
 */
static bool defined_already(struct sema *s, const struct item *it)
{
	const char *name;

	if (!s->cfg->is_library || !it->decl || !it->decl->names.len)
		return false;
	name = it->decl->names.data[0]->name;
	return name &&
		(strmap_get(&s->names[SCOPE_GLOBAL], name) || strmap_get(&s->inlines, name) ||
			strmap_get(&s->functions, name) || strmap_get(&s->typedefs, name));
}

static const char *left_out_key(struct sema *s, const char *name, const char *member)
{
	return member ? arena_printf(s->arena, "%s.%s", name, member) : name;
}

void sema_leave_out(struct sema *s, const char *name, const char *member)
{
	const char *key = left_out_key(s, name, member), *why;

	if (!s->cfg->is_library || !s->diags->list.len || strmap_get(&s->left_out, key))
		return;
	why = vec_last(&s->diags->list).text;
	strmap_put(
		s->arena, &s->left_out, arena_strdup(s->arena, key), arena_strdup(s->arena, why));
}

const char *sema_left_out(struct sema *s, const char *name, const char *member)
{
	return strmap_get(&s->left_out, left_out_key(s, name, member));
}

/*
 * Checks all items and goes on after errors: each stands for itself, except for names that an item
 * with an error would have defined.
 */
static bool check_items(struct sema *s, struct program *prog, struct sema_program *out)
{
	const struct sema clean = *s;
	bool ok = true;

	s->lost = (struct recovery){0};
	for (uint32_t i = 0; i < prog->items.len; i++) {
		uint32_t errors = s->diags->list.len;

		if (defined_already(s, &prog->items.data[i]) ||
			check_item(s, prog, &prog->items.data[i], out))
			continue;
		if (s->cfg->lenient && prog->items.data[i].decl &&
			prog->items.data[i].decl->names.len &&
			prog->items.data[i].decl->names.data[0]->name)
			sema_leave_out(s, prog->items.data[i].decl->names.data[0]->name, NULL);
		if (s->cfg->lenient)
			s->diags->list.len = errors;
		if (!ok && recover_is_consequence(s))
			s->diags->list.len = errors;
		recover_from(s, &prog->items.data[i]);
		ok = s->cfg->lenient && ok;
		sema_leave(s, &clean);
	}
	return ok;
}

struct sema_program *sema_check(struct sema *s, struct program *prog, const struct sema_config *cfg,
	const struct lex_macros *macros, struct diags *diags)
{
	struct sema_program *out = arena_new_obj(s->arena, struct sema_program);
	struct attributes best = {STAB_STABLE, STAB_STABLE, CLASS_COMMON};
	struct loc end = {prog->src, 0, 0};

	s->cfg = cfg;
	s->diags = diags;
	s->attrs = best;
	out->src = prog->src;
	out->desc_attrs = best;
	if (!prog->items.len && !cfg->allow_empty && !cfg->is_library) {
		sema_error(s, end, "D_EMPTY", "empty D program translation unit");
		return NULL;
	}
	if (!check_items(s, prog, out) || !sema_resolve_pragmas(s, prog->src) ||
		(!cfg->is_library && !sema_keep_members(s)))
		return NULL;
	if (macros->argc && !macros->last_used && !cfg->argref && !cfg->is_library) {
		sema_error(s, end, "D_MACRO_UNUSED",
			"extraneous argument '%s' ($%d is not referenced)",
			macros->argv[macros->argc - 1], macros->argc);
		return NULL;
	}
	out->stmt_attrs = s->attrs;
	return out;
}

bool sema_in_version(const struct sema *s, const char *name)
{
	const struct function *f = function_find(name);
	const struct builtin *b = builtin_find(name);
	uint32_t since = f ? f->since : b ? b->since : 0;

	if (f && f->extension && (s->cfg->no_extensions || s->cfg->version) && !s->cfg->is_library)
		return false;
	return !s->cfg->version || since <= s->cfg->version;
}

bool sema_from_library(struct sema *s, const char *name)
{
	struct sema keep = *s;
	enum diag_region region = s->diags->region;

	if (s->libraries_loaded || !s->cfg->libraries)
		return false;
	s->libraries_loaded = true;
	s->clause = NULL;
	s->scope = NULL;
	s->func = NULL;
	s->loops = s->loop_depth = 0;
	s->diags->region = REGION_NONE;
	s->cfg->libraries(s->cfg->arg);
	/* what the libraries defined stays; what was being checked goes on */
	s->cfg = keep.cfg;
	s->diags = keep.diags;
	s->diags->region = region;
	s->clause = keep.clause;
	s->attrs = keep.attrs;
	s->depth = keep.depth;
	s->scope = keep.scope;
	s->func = keep.func;
	s->loops = keep.loops;
	s->loop_depth = keep.loop_depth;
	s->compound = keep.compound;
	s->lost = keep.lost;
	return true;
}

void sema_libraries(struct sema *s)
{
	sema_from_library(s, "");
}

struct attributes attrs_min(struct attributes a, struct attributes b)
{
	return attributes_least(a, b);
}

bool sema_use_attrs(struct sema *s, struct loc loc, const char *what, struct attributes a)
{
	char text[64];

	s->attrs = attributes_least(s->attrs, a);
	return !s->cfg->has_amin || s->cfg->is_library || !attributes_below(a, s->cfg->amin) ||
		sema_error(s, loc, "D_ATTR_MIN",
			"attributes for %s (%s) are less than predefined minimum", what,
			attributes_text(a, text, sizeof(text)));
}
