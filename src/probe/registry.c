// SPDX-License-Identifier: Apache-2.0
/* Keeps the probes of a session by name and id, and asks providers for more. */
#include "probe/registry.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clone.h"
#include "base/demangle.h"
#include "base/intmap.h"
#include "base/invariant.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "probe/attach.h"
#include "probe/glob.h"
#include "probe/part.h"
#include "probe/probe.h"
#include "probe/provider.h"
#include "probe/provider_env.h"
#include "probe/user_provider.h"

/* A provider, and what it was asked for so far. */
struct registered_provider {
	const struct provider *provider;
	struct probe **slots; /* by slot; allocated with the first slotted probe */
	struct strmap asked;  /* patterns that need not be asked again */
	struct strmap named;  /* probes without a slot, by full name */
	bool has_named;
};

/* The memory of what one look at a process found; freed with the last probe that uses it. */
struct finding {
	struct arena *arena;
	uint32_t users;
};

/* A probe, and what it takes to forget it. */
struct known_probe {
	struct probe probe;	 /* first */
	struct finding *finding; /* that its names and data are in; NULL: the registry's arena */
	const struct process_probes *process; /* that it goes with; NULL: it stays */
	/* in the index, with the same hash */
	struct known_probe *next_func, *next_mangled, *next_name;
};

/* The probes that were found in a process while tracing. */
struct process_probes {
	struct arena *arena;	     /* of all this */
	struct strmap named;	     /* by full name; those found at the start as well */
	struct process_probes *next; /* that has ended */
};

struct registry {
	struct arena *arena;
	struct provider_env env;
	struct registered_provider *sources; /* those that may be used, then the others */
	uint32_t nsources, nrefused;
	const char *refused_by;
	const char *const *later; /* names of providers that are not supported yet */
	VEC(struct probe *) probes;
	bool sorted; /* probes are in id order */
	/* the first `indexed` probes by the hash of their function, both its names, and their name
	 */
	struct intmap by_func, by_mangled, by_name;
	uint32_t indexed;
	struct intmap processes;      /* by pid: struct process_probes */
	struct process_probes *ended; /* whose records may still come */
	struct intmap forgotten;      /* by id: probes of processes that have ended */
	uint32_t next_id;
};

/* A discover() in progress. */
struct asking {
	struct registry *r;
	struct registered_provider *s;
	int error;
	/* of a process that is looked at while tracing; NULL: all is wanted, and stays */
	struct process_probes *process;
	struct finding *finding;
	struct arena *arena; /* of the environment, before and after */
};

/* True if no two providers have a slot of the same id. */
static bool slots_are_apart(const struct registry *r)
{
	for (uint32_t i = 0; i < r->nsources; i++) {
		const struct provider *x = r->sources[i].provider;

		for (uint32_t k = 0; x->max_slots && k < i; k++) {
			const struct provider *y = r->sources[k].provider;

			if (y->max_slots && x->first_id < y->first_id + y->max_slots &&
				y->first_id < x->first_id + x->max_slots)
				return false;
		}
	}
	return true;
}

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
	INVARIANT(slots_are_apart(r));
	return r;
}

static bool is_allowed(const struct registry_allowed *allowed, const struct provider *v)
{
	for (const char *const *name = allowed->names; *name; name++)
		if (!strcmp(*name, v->name))
			return true;
	return !strcmp(v->name, "dtrace");
}

void registry_allow(struct registry *r, const struct registry_allowed *allowed)
{
	uint32_t n = r->nsources, kept = 0, at = 0;
	struct registered_provider *all = arena_new_array(r->arena, struct registered_provider, n);

	for (uint32_t i = 0; i < n; i++)
		kept += is_allowed(allowed, r->sources[i].provider);
	r->refused_by = allowed->by;
	r->nrefused = n - kept;
	r->nsources = 0;
	for (uint32_t i = 0; i < n; i++) {
		bool may = is_allowed(allowed, r->sources[i].provider);

		all[may ? r->nsources++ : kept + at++] = r->sources[i];
	}
	r->sources = all;
}

const char *registry_refuses(struct registry *r, const struct provider *v)
{
	for (uint32_t i = 0; i < r->nrefused; i++)
		if (r->sources[r->nsources + i].provider == v)
			return arena_printf(r->env.arena, "%s does not allow provider %s",
				r->refused_by, v->name);
	return NULL;
}

