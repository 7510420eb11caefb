// SPDX-License-Identifier: Apache-2.0
/* Keeps the known probes, and asks the providers for those that a pattern may match. */
#include "probe/registry.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "base/strmap.h"
#include "probe/glob.h"
#include "probe/user_provider.h"

/* What is known of one provider. */
struct registered_provider {
	const struct provider *provider;
	struct probe **slots; /* by slot; allocated with the first slotted probe */
	struct strmap asked;  /* patterns that need not be asked again */
	struct strmap named;  /* probes without a slot, by full name */
	bool has_named;
};

struct registry {
	struct arena *arena;
	struct provider_env env;
	struct registered_provider *sources;
	uint32_t nsources;
	const char *const *later; /* names of providers that are not supported yet */
	VEC(struct probe *) probes;
	bool sorted; /* probes are in id order */
	uint32_t next_id;
};

/* A discover() in progress. */
struct asking {
	struct registry *r;
	struct registered_provider *s;
	int error;
	bool again; /* once more, of what may have changed */
};

struct registry *registry_new(struct arena *a, struct types *types,
	const struct provider *const *providers, const char *const *later)
{
	struct registry *r = arena_new_obj(a, struct registry);
	uint32_t n = 0;

	while (providers[n])
		n++;
	r->arena = r->env.arena = a;
	r->env.types = types;
	r->later = later;
	r->sources = arena_new_array(a, struct registered_provider, n);
	r->nsources = n;
	r->sorted = true;
	for (uint32_t i = 0; i < n; i++) {
		const struct provider *p = providers[i];

		r->sources[i].provider = p;
		if (p->first_id + p->max_slots > r->next_id)
			r->next_id = p->first_id + p->max_slots;
	}
	if (!r->next_id)
		r->next_id = 1; /* ids are positive */
	return r;
}

const struct provider *registry_provider(struct registry *r, uint32_t i)
{
	return i < r->nsources ? r->sources[i].provider : NULL;
}

struct provider_env *registry_env(struct registry *r)
{
	return &r->env;
}

static struct probe *probe_add(struct registry *r, const struct probe *what)
{
	struct probe *p = arena_new_obj(r->arena, struct probe);

	*p = *what;
	if (r->probes.len && vec_last(&r->probes)->id > p->id)
		r->sorted = false;
	vec_push(r->arena, &r->probes, p);
	return p;
}

static const char *full_name(
	struct arena *a, const char *prov, const char *mod, const char *func, const char *name)
{
	return arena_printf(a, "%s:%s:%s:%s", prov, mod, func, name);
}

/* probe_emit_fn */
static void on_probe(void *arg, int slot, const char *prov, const char *mod, const char *func,
	const char *name, uint64_t data)
{
	struct asking *k = arg;
	struct registry *r = k->r;
	struct registered_provider *s = k->s;
	const struct provider *provider = s->provider;
	struct probe p = {0, provider, prov, mod, func, name, data}, *known;
	const char *key;

	if (slot >= 0 && (uint32_t)slot >= provider->max_slots) {
		k->error = -ERANGE;
		return;
	}
	if (slot >= 0) {
		if (!s->slots)
			s->slots = arena_new_array(r->arena, struct probe *, provider->max_slots);
		if (s->slots[slot])
			return;
		/* it may be known already by its name alone */
		if (s->has_named &&
			strmap_get(&s->named, full_name(r->arena, prov, mod, func, name)))
			return;
		p.id = provider->first_id + (uint32_t)slot;
		s->slots[slot] = probe_add(r, &p);
		return;
	}
	key = full_name(r->arena, prov, mod, func, name);
	known = strmap_get(&s->named, key);
	if (known && k->again)
		known->data = data;
	if (known)
		return;
	s->has_named = true;
	p.id = r->next_id++;
	strmap_put(r->arena, &s->named, key, probe_add(r, &p));
}

/* Ask a provider for PAT, unless it was asked the same before. */
static int ask_provider(
	struct registry *r, struct registered_provider *s, const struct probe_pattern *pat)
{
	struct asking k = {.r = r, .s = s};
	const char *key;
	int err;

	/* No component can contain a colon, so the joined text is unambiguous. */
	key = arena_printf(r->arena, "%s:%s:%s:%s", pat->prov, pat->mod, pat->func, pat->name);
	if (strmap_get(&s->asked, key))
		return 0;
	err = s->provider->discover(&r->env, pat, on_probe, &k);
	if (!err)
		err = k.error;
	/* the probes of user code come and go */
	if (!err && !(s->provider->user && s->provider->user->late))
		strmap_put(r->arena, &s->asked, key, s);
	return err;
}

