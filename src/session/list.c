// SPDX-License-Identifier: Apache-2.0
/* Listing probes, arguments and stability. */
#include "base/arena.h"
#include "base/report.h"
#include "base/safe.h"
#include "base/vec.h"
#include "compile/compile.h"
#include "dtrace/data.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/probe.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "probe/stability.h"
#include "probe/user_provider.h"
#include "prov/prov.h"
#include "sema/sema.h"
#include "sema/typed.h"
#include "session/options.h"
#include "session/session.h"
#include "types/type.h"

#include <string.h>

static struct dtrace_attributes names(struct attributes a)
{
	return (struct dtrace_attributes){
		stability_name(a.name), stability_name(a.data), stability_class_name(a.klass)};
}

static struct attributes probe_attributes(const struct probe *p)
{
	struct attributes a = attributes_least(p->provider->attr_prov, p->provider->attr_name);

	if (*p->mod)
		a = attributes_least(a, p->provider->attr_mod);
	if (*p->func)
		a = attributes_least(a, p->provider->attr_func);
	return a;
}

/* ---- members of arguments ---- */

typedef VEC(struct dtrace_arg_member) member_list;

static bool is_record(const struct type *t)
{
	return t->kind == TYPE_STRUCT || t->kind == TYPE_UNION;
}

static void add_members(struct arena *a, const struct type *record, member_list *out)
{
	uint32_t n;
	const struct member *m = type_members(record, &n);

	for (uint32_t i = 0; i < n; i++) {
		const struct type *t = type_resolve(m[i].type);
		char buf[128];

		if (m[i].name && *m[i].name)
			vec_push(a, out,
				((struct dtrace_arg_member){m[i].name,
					arena_strdup(a, type_name(m[i].type, buf, sizeof(buf)))}));
		else if (is_record(t))
			add_members(a, t, out);
	}
}

/* The type of a D library called NAME, without stars: "bufinfo_t *"; NULL: there is none. */
static const struct type *library_type(struct dtrace *d, const char *name)
{
	size_t len = strlen(name);

	while (len && (name[len - 1] == '*' || name[len - 1] == ' '))
		len--;
	name = arena_strndup(d->arena, name, len);
	compile_library_names(&d->compiling);
	return sema_typedef(d->compiling.sema, name);
}

static void describe_members(
	struct dtrace *d, const struct probe_args *args, uint32_t i, struct dtrace_probe *out)
{
	const char *name = args->xtypes[i] ? args->xtypes[i] : args->dtypes[i];
	const struct type *t = args->xtypes[i] ? NULL : args->types[i];
	member_list members = {0};

	if (!t && name)
		t = library_type(d, name);
	t = t ? type_resolve(t) : NULL;
	if (t && t->kind == TYPE_PTR)
		t = type_resolve(t->ref);
	if (t && is_record(t))
		add_members(d->arena, t, &members);
	out->members[i] = members.data;
	out->nmembers[i] = members.len;
}

/* ---- probes ---- */

/* Names of functions and modules are whatever a program's symbols say. */
static const char *shown(struct dtrace *d, const char *name)
{
	return safe_line(d->arena, name, options_on(d->opts, OPT_termsafe));
}

int session_describe(
	struct dtrace *d, const struct probe *p, bool verbose, struct dtrace_probe *out)
{
	const struct user_provider *user = p->provider->user;
	struct provider_env *env = registry_env(d->compiling.registry);
	struct probe_args args = {0};
	int err;

	memset(out, 0, sizeof(*out));
	out->id = p->id;
	out->provider = shown(d, p->prov);
	out->module = shown(d, p->mod);
	out->function = shown(d, p->func);
	out->name = shown(d, p->name);
	out->file = p->file ? shown(d, p->file) : NULL;
	out->line = p->line;
	if (user && user->cost)
		out->cost = user->cost(env, p);
	if (!verbose)
		return 0;
	out->attr_probe = names(probe_attributes(p));
	out->attr_args = names(p->provider->attr_args);
	err = p->provider->describe(env, p, &args);
	if (!err)
		err = probe_describe_types(env, p, &args);
	if (err)
		return err;
	out->nargs = args.nargs;
	if (p->provider->name_args)
		p->provider->name_args(env, p, &args);
	for (uint32_t i = 0; i < args.nargs; i++) {
		char buf[128];

		if (args.xtypes[i]) /* what it is to whom uses it */
			out->args[i] = args.xtypes[i];
		else
			out->args[i] = args.types[i]
				? arena_strdup(d->arena, type_name(args.types[i], buf, sizeof(buf)))
				: "(unknown)";
		out->arg_names[i] = args.names[i] && *args.names[i] ? args.names[i] : NULL;
		describe_members(d, &args, i, out);
	}
	return 0;
}

typedef VEC(const struct probe *) probe_list;

struct listing {
	struct dtrace *d;
	bool verbose;
	int (*visit)(void *arg, const struct dtrace_probe *p);
	void *arg;
	int err;	   /* of our own */
	int stop;	   /* of the visitor's */
	probe_list probes; /* of one description */
};