const struct provider *registry_provider(struct registry *r, uint32_t i)
{
	return i < r->nsources ? r->sources[i].provider : NULL;
}

struct provider_env *registry_env(struct registry *r)
{
	return &r->env;
}

static void add_to_list(struct registry *r, struct probe *p)
{
	INVARIANT(p->id && p->id < r->next_id);
	if (r->probes.len && vec_last(&r->probes)->id > p->id)
		r->sorted = false;
	vec_push(r->arena, &r->probes, p);
}

static struct known_probe *probe_add(struct registry *r, struct arena *a, const struct probe *what)
{
	struct known_probe *p = arena_new_obj(a, struct known_probe);

	p->probe = *what;
	add_to_list(r, &p->probe);
	return p;
}

static void finding_drop(struct finding *f)
{
	INVARIANT(!f || f->users);
	if (!f || --f->users)
		return;
	arena_free(f->arena);
	free(f);
}

/* P's names and data are now those of finding F. */
static void use_finding(struct known_probe *p, struct finding *f)
{
	f->users++;
	finding_drop(p->finding);
	p->finding = f;
}

/* Adds a probe with a slot of its own in its provider's block of ids. */
static void on_slot(struct asking *k, uint32_t slot, struct probe *p, const char *key)
{
	struct registered_provider *s = k->s;

	if (!s->slots)
		s->slots = arena_new_array(k->r->arena, struct probe *, s->provider->max_slots);
	/* it may be known already by its name alone */
	if (s->slots[slot] || (s->has_named && strmap_get(&s->named, key)))
		return;
	p->id = s->provider->first_id + slot;
	s->slots[slot] = &probe_add(k->r, k->r->arena, p)->probe;
}

/* A probe of a process that is looked at while tracing: it may be known, with other data. */
static void on_process(struct asking *k, struct probe *p, const char *key)
{
	struct process_probes *in = k->process;
	struct known_probe *known = strmap_get(&in->named, key);
	bool listed = known;

	if (!known)
		known = strmap_get(&k->s->named, key);
	if (!known) {
		p->id = k->r->next_id++;
		known = probe_add(k->r, in->arena, p);
		known->process = in;
	}
	if (!listed)
		strmap_put(in->arena, &in->named, arena_strdup(in->arena, key), known);
	p->id = known->probe.id;
	known->probe = *p;
	use_finding(known, k->finding);
}

/* Names P's function as its source does; the provider's name becomes the other one. */
static void demangle_function(struct registry *r, struct probe *p)
{
	char *plain = p->provider->user && env_demangles(&r->env) ? demangle(p->func) : NULL;

	if (!plain)
		return;
	arena_own(r->env.arena, free, plain);
	p->mangled = p->func;
	p->func = arena_strdup(r->env.arena, plain);
	arena_release(r->env.arena, plain);
}

/* probe_emit_fn */
static void on_probe(void *arg, int slot, const char *prov, const char *mod, const char *func,
	const char *name, uint64_t data)
{
	struct asking *k = arg;
	struct registry *r = k->r;
	struct registered_provider *s = k->s;
	struct probe p = {
		.provider = s->provider,
		.prov = prov,
		.mod = mod,
		.func = func,
		.name = name,
		.data = data,
		.shared = r->env.shared,
		.file = r->env.source,
		.line = r->env.line,
	};
	struct buf key = {0};

	if (slot >= 0 && (uint32_t)slot >= s->provider->max_slots) {
		k->error = -ERANGE;
		return;
	}
	buf_own(&key, r->arena);
	buf_printf(&key, "%s:%s:%s:%s", prov, mod, func, name);
	if (p.shared) /* another file may have all these names */
		buf_printf(&key, ":%p", r->env.file);
	if (r->env.twin)
		buf_printf(&key, ":%llx", (unsigned long long)r->env.twin);
	demangle_function(r, &p);
	if (key.failed) {
		k->error = -ENOMEM;
	} else if (slot >= 0) {
		on_slot(k, (uint32_t)slot, &p, key.data);
	} else if (k->process) {
		on_process(k, &p, key.data);
	} else if (!strmap_get(&s->named, key.data)) {
		s->has_named = true;
		p.id = r->next_id++;
		strmap_put(r->arena, &s->named, arena_strdup(r->arena, key.data),
			probe_add(r, r->arena, &p));
	}
	arena_release(r->arena, &key);
}

/* What providers set before they emit a probe: most set nothing. */
static void emit_plain(struct provider_env *env)
{
	env->shared = env->line = 0;
	env->twin = 0;
	env->source = NULL;
}

