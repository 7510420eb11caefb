// SPDX-License-Identifier: Apache-2.0
/*
 * Finds what a probe description that matched nothing may have meant: the nearest probe, part by
 * part, or its parts in other places.
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/suggest.h"
#include "probe/glob.h"
#include "probe/probe.h"
#include "probe/provider.h"
#include "probe/registry.h"

/* If no provider is named, only providers with few probes are searched. */
#define FEW_SLOTS 4096

enum { PROV, MOD, FUNC, NAME, NPARTS };

/* A description by its parts, as it is written. */
struct parts {
	const char *text[NPARTS];
};

static struct parts pattern_parts(const struct probe_pattern *p)
{
	return (struct parts){{p->prov, p->mod, p->func, p->name}};
}

static struct probe_pattern parts_pattern(const struct parts *p)
{
	return (struct probe_pattern){p->text[PROV], p->text[MOD], p->text[FUNC], p->text[NAME]};
}

/* ---- the nearest probe ---- */

struct search {
	const struct parts *wanted;
	uint32_t distance;
	struct parts best; /* parts of the wanted one where they match */
	bool found;
};

/* Returns the distance of WANTED from TEXT, 0 where it matches; a pattern is right or wrong. */
static uint32_t part_distance(const char *wanted, const char *text)
{
	uint32_t n;

	if (glob_match(wanted, text))
		return 0;
	if (glob_is_pattern(wanted))
		return SUGGEST_FAR;
	n = suggest_distance(wanted, text);
	/* what differs in case only is near, but not the same */
	return n == SUGGEST_FAR ? n : 2 * n + 1;
}

static int compare_parts(const struct parts *a, const struct parts *b)
{
	for (int i = 0; i < NPARTS; i++) {
		int c = strcmp(a->text[i], b->text[i]);

		if (c)
			return c;
	}
	return 0;
}

static void try_probe(void *arg, const struct probe *p)
{
	struct search *s = arg;
	const struct parts there = {{p->prov, p->mod, p->func, p->name}};
	struct parts fixed;
	uint32_t total = 0;

	for (int i = 0; i < NPARTS; i++) {
		uint32_t n = part_distance(s->wanted->text[i], there.text[i]);

		if (n == SUGGEST_FAR)
			return;
		fixed.text[i] = n ? there.text[i] : s->wanted->text[i];
		total += n;
	}
	if (s->found &&
		(total > s->distance ||
			(total == s->distance && compare_parts(&fixed, &s->best) >= 0)))
		return;
	s->found = true;
	s->distance = total;
	s->best = fixed;
}

/* Returns the description of W's best correction: the part that differs alone, or all of it. */
static const char *correction(struct arena *a, const struct parts *w, const struct parts *fixed)
{
	int changed = 0, last = 0;

	for (int i = 0; i < NPARTS; i++) {
		if (strcmp(w->text[i], fixed->text[i])) {
			changed++;
			last = i;
		}
	}
	if (changed == 1)
		return fixed->text[last];
	return arena_printf(a, "%s:%s:%s:%s", fixed->text[PROV], fixed->text[MOD],
		fixed->text[FUNC], fixed->text[NAME]);
}

/* Look at the probes of provider PROV, first at those called as is wanted: they may be far fewer.
 */
static bool search_provider(struct registry *r, struct search *s, const char *prov)
{
	const struct probe_pattern some = {prov, "", "", s->wanted->text[NAME]};
	const struct probe_pattern all = {prov, "", "", ""};

	registry_match(r, &some, try_probe, s);
	if (!s->found)
		registry_match(r, &all, try_probe, s);
	return s->found;
}

static bool search_few(struct registry *r, struct search *s)
{
	const struct provider *p;

	for (uint32_t i = 0; (p = registry_provider(r, i)); i++) {
		const struct probe_pattern all = {p->name, "", "", ""};

		if (p->max_slots <= FEW_SLOTS && glob_match(s->wanted->text[PROV], p->name))
			registry_match(r, &all, try_probe, s);
	}
	return s->found;
}

