// SPDX-License-Identifier: Apache-2.0
/*
 * Completes probe descriptions, one part at a time.  Providers are asked for what the parts so far
 * match, and for nothing else.
 */
#include <string.h>

#include "base/arena.h"
#include "base/strmap.h"
#include "compile/compiling.h"
#include "help/complete_private.h"
#include "probe/args.h"
#include "probe/glob.h"
#include "probe/probe.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "probe/user_provider.h"
#include "types/type.h"

enum { PROV, MOD, FUNC, NAME, NPARTS };

/* The arguments of this many probes are looked up. */
#define DESCRIBED_MOST 64

struct parts {
	struct completing *k;
	const char *text[NPARTS];
	int last; /* the part that is completed */
	struct strmap seen;
};

static const char *part_of(const struct probe *p, int part)
{
	const char *const parts[] = {p->prov, p->mod, p->func, p->name};

	return parts[part];
}

/* Returns the types of P's arguments, "int, const char *". */
static const char *arguments(struct completing *k, const struct probe *p)
{
	struct provider_env *env = registry_env(k->c->registry);
	struct probe_args args = {0};
	const char *text = "";
	char buf[128];

	if (p->provider->describe(env, p, &args) || probe_describe_types(env, p, &args))
		return "";
	for (uint32_t i = 0; i < args.nargs; i++)
		text = arena_printf(k->arena, "%s%s%s", text, i ? ", " : "",
			args.xtypes[i]		 ? args.xtypes[i]
				: args.dtypes[i] ? args.dtypes[i]
				: args.types[i]	 ? type_name(args.types[i], buf, sizeof(buf))
						 : "(unknown)");
	return text;
}

static void on_probe(void *arg, const struct probe *p)
{
	static const enum dtrace_completion_kind kinds[] = {DTRACE_COMPLETION_PROVIDER,
		DTRACE_COMPLETION_MODULE, DTRACE_COMPLETION_PROBEFUNC, DTRACE_COMPLETION_PROBE};
	static const char *const what[] = {"provider", "module", "function"};
	struct parts *s = arg;
	struct completing *k = s->k;
	const char *text = part_of(p, s->last);

	if (strmap_get(&s->seen, text))
		return;
	strmap_put(k->arena, &s->seen, text, k);
	if (s->last == NAME)
		complete_offer_matched(
			k, kinds[NAME], text, k->found.len < DESCRIBED_MOST ? arguments(k, p) : "");
	else if (*text)
		complete_offer_matched(
			k, kinds[s->last], arena_printf(k->arena, "%s:", text), what[s->last]);
}

static bool is_provider(struct registry *r, const char *pattern)
{
	const struct provider *p;

	for (uint32_t i = 0; (p = registry_provider(r, i)); i++)
		if (p->user ? *pattern && p->user->serves(pattern) : glob_match(pattern, p->name))
			return true;
	return false;
}

static void offer_providers(struct completing *k, const char *pattern)
{
	struct registry *r = k->c->registry;
	const struct provider *p;

	for (uint32_t i = 0; (p = registry_provider(r, i)); i++) {
		const char *name = !strcmp(p->name, "pid") ? "pid$target" : p->name;

		if ((p->user && name == p->name) || !glob_match(pattern, name) ||
			provider_diagnose(p, registry_env(r), NULL).missing)
			continue;
		complete_offer_matched(k, DTRACE_COMPLETION_PROVIDER,
			arena_printf(k->arena, "%s:", name), "provider");
	}
}

/* BEGIN, tick-1s: probes that are called by their names alone. */
static void offer_bare_names(struct parts *s, const char *pattern)
{
	const struct probe_pattern plain = {"dtrace", "", "", pattern};
	const struct probe_pattern timers = {"profile", "", "", pattern};

	s->last = NAME;
	registry_match(s->k->c->registry, &plain, on_probe, s);
	registry_match(s->k->c->registry, &timers, on_probe, s);
}

/* True if S is about functions of processes, which have a probe for each instruction as well. */
static bool has_instructions(const struct parts *s)
{
	const struct provider *p;

	for (uint32_t i = 0; (p = registry_provider(s->k->c->registry, i)); i++)
		if (p->user && !strcmp(p->name, "pid") && *s->text[PROV])
			return p->user->serves(s->text[PROV]);
	return false;
}

static void offer_parts(struct parts *s)
{
	struct probe_pattern pat = {s->text[PROV], s->text[MOD], s->text[FUNC], s->text[NAME]};
	bool any = s->last != NAME || !*s->k->prefix;

	if (s->last != NAME && !*s->k->prefix)
		complete_offer_matched(s->k,
			s->last == MOD ? DTRACE_COMPLETION_MODULE : DTRACE_COMPLETION_PROBEFUNC,
			":", s->last == MOD ? "any module" : "any function");
	if (any && has_instructions(s)) {
		if (s->last == NAME) {
			pat.name = "return";
			registry_match(s->k->c->registry, &pat, on_probe, s);
		}
		pat.name = "entry";
	}
	registry_match(s->k->c->registry, &pat, on_probe, s);
}

void complete_description(struct completing *k)
{
	struct parts s = {.k = k, .text = {"", "", "", ""}};
	char *text = arena_strdup(k->arena, k->place.word.len ? k->place.word.str : "");
	const char *last, *part[NPARTS];
	int n = 0, shift = 0;

	for (char *p = text; p && n < NPARTS; n++) {
		part[n] = p;
		p = strchr(p, ':');
		if (p)
			*p++ = '\0';
		if (p && n == NPARTS - 1)
			return; /* more colons than a description has */
	}
	last = n ? part[n - 1] : "";
	k->start += (unsigned)(strlen(k->prefix) - strlen(last));
	k->prefix = last;
	if (n > 1 && n < NPARTS && *part[0] && !is_provider(k->c->registry, part[0]))
		shift = NPARTS - n;
	for (int i = 0; i + 1 < n; i++)
		s.text[shift + i] = part[i];
	s.last = shift + n - 1;
	last = arena_printf(k->arena, "%s*", last);
	if (n == 1) {
		offer_providers(k, last);
		offer_usdt_providers(k, last);
		offer_bare_names(&s, last);
		return;
	}
	s.text[s.last] = last;
	offer_parts(&s);
	if (k->program)
		complete_offer_awaited_probes(k, s.text, s.last);
}