/* Ask a provider for PAT, unless it was asked the same before. */
static int ask_provider(
	struct registry *r, struct registered_provider *s, const struct probe_pattern *pat)
{
	struct asking k = {.r = r, .s = s};
	/* the probes of user code come and go; it is asked again for each file, which leaves
	 * nothing */
	bool again = s->provider->user && s->provider->user->late;
	const char *key = NULL;
	int err;

	/* No component can contain a colon, so the joined text is unambiguous. */
	if (!again)
		key = arena_printf(
			r->arena, "%s:%s:%s:%s", pat->prov, pat->mod, pat->func, pat->name);
	if (key && strmap_get(&s->asked, key))
		return 0;
	emit_plain(&r->env);
	err = s->provider->discover(&r->env, pat, on_probe, &k);
	if (!err)
		err = k.error;
	if (!err && key)
		strmap_put(r->arena, &s->asked, key, s);
	return err;
}

static int by_id(const void *a, const void *b)
{
	const struct probe *x = *(struct probe *const *)a, *y = *(struct probe *const *)b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* ---- the index ---- */

static void forget_index(struct registry *r)
{
	intmap_free(&r->by_func);
	intmap_free(&r->by_mangled);
	intmap_free(&r->by_name);
	r->indexed = 0;
}

/* Copies of a function are found by its name. */
static uint64_t hash_func(const char *name)
{
	return strmap_hash_len(name, clone_source_len(name));
}

static int index_probe(struct registry *r, struct known_probe *p)
{
	uint64_t func = hash_func(p->probe.func), name = strmap_hash(p->probe.name);
	uint64_t mangled = p->probe.mangled ? hash_func(p->probe.mangled) : 0;

	if (p->probe.mangled) {
		p->next_mangled = intmap_get_ptr(&r->by_mangled, mangled);
		if (intmap_put_ptr(&r->by_mangled, mangled, p))
			return -ENOMEM;
	}
	p->next_func = intmap_get_ptr(&r->by_func, func);
	p->next_name = intmap_get_ptr(&r->by_name, name);
	return intmap_put_ptr(&r->by_func, func, p) ? -ENOMEM
						    : intmap_put_ptr(&r->by_name, name, p);
}

/* False if FUNC may match several texts: a pattern, or types with blanks between them
 * (part_func_is()).
 */
static bool is_one_name(const char *func)
{
	return !glob_is_pattern(func) && !strchr(func, ',');
}

/*
 * Brings the index up to date for PAT.  False if it is of no use: PAT has a pattern for both names,
 * or memory ran out.
 */
static bool use_index(struct registry *r, const struct probe_pattern *pat)
{
	if (!is_one_name(pat->func) && glob_is_pattern(pat->name))
		return false;
	for (; r->indexed < r->probes.len; r->indexed++) {
		if (!index_probe(r, (struct known_probe *)r->probes.data[r->indexed]))
			continue;
		forget_index(r);
		return false;
	}
	return true;
}

static void sort_probes(struct registry *r)
{
	if (r->sorted)
		return;
	qsort(r->probes.data, r->probes.len, sizeof(*r->probes.data), by_id);
	r->sorted = true;
	forget_index(r);
}

/* A probe that keeps state for others has to be called by its name (prov/derived.h). */
static bool is_hidden(const struct probe *p)
{
	return p->provider->derived && *p->name == '-';
}

static enum attach_scope scope(const struct probe *p)
{
	if (!p->shared)
		return IN_PROCESS;
	return p->prov[p->shared] == '*' ? IN_ALL : IN_FAMILY;
}

static bool matches(struct registry *r, const struct probe *p, const struct probe_pattern *pat)
{
	const struct user_provider *user = p->provider->user;

	if (user && *pat->prov && scope(p) != user->scope(&r->env, pat->prov))
		return false;
	if (is_hidden(p) && strcmp(pat->name, p->name))
		return false;
	if (!glob_match(pat->prov, p->prov) || !glob_match(pat->name, p->name) ||
		!probe_func_matches(p, pat->func))
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

typedef VEC(const struct probe *) found_vec;

/* Collects the probes that PAT matches, by the index. */
static void find_indexed(struct registry *r, const struct probe_pattern *pat, found_vec *out)
{
	bool by_func = is_one_name(pat->func);
	uint64_t hash = by_func ? hash_func(pat->func) : strmap_hash(pat->name);
	const struct known_probe *p = intmap_get_ptr(by_func ? &r->by_func : &r->by_name, hash);

	for (; p; p = by_func ? p->next_func : p->next_name)
		if (matches(r, &p->probe, pat))
			vec_push(r->arena, out, &p->probe);
	p = by_func ? intmap_get_ptr(&r->by_mangled, hash) : NULL;
	for (; p; p = p->next_mangled)
		if (matches(r, &p->probe, pat))
			vec_push(r->arena, out, &p->probe);
	if (out->len > 1)
		qsort(out->data, out->len, sizeof(*out->data), by_id);
}

static void find_all(struct registry *r, const struct probe_pattern *pat, found_vec *out)
{
	sort_probes(r);
	vec_for (p, &r->probes)
		if (matches(r, *p, pat))
			vec_push(r->arena, out, *p);
}

int registry_match(struct registry *r, const struct probe_pattern *pat,
	void (*visit)(void *arg, const struct probe *probe), void *arg)
{
	found_vec found = {0};

	for (uint32_t i = 0; i < r->nsources; i++) {
		struct registered_provider *s = &r->sources[i];
		int err;

		if (!serves(s->provider, pat))
			continue;
		err = ask_provider(r, s, pat);
		if (err < 0)
			return err;
	}
	if (use_index(r, pat))
		find_indexed(r, pat, &found);
	else
		find_all(r, pat, &found);
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

/* ---- probes that come and go while tracing ---- */

static struct process_probes *process_of(struct registry *r, pid_t pid)
{
	struct process_probes *in = intmap_get_ptr(&r->processes, (uint64_t)pid);
	struct arena *a;

	if (in)
		return in;
	a = arena_own_new(r->arena);
	if (!a)
		return NULL;
	in = arena_new_obj(a, struct process_probes);
	in->arena = a;
	arena_disown(r->arena, a);
	if (intmap_put_ptr(&r->processes, (uint64_t)pid, in)) {
		arena_free(a);
		return NULL;
	}
	return in;
}

static struct finding *finding_new(struct registry *r)
{
	struct finding *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->arena = arena_new_below(r->arena);
	f->users = 1; /* the look itself, while it lasts */
	if (f->arena)
		return f;
	free(f);
	return NULL;
}

/* of arena_own(): a process was looked at */
static void end_asking(void *arg)
{
	struct asking *k = arg;

	k->r->env.arena = k->arena;
	k->r->env.only = 0;
	finding_drop(k->finding);
}

int registry_again(struct registry *r, const struct provider *provider,
	const struct probe_pattern *pat, pid_t pid)
{
	struct asking k = {.r = r, .process = process_of(r, pid), .arena = r->env.arena};
	int err = 0;

	k.finding = k.process ? finding_new(r) : NULL;
	if (!k.finding)
		return -ENOMEM;
	arena_own(r->arena, end_asking, &k);
	r->env.only = pid;
	r->env.headless = 0; /* its first thread may have ended since */
	emit_plain(&r->env);
	r->env.arena = k.finding->arena;
	for (uint32_t i = 0; !err && i < r->nsources; i++) {
		if (r->sources[i].provider != provider)
			continue;
		k.s = &r->sources[i];
		err = provider->discover(&r->env, pat, on_probe, &k);
	}
	arena_release(r->arena, &k);
	return err < 0 ? err : k.error;
}

int registry_look(struct registry *r, const struct provider *provider,
	const struct probe_pattern *pat, const struct process_object *object, pid_t pid)
{
	int err = 0;

	r->env.object = object;
	r->env.only = pid;
	for (uint32_t i = 0; !err && i < r->nsources; i++)
		if (r->sources[i].provider == provider)
			err = ask_provider(r, &r->sources[i], pat);
	r->env.object = NULL;
	r->env.only = 0;
	return err;
}

void registry_visit_shared(struct registry *r, const struct provider *provider, uint32_t first,
	void (*visit)(void *arg, const struct probe *probe), void *arg)
{
	vec_for (p, &r->probes)
		if ((*p)->shared && (*p)->provider == provider && (*p)->id >= first)
			visit(arg, *p);
}

void registry_visit(struct registry *r, const struct provider *provider, pid_t pid, uint32_t first,
	void (*visit)(void *arg, const struct probe *probe), void *arg)
{
	const struct process_probes *in = intmap_get_ptr(&r->processes, (uint64_t)pid);

	for (uint32_t i = 0; in && i < in->named.entries.len; i++) {
		const struct known_probe *p = in->named.entries.data[i].value;

		if (p->probe.provider == provider && p->probe.id >= first)
			visit(arg, &p->probe);
	}
}

/* Takes the probes that go with process IN out of the list that patterns match. */
static void unlist(struct registry *r, const struct process_probes *in)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->probes.len; i++) {
		struct probe *p = r->probes.data[i];

		if (((const struct known_probe *)p)->process != in) {
			r->probes.data[n++] = p;
			continue;
		}
		INVARIANT(!intmap_find(&r->forgotten, p->id)); /* an id is given once */
		intmap_put_ptr(&r->forgotten, p->id, p);
	}
	r->probes.len = n;
	forget_index(r);
}

void registry_forget(struct registry *r, pid_t pid)
{
	struct process_probes *in = intmap_remove(&r->processes, (uint64_t)pid);

	if (!in)
		return;
	unlist(r, in);
	in->next = r->ended;
	r->ended = in;
}

static struct probe *names_of(struct registry *r, const struct probe *p)
{
	struct probe *copy = arena_new_obj(r->arena, struct probe);

	copy->id = p->id;
	copy->provider = p->provider;
	copy->prov = arena_strdup(r->arena, p->prov);
	copy->mod = arena_strdup(r->arena, p->mod);
	copy->func = arena_strdup(r->arena, p->func);
	copy->name = arena_strdup(r->arena, p->name);
	copy->file = p->file ? arena_strdup(r->arena, p->file) : NULL;
	copy->line = p->line;
	return copy;
}

static void process_free(struct process_probes *in)
{
	vec_for (e, &in->named.entries) {
		struct known_probe *p = e->value;

		if (p->process == in)
			finding_drop(p->finding);
	}
	arena_free(in->arena);
}

void registry_settle(struct registry *r, bool names)
{
	struct process_probes *in, *next;

	for (in = r->ended; in; in = next) {
		next = in->next;
		vec_for (e, &in->named.entries) {
			const struct known_probe *p = e->value;

			if (p->process != in)
				continue;
			if (names)
				intmap_put_ptr(&r->forgotten, p->probe.id, names_of(r, &p->probe));
			else
				intmap_remove(&r->forgotten, p->probe.id);
		}
		process_free(in);
	}
	r->ended = NULL;
}

void registry_free(struct registry *r)
{
	if (!r)
		return;
	registry_settle(r, false);
	vec_for (p, &r->probes)
		if (!((struct known_probe *)*p)->process)
			finding_drop(((struct known_probe *)*p)->finding);
	intmap_for (s, &r->processes)
		process_free(s->ptr);
	intmap_free(&r->processes);
	intmap_free(&r->forgotten);
	forget_index(r);
}

uint32_t registry_next_id(const struct registry *r)
{
	return r->next_id;
}

bool registry_matches(struct registry *r, const struct probe *p, const struct probe_pattern *pat)
{
	return matches(r, p, pat);
}

bool registry_matches_in(
	struct registry *r, const struct probe *p, const struct probe_pattern *pat, pid_t pid)
{
	const struct user_provider *user = p->provider->user;
	struct probe in = *p;
	char prov[PROBE_PROV_SIZE];

	if (!p->shared || !pid || !serves(p->provider, pat) ||
		(*pat->mod && strcmp(pat->mod, "*") && glob_match(pat->mod, "a.out")))
		return false;
	in.prov = probe_provider_in(p, (uint32_t)pid, prov);
	if (user->scope(&r->env, pat->prov) == IN_PROCESS)
		in.shared = 0;
	return matches(r, &in, pat);
}

static const struct probe *find_probe(struct registry *r, uint32_t id)
{
	struct probe key = {.id = id}, *kp = &key, **at;

	sort_probes(r);
	at = r->probes.len
		? bsearch(&kp, r->probes.data, r->probes.len, sizeof(*r->probes.data), by_id)
		: NULL;
	return at ? *at : intmap_get_ptr(&r->forgotten, id);
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

/* Returns a line that says that DTrace has this provider and we do not; NULL for any other. */
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
	for (uint32_t i = 0; i < r->nrefused; i++) {
		const struct provider *v = r->sources[r->nsources + i].provider;

		if (serves(v, pat))
			return registry_refuses(r, v);
	}
	return not_yet(r, pat->prov);
}