static int by_id(const void *a, const void *b)
{
	const struct probe *x = *(struct probe *const *)a, *y = *(struct probe *const *)b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static void sort_probes(struct registry *r)
{
	if (!r->sorted)
		qsort(r->probes.data, r->probes.len, sizeof(*r->probes.data), by_id);
	r->sorted = true;
}

/* A probe that keeps state for others has to be called by its name (prov/derived.h). */
static bool is_hidden(const struct probe *p)
{
	return p->provider->derived && *p->name == '-';
}

static bool matches(const struct probe *p, const struct probe_pattern *pat)
{
	const struct user_provider *user = p->provider->user;

	if (is_hidden(p) && strcmp(pat->name, p->name))
		return false;
	if (!glob_match(pat->prov, p->prov) || !glob_match(pat->name, p->name) ||
		!glob_match(pat->func, p->func))
		return false;
	return user && user->in_module ? user->in_module(p, pat->mod)
				       : glob_match(pat->mod, p->mod);
}

static bool serves(const struct provider *v, const struct probe_pattern *pat)
{
	/* "" and "*" name no provider */
	if (v->user)
		return *pat->prov && strcmp(pat->prov, "*") && v->user->serves(pat->prov);
	return glob_match(pat->prov, v->name);
}

int registry_match(struct registry *r, const struct probe_pattern *pat,
	void (*visit)(void *arg, const struct probe *probe), void *arg)
{
	VEC(const struct probe *) found = {0};

	for (uint32_t i = 0; i < r->nsources; i++) {
		struct registered_provider *s = &r->sources[i];
		int err;

		if (!serves(s->provider, pat))
			continue;
		err = ask_provider(r, s, pat);
		if (err < 0)
			return err;
	}
	sort_probes(r);
	vec_for (p, &r->probes)
		if (matches(*p, pat))
			vec_push(r->arena, &found, *p);
	/* After the search, so that a visitor may itself ask the registry. */
	vec_for (p, &found)
		if (visit)
			visit(arg, *p);
	return (int)found.len;
}

const struct provider *registry_late(struct registry *r, const struct probe_pattern *pat)
{
	for (uint32_t i = 0; i < r->nsources; i++) {
		const struct provider *v = r->sources[i].provider;
		struct attach_plan plan = {0};

		if (v->user && v->user->late && serves(v, pat) &&
			v->user->late(&r->env, pat, 0, &plan) >= 0)
			return v;
	}
	return NULL;
}

int registry_again(struct registry *r, const struct provider *provider,
	const struct probe_pattern *pat, pid_t pid)
{
	struct asking k = {.r = r, .again = true};
	int err = 0;

	r->env.only = pid;
	for (uint32_t i = 0; !err && i < r->nsources; i++) {
		if (r->sources[i].provider != provider)
			continue;
		k.s = &r->sources[i];
		err = provider->discover(&r->env, pat, on_probe, &k);
	}
	r->env.only = 0;
	return err < 0 ? err : k.error;
}

void registry_visit(struct registry *r, const struct provider *provider, uint32_t first,
	void (*visit)(void *arg, const struct probe *probe), void *arg)
{
	sort_probes(r);
	/* by number: a visitor may ask for more, which are put behind */
	for (uint32_t i = 0, n = r->probes.len; i < n; i++) {
		const struct probe *p = r->probes.data[i];

		if (p->provider == provider && p->id >= first)
			visit(arg, p);
	}
}

uint32_t registry_next_id(const struct registry *r)
{
	return r->next_id;
}

bool registry_matches(const struct probe *p, const struct probe_pattern *pat)
{
	return matches(p, pat);
}

static const struct probe *find_probe(struct registry *r, uint32_t id)
{
	struct probe key = {.id = id}, *kp = &key, **at;

	if (!r->probes.len)
		return NULL;
	sort_probes(r);
	at = bsearch(&kp, r->probes.data, r->probes.len, sizeof(*r->probes.data), by_id);
	return at ? *at : NULL;
}

const struct probe *registry_by_id(struct registry *r, uint32_t id)
{
	const struct probe *p = find_probe(r, id);

	for (uint32_t i = 0; !p && i < r->nsources; i++) {
		const struct provider *v = r->sources[i].provider;
		struct probe_pattern all = {v->name, "", "", ""};

		if (id < v->first_id || id - v->first_id >= v->max_slots)
			continue;
		if (ask_provider(r, &r->sources[i], &all) < 0)
			return NULL;
		p = find_probe(r, id);
	}
	return p;
}

/* For a provider that DTrace has and we have not: a line that says so. */
static const char *not_yet(struct registry *r, const char *name)
{
	size_t len = strlen(name);

	while (len && isdigit((unsigned char)name[len - 1])) /* pid123 */
		len--;
	for (const char *const *later = r->later; later && *later; later++)
		if (strlen(*later) == len && !memcmp(*later, name, len))
			return arena_printf(
				r->env.arena, "provider %s is not supported yet", *later);
	return NULL;
}

const char *registry_missing(struct registry *r, const struct probe_pattern *pat)
{
	/* "" and "*" name no provider: what found nothing may be anything. */
	if (!*pat->prov || !strcmp(pat->prov, "*"))
		return NULL;
	for (uint32_t i = 0; i < r->nsources; i++) {
		const struct provider *v = r->sources[i].provider;
		const char *why = NULL;

		if (serves(v, pat))
			why = provider_diagnose(v, &r->env, pat).missing;
		if (why)
			return why;
	}
	return not_yet(r, pat->prov);
}
