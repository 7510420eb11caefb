// SPDX-License-Identifier: Apache-2.0
/*
 * Applies #pragma D attributes and binding.  They may precede the names that they are about, so
 * they are kept until the program's end.
 */
#include "base/arena.h"
#include "base/diag.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "lang/ast.h"
#include "probe/stability.h"
#include "sema/names.h"
#include "sema/sema_int.h"

#include <string.h>

#define MAX_WORDS 5

static uint32_t split(struct sema *s, const char *text, const char **words)
{
	char *copy = arena_strdup(s->arena, text), *save = NULL;
	uint32_t n = 0;

	for (char *w = strtok_r(copy, " \t", &save); w; w = strtok_r(NULL, " \t", &save)) {
		if (n == MAX_WORDS)
			return n + 1;
		words[n++] = w;
	}
	return n;
}

static struct named_attrs *remember(struct sema *s, const char *name, struct loc loc)
{
	struct named_attrs *a = strmap_get(&s->pragmas, name);

	if (a)
		return a;
	a = arena_new_obj(s->arena, struct named_attrs);
	a->name = name;
	a->loc = loc;
	a->src = loc.src;
	strmap_put(s->arena, &s->pragmas, name, a);
	vec_push(s->arena, &s->pragma_list, a);
	return a;
}

/* attributes N/D/C provider P part */
static bool provider_attributes(
	struct sema *s, struct loc loc, const char *const *words, struct attributes attrs)
{
	static const char *const parts[] = {"provider", "module", "function", "name", "args"};

	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct provider_attrs p = {words[2], i, loc, attrs};

		if (strcmp(words[3], parts[i]))
			continue;
		vec_push(s->arena, &s->provider_pragmas, p);
		return true;
	}
	return sema_error(s, loc, "D_PRAGMA_MALFORM",
		"malformed #pragma attributes provider <provider> provider|module|function|name|args");
}

static bool attributes(struct sema *s, struct loc loc, const char *text)
{
	const char *words[MAX_WORDS];
	uint32_t n = split(s, text, words);
	struct attributes attrs;
	struct named_attrs *a;

	if (n != 2 && !(n == 4 && !strcmp(words[1], "provider")))
		return sema_error(s, loc, "D_PRAGMA_MALFORM",
			"malformed #pragma attributes <attributes> <identifier>");
	if (!attributes_parse(words[0], &attrs))
		return sema_error(s, loc, "D_PRAGMA_INVAL",
			"invalid attributes specified by #pragma attributes: %s", words[0]);
	if (n == 4)
		return provider_attributes(s, loc, words, attrs);
	a = remember(s, words[1], loc);
	a->attrs = attrs;
	a->has_attrs = true;
	return true;
}

static bool binding(struct sema *s, struct loc loc, const char *text)
{
	const char *words[MAX_WORDS];
	char *version;
	int64_t v;

	if (split(s, text, words) != 2 || words[0][0] != '"' || strlen(words[0]) < 3 ||
		words[0][strlen(words[0]) - 1] != '"')
		return sema_error(s, loc, "D_PRAGMA_MALFORM",
			"malformed #pragma binding \"version\" <identifier>");
	version = arena_strndup(s->arena, words[0] + 1, strlen(words[0]) - 2);
	v = dversion_parse(version);
	if (v < 0)
		return sema_error(s, loc, "D_PRAGMA_INVAL",
			"invalid version string specified by #pragma binding: %s", version);
	if (!strcmp(words[1], "translator"))
		vec_push(s->arena, &s->bindings,
			((struct translator_binding){loc, (uint32_t)v, false}));
	else
		remember(s, words[1], loc)->version = (uint32_t)v;
	return true;
}

bool sema_pragma(struct sema *s, struct loc loc, const char *word, const char *text)
{
	return !strcmp(word, "attributes") ? attributes(s, loc, text) : binding(s, loc, text);
}

uint32_t sema_bind_translator(struct sema *s, struct loc loc)
{
	uint32_t version = 0;

	vec_for (b, &s->bindings) {
		if (b->used || b->loc.src != loc.src || b->loc.line > loc.line)
			continue;
		b->used = true;
		version = b->version;
	}
	return version;
}

static bool resolve_bindings(struct sema *s, const struct source *src)
{
	bool ok = true;

	vec_for (b, &s->bindings) {
		if (b->used || b->loc.src != src)
			continue;
		b->used = true;
		ok = sema_error(
			s, b->loc, "D_PRAGMA_UNUSED", "#pragma binding: no translator follows");
	}
	return ok;
}

/* True if NAME is something that this program defines, or can only be a mistake. */
static bool resolve_name(struct sema *s, struct named_attrs *a)
{
	if (strmap_get(&s->inlines, a->name) || strmap_get(&s->functions, a->name) ||
		strmap_get(&s->names[SCOPE_GLOBAL], a->name))
		return true;
	if (builtin_find(a->name) || function_find(a->name))
		return sema_error(s, a->loc, "D_PRAGMA_SCOPE",
			"#pragma cannot modify '%s': it is not defined by this program", a->name);
	return sema_error(s, a->loc, "D_PRAGMA_UNUSED", "#pragma %s: unknown identifier '%s'",
		a->has_attrs ? "attributes" : "binding", a->name);
}

static bool resolve_providers(struct sema *s)
{
	bool ok = true;

	for (uint32_t i = 0; i < s->provider_pragmas.len; i++) {
		const struct provider_attrs *a = &s->provider_pragmas.data[i];
		struct declared_provider *p = strmap_get(&s->providers, a->provider);

		if (p)
			p->attrs[a->part] = a->attrs;
		else
			ok = sema_error(s, a->loc, "D_PRAGMA_SCOPE",
				"#pragma attributes cannot modify provider '%s': it is not declared by this program",
				a->provider);
	}
	s->provider_pragmas.len = 0;
	return ok;
}

bool sema_resolve_pragmas(struct sema *s, const struct source *src)
{
	bool ok = resolve_providers(s);

	ok &= resolve_bindings(s, src);
	for (uint32_t i = 0; i < s->pragma_list.len; i++) {
		struct named_attrs *a = s->pragma_list.data[i];

		if (a->src != src || a->resolved)
			continue;
		a->resolved = true;
		ok &= resolve_name(s, a);
	}
	return ok;
}

const struct named_attrs *sema_named_attrs(struct sema *s, const char *name)
{
	return strmap_get(&s->pragmas, name);
}

bool sema_use_named(struct sema *s, struct loc loc, const char *name)
{
	const struct named_attrs *a = sema_named_attrs(s, name);

	if (a && a->version && s->cfg->version && a->version > s->cfg->version)
		return sema_error(s, loc, "D_IDENT_UNDEF",
			"failed to resolve %s: Unknown variable name", name);
	return !a || !a->has_attrs || sema_use_attrs(s, loc, name, a->attrs);
}
