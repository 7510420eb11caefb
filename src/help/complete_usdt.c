// SPDX-License-Identifier: Apache-2.0
/*
 * Completes USDT providers, whose names are known only from the files that processes map: those of
 * the targets or, if there is no target, of all processes.
 */
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/strmap.h"
#include "compile/compiling.h"
#include "help/complete_private.h"
#include "elf/needed.h"
#include "probe/glob.h"
#include "probe/provider_env.h"
#include "probe/registry.h"
#include "prov/scope.h"
#include "sym/process.h"
#include "target/target.h"
#include "usdt/notes_cache.h"

/* The search ends after this time: a user waits for it. */
#define SEARCH_MOST_NS 50000000LL

struct usdt_search {
	struct completing *k;
	struct provider_env *env;
	const char *pattern; /* of the provider */
	const char *ending;  /* of a name in addition to the process's number: "$target", "*" */
	pid_t pid;
	int64_t deadline;
	struct strmap seen; /* names that have been offered */
};

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void offer_provider(struct usdt_search *s, const char *name)
{
	struct arena *a = s->k->arena;

	if (!glob_match(s->pattern, name) || strmap_get(&s->seen, name))
		return;
	strmap_put(a, &s->seen, name, s);
	complete_offer_matched(
		s->k, DTRACE_COMPLETION_PROVIDER, arena_printf(a, "%s:", name), "USDT provider");
}

static int in_file(void *arg, const struct process_object *o)
{
	struct usdt_search *s = arg;
	struct arena *a = s->k->arena;
	const char *last = "";
	struct noted_site *sites;
	uint32_t n;

	if (now() > s->deadline)
		return 1;
	sites = notes_of(s->env->notes, s->pid, o, &n);
	for (uint32_t i = 0; i < n; i++) {
		const char *name = sites[i].note.provider;

		if (!strcmp(name, last))
			continue; /* most files have one provider */
		last = name;
		offer_provider(s, arena_printf(a, "%s%s", name, s->ending));
		offer_provider(s, arena_printf(a, "%s%d", name, (int)s->pid));
	}
	return 0;
}

static int in_process(void *arg, pid_t pid)
{
	struct usdt_search *s = arg;

	s->pid = pid;
	/* A process that has ended, or that may not be read, has none. */
	scope_files_of(s->env, pid, in_file, s);
	return now() > s->deadline;
}

/* ---- a program that does not run yet ---- */

struct awaited_search {
	struct usdt_search search;
	const char *const *text; /* patterns; NULL: providers are offered */
	int part;
};

/* Offers the part of probe P of a file that is asked for, if the other parts match. */
static void offer_part(struct awaited_search *w, const char *file, const struct noted_site *p)
{
	struct completing *k = w->search.k;
	/* $target is 0 while there is none */
	const char *provider = arena_printf(k->arena, "%s0", p->note.provider);
	const char *parts[] = {provider, file, p->func, p->note.name}, *text;
	static const enum dtrace_completion_kind kinds[] = {DTRACE_COMPLETION_PROVIDER,
		DTRACE_COMPLETION_MODULE, DTRACE_COMPLETION_PROBEFUNC, DTRACE_COMPLETION_PROBE};

	/* a part behind the one that is written is not there yet */
	for (int i = 0; i < 4; i++)
		if (*w->text[i] && !glob_match(w->text[i], parts[i]))
			return;
	text = parts[w->part];
	if (!*text || strmap_get(&w->search.seen, text))
		return;
	strmap_put(k->arena, &w->search.seen, text, w);
	complete_offer_matched(k, kinds[w->part],
		w->part == 3 ? text : arena_printf(k->arena, "%s:", text),
		w->part == 3	       ? "USDT probe"
			: w->part == 2 ? "function"
				       : "module");
}

/* needed_files()' */
static int in_awaited_file(void *arg, int fd, const char *path)
{
	struct awaited_search *w = arg;
	struct usdt_search *s = &w->search;
	struct process_object o;
	struct noted_site *sites;
	uint32_t n;

	if (now() > s->deadline)
		return 1;
	if (process_object_of_file(fd, arena_strdup(s->k->arena, path), &o))
		return 0;
	sites = notes_of(s->env->notes, 0, &o, &n);
	for (uint32_t i = 0; i < n; i++) {
		if (w->text)
			offer_part(w, arena_strdup(s->k->arena, o.name), &sites[i]);
		else
			offer_provider(
				s, arena_printf(s->k->arena, "%s$target", sites[i].note.provider));
	}
	return 0;
}

static void search_awaited(
	struct completing *k, const char *pattern, const char *const *text, int part)
{
	struct awaited_search w = {.search = {.k = k,
					   .env = registry_env(k->c->registry),
					   .pattern = pattern,
					   .deadline = now() + SEARCH_MOST_NS},
		.text = text,
		.part = part};

	if (w.search.env->notes && env_has_uprobes(w.search.env))
		needed_files(k->arena, k->program, in_awaited_file, &w);
}

void complete_offer_awaited_probes(struct completing *k, const char *const text[4], int part)
{
	search_awaited(k, "", text, part);
}

void offer_usdt_providers(struct completing *k, const char *pattern)
{
	struct provider_env *env = registry_env(k->c->registry);
	struct usdt_search s = {.k = k, .env = env, .pattern = pattern};
	unsigned ntargets = k->c->targets ? targets_count(k->c->targets) : 0;

	s.deadline = now() + SEARCH_MOST_NS;
	if (!env->notes || !env_has_uprobes(env))
		return;
	if (k->program) {
		search_awaited(k, pattern, NULL, 0);
		return;
	}
	s.ending = "$target";
	for (unsigned i = 0; i < ntargets; i++) {
		if (in_process(&s, targets_nth(k->c->targets, i)))
			return;
		s.ending = "*";
	}
	s.ending = "*";
	if (!ntargets && *k->prefix)
		scope_processes(env, in_process, &s);
}