/* Returns the provider called NAME, or the nearest; NULL = none is near. */
static const char *nearest_provider(struct registry *r, const char *name)
{
	const struct provider *p;
	struct suggest s;

	suggest_begin(&s, name);
	for (uint32_t i = 0; (p = registry_provider(r, i)); i++) {
		if (!strcmp(p->name, name))
			return name;
		suggest_offer(&s, p->name);
	}
	return suggest_best(&s);
}

/* ---- names with a number ---- */

struct stems {
	struct arena *arena;
	struct suggest suggest;
};

/* Returns the length of NAME before "-" and a digit; 0 = there is none. */
static size_t stem_len(const char *name)
{
	const char *dash = strrchr(name, '-');

	return dash && isdigit((unsigned char)dash[1]) ? (size_t)(dash - name) : 0;
}

static void try_stem(void *arg, const struct probe *p)
{
	struct stems *s = arg;
	size_t len = stem_len(p->name);

	if (len)
		suggest_offer(&s->suggest, arena_strndup(s->arena, p->name, len));
}

/* Probes that exist by being named: the nearest word before the number that was given. */
static const char *other_stem(struct registry *r, struct arena *a, const struct parts *w)
{
	struct stems s = {.arena = a};
	const struct provider *p;
	struct parts fixed = *w;
	struct probe_pattern pat;
	size_t len = glob_is_pattern(w->text[NAME]) ? 0 : stem_len(w->text[NAME]);

	if (!len)
		return NULL;
	suggest_begin(&s.suggest, arena_strndup(a, w->text[NAME], len));
	for (uint32_t i = 0; (p = registry_provider(r, i)); i++) {
		const struct probe_pattern all = {p->name, "", "", ""};

		if (p->max_slots <= FEW_SLOTS && glob_match(w->text[PROV], p->name))
			registry_match(r, &all, try_stem, &s);
	}
	if (!suggest_best(&s.suggest))
		return NULL;
	fixed.text[NAME] = arena_printf(a, "%s%s", suggest_best(&s.suggest), w->text[NAME] + len);
	pat = parts_pattern(&fixed);
	return registry_match(r, &pat, NULL, NULL) > 0 ? fixed.text[NAME] : NULL;
}

/* ---- parts in other places ---- */

/* "syscall:open:entry" for "syscall::open:entry", "open" for "::open:". */
static const char *other_places(struct registry *r, struct arena *a, const struct parts *w)
{
	static const uint8_t places[][3] = {{PROV, FUNC, NAME}, {PROV, FUNC}, {PROV, NAME},
		{FUNC, NAME}, {PROV}, {FUNC}, {NAME}};
	static const uint8_t counts[] = {3, 2, 2, 2, 1, 1, 1};
	const char *given[NPARTS];
	int n = 0;

	for (int i = 0; i < NPARTS; i++)
		if (*w->text[i])
			given[n++] = w->text[i];
	for (unsigned i = 0; i < sizeof(counts); i++) {
		struct parts moved = {{"", "", "", ""}};
		struct probe_pattern pat;

		if (counts[i] != n)
			continue;
		for (int k = 0; k < n; k++)
			moved.text[places[i][k]] = given[k];
		pat = parts_pattern(&moved);
		if (registry_match(r, &pat, NULL, NULL) > 0)
			return arena_printf(
				a, "%s:%s:%s:%s", pat.prov, pat.mod, pat.func, pat.name);
	}
	return NULL;
}

const char *registry_suggest(struct registry *r, const struct probe_pattern *pat, struct arena *a)
{
	const struct parts wanted = pattern_parts(pat);
	struct search s = {.wanted = &wanted};
	const char *prov = NULL, *other = other_stem(r, a, &wanted);
	bool found;

	if (other)
		return other;
	if (glob_is_pattern(pat->prov)) {
		found = search_few(r, &s);
	} else {
		prov = nearest_provider(r, pat->prov);
		if (!prov && registry_late(r, pat)) /* a process's: pid1234 */
			prov = pat->prov;
		found = prov && search_provider(r, &s, prov);
	}
	if (found)
		return correction(a, &wanted, &s.best);
	other = other_places(r, a, &wanted);
	if (other)
		return other;
	return prov && strcmp(prov, pat->prov) ? prov : NULL;
}