static void list_one(void *arg, const struct probe *p)
{
	struct listing *l = arg;
	struct dtrace_probe out;
	int err;

	if (l->stop)
		return;
	err = session_describe(l->d, p, l->verbose, &out);
	if (err)
		l->err = err;
	else
		l->stop = l->visit(l->arg, &out);
}

static int each_probe(struct dtrace *d, bool verbose,
	int (*visit)(void *arg, const struct dtrace_probe *p), void *arg)
{
	const struct probe_pattern all = {"", "", "", ""};
	struct listing l = {.d = d, .verbose = verbose, .visit = visit, .arg = arg};
	int n = session_prepare(d);

	if (n)
		return n;
	n = registry_match(d->compiling.registry, &all, list_one, &l);
	if (n < 0)
		return report_error(
			&d->report, n, "cannot read the kernel's probes: %s", strerror(-n));
	for (uint32_t i = 0; providers_all[i]; i++) {
		const struct provider *p = providers_all[i];
		const char *missing = registry_refuses(d->compiling.registry, p);

		if (!missing)
			missing = provider_diagnose(p, registry_env(d->compiling.registry), NULL)
					  .missing;
		if (missing)
			report_message(
				&d->report, "no probes of provider %s: %s", p->name, missing);
	}
	return l.err ? report_error(&d->report, l.err, "%s", strerror(-l.err)) : l.stop;
}

int dtrace_probe_each(struct dtrace *d, bool verbose,
	int (*visit)(void *arg, const struct dtrace_probe *p), void *arg)
{
	return SESSION_TRY(d, each_probe(d, verbose, visit, arg));
}

static bool same_pattern(const struct probe_pattern *a, const struct probe_pattern *b)
{
	return !strcmp(a->prov, b->prov) && !strcmp(a->mod, b->mod) && !strcmp(a->func, b->func) &&
		!strcmp(a->name, b->name);
}

/*
 * Returns "did you mean ...?" for a pattern without matches; NULL = no suggestion, or not wanted.
 */
static const char *meant(struct dtrace *d, const struct probe_pattern *pat)
{
	const char *near;

	if (!options_on(d->opts, OPT_explain) || registry_missing(d->compiling.registry, pat))
		return NULL;
	near = registry_suggest(d->compiling.registry, pat, d->arena);
	return near ? arena_printf(d->arena, "did you mean %s?", near) : NULL;
}

struct finding_probes {
	struct arena *arena;
	probe_list *probes;
};

static void add_probe(void *arg, const struct probe *p)
{
	struct finding_probes *f = arg;

	vec_push(f->arena, f->probes, p);
}

/* The probes that C matches: of what is attached by file, those of each process. */
static void probes_of(struct dtrace *d, const struct sema_clause *c, probe_list *out)
{
	struct provider_env *env = registry_env(d->compiling.registry);
	struct finding_probes f = {d->arena, out};

	out->len = 0;
	if (c->scope == IN_PROCESS) {
		for (uint32_t k = 0; k < c->probes.len; k++)
			vec_push(d->arena, out, c->probes.data[k]);
		return;
	}
	env->by_file = false;
	registry_match(d->compiling.registry, &c->pat, add_probe, &f);
	env->by_file = true;
}

static int each_probe_of(
	struct dtrace *d, struct dtrace_prog *p, bool verbose, const struct dtrace_prog_visitor *v)
{
	const struct probe_pattern *last = NULL;
	struct listing l = {.d = d, .verbose = verbose, .visit = v->probe, .arg = v->arg};

	for (uint32_t i = 0; i < p->sema->clauses.len; i++) {
		const struct sema_clause *c = p->sema->clauses.data[i];

		if (last && same_pattern(last, &c->pat))
			continue;
		last = &c->pat;
		probes_of(d, c, &l.probes);
		d->report.hint = l.probes.len ? NULL : meant(d, &c->pat);
		v->description(v->arg,
			arena_printf(d->arena, "%s:%s:%s:%s", c->pat.prov, c->pat.mod, c->pat.func,
				c->pat.name),
			l.probes.len,
			l.probes.len ? NULL : registry_missing(d->compiling.registry, &c->pat));
		vec_for (found, &l.probes)
			list_one(&l, *found);
	}
	return l.err ? report_error(&d->report, l.err, "%s", strerror(-l.err)) : 0;
}

int dtrace_prog_probe_each(
	struct dtrace *d, struct dtrace_prog *p, bool verbose, const struct dtrace_prog_visitor *v)
{
	return SESSION_TRY(d, each_probe_of(d, p, verbose, v));
}

void dtrace_prog_attributes(const struct dtrace_prog *p, struct dtrace_attributes *descriptions,
	struct dtrace_attributes *statements)
{
	*descriptions = names(p->sema->desc_attrs);
	*statements = names(p->sema->stmt_attrs);
}
