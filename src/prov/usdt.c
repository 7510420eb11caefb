// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the USDT provider: the probes that programs and libraries declare in notes
 * (usdt/notes.h).
 *
 * The provider of a probe is what the note says with the process's number after it, the function
 * the one that its site is in; the sites of one name in one function are one probe.  Probes exist
 * by being asked for: NAME1234 looks at process 1234, NAME* at the files of all processes, where it
 * finds probes that the processes share.  What comes later is found when it is asked again (struct
 * user_provider).
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/usdt.h"
#include "arch/insn.h"
#include "base/arena.h"
#include "base/transfer.h"
#include "base/vec.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/glob.h"
#include "probe/part.h"
#include "probe/provider.h"
#include "probe/provider_env.h"
#include "probe/stability.h"
#include "probe/user_provider.h"
#include "prov/prov.h"
#include "prov/scope.h"
#include "sym/image.h"
#include "sym/process.h"
#include "sym/userland.h"
#include "types/types.h"
#include "usdt/args.h"
#include "usdt/notes.h"
#include "usdt/notes_cache.h"

/* One place of a probe. */
struct site {
	struct user_file *file;
	const struct sdt_note *note;
	struct dt_usdt_site how; /* to find its arguments */
	uint32_t nargs;
};

/* The data of a probe. */
struct static_probe {
	const char *prov, *mod, *func, *name;
	pid_t pid; /* IN_PROCESS */
	enum attach_scope scope;
	bool main; /* in the program itself */
	VEC(struct site *) sites;
};

/* A description being looked for. */
struct search {
	struct provider_env *env;
	const struct probe_pattern *pat;
	probe_emit_fn emit;
	void *arg;
	enum attach_scope scope;
	pid_t pid;			   /* the process being looked at */
	VEC(struct static_probe *) probes; /* of it, or of a file */
};

/* ---- which descriptions ---- */

static bool is_pid_provider(const char *prov)
{
	size_t digits = strspn(prov, "pid") == 3 ? strspn(prov + 3, "0123456789") : 0;

	return digits && !prov[3 + digits] && !strncmp(prov, "pid", 3);
}

/* True for NAME1234 or a pattern. */
static bool serves(const char *prov)
{
	size_t len = strlen(prov);

	if (glob_is_pattern(prov))
		return !scope_matches_kernel(prov);
	return len > 1 && isdigit((unsigned char)prov[len - 1]) && !is_pid_provider(prov);
}

static bool matches_module(const char *pat, const char *name, bool main)
{
	return glob_match(pat, name) || (main && glob_match(pat, "a.out"));
}

/* ---- one object ---- */

static bool find_symbol(void *arg, const char *name, size_t len, uint64_t *addr)
{
	const struct user_file *file = arg;

	return notes_symbol(file->at.fd, name, len, addr);
}

static struct static_probe *probe_for(struct search *s, const char *prov,
	const struct process_object *o, const char *mod, const struct noted_site *noted)
{
	struct static_probe *p;

	vec_for (have, &s->probes)
		if (!strcmp((*have)->name, noted->note.name) &&
			!strcmp((*have)->func, noted->func) && !strcmp((*have)->mod, mod) &&
			!strcmp((*have)->prov, prov))
			return *have;
	p = arena_new_obj(s->env->arena, struct static_probe);
	p->prov = arena_strdup(s->env->arena, prov);
	p->mod = mod;
	p->func = noted->func;
	p->name = noted->note.name;
	p->pid = s->scope == IN_PROCESS ? s->pid : 0;
	p->scope = s->scope;
	p->main = o->main;
	vec_push(s->env->arena, &s->probes, p);
	return p;
}

static struct site *site_new(struct search *s, struct user_file *file, struct noted_site *noted)
{
	struct site *site = arena_new_obj(s->env->arena, struct site);
	int n;

	site->file = file;
	site->note = &noted->note;
	site->how.pc = noted->note.pc;
	n = usdt_parse(noted->note.args, find_symbol, file, site->how.arg);
	site->nargs = n < 0 ? DT_USDT_NARGS : (uint32_t)n;
	return site;
}

/* Returns the provider of a probe of NOTE if the description matches it, or NULL. */
static const char *provider_of(struct search *s, const struct sdt_note *note)
{
	char prov[256];

	if (s->scope != IN_PROCESS)
		return scope_serves(s->pat->prov, note->provider)
			? scope_provider(s->env, s->pat->prov, note->provider)
			: NULL;
	snprintf(prov, sizeof(prov), "%s%d", note->provider, (int)s->pid);
	return glob_match(s->pat->prov, prov) ? arena_strdup(s->env->arena, prov) : NULL;
}

/*
 * True if a probe at the place of NOTE would change data below the stack pointer.  Nothing is there
 * at the first instruction of a function.
 */
static bool changes_data(
	struct search *s, const struct user_file *file, const struct sdt_note *note)
{
	uint8_t code[INSN_NOP5];
	ssize_t n = transfer_pread(file->at.fd, code, sizeof(code), note->pc_offset);
	const struct image_func *f;

	if (n != (ssize_t)sizeof(code) || !insn_is_nop5(code, sizeof(code)) ||
		env_has(s->env, FEATURE_UPROBE_NOP5))
		return false;
	f = image_at(file->image, note->pc);
	return !f || f->vaddr != note->pc;
}

/*
 * True for probes whose semaphore makes the program compute their arguments and fail: no tracer is
 * needed for that, only a semaphore that is not 0.  Ruby 3.1 does in some runs of "require 'set'",
 * in rb_dtrace_setup().
 */
static bool is_faulty(const struct sdt_note *note)
{
	static const struct {
		const char *provider, *name;
	} faulty[] = {{"ruby", "cmethod-entry"}, {"ruby", "cmethod-return"}};

	for (size_t i = 0; i < sizeof(faulty) / sizeof(faulty[0]); i++)
		if (note->semaphore && !strcmp(note->provider, faulty[i].provider) &&
			!strcmp(note->name, faulty[i].name))
			return true;
	return false;
}

/* True if a probe at the place of NOTE would harm the program; then it is left out or refused. */
static bool harms(struct search *s, const struct user_file *file, const struct sdt_note *note)
{
	enum left_reason why;
	const struct image_func *f;

	if (changes_data(s, file, note))
		why = LEFT_RED_ZONE;
	else if (!s->env->force && is_faulty(note))
		why = LEFT_FAULTY;
	else
		return false;
	f = image_at(file->image, note->pc);
	env_leave_out(s->env, why, file->name, f ? f->name : "-", note->name);
	if (glob_is_pattern(s->pat->name))
		return true;
	s->env->tag = "D_PROC_CREATEFAIL";
	s->env->text = arena_printf(s->env->arena, "failed to create static probe '%s:%s': %s",
		note->provider, note->name, left_reason(why));
	return true;
}

static int in_object(void *arg, const struct process_object *o)
{
	struct search *s = arg;
	struct noted_site *sites;
	struct user_file *file = NULL;
	uint32_t n;
	int err;

	if (!matches_module(s->pat->mod, o->name, o->main))
		return 0;
	sites = notes_of(s->env->notes, s->pid, o, &n);
	for (uint32_t i = 0; i < n; i++) {
		const char *prov;

		if (!glob_match(s->pat->name, sites[i].note.name) ||
			!part_func_matches(s->pat->func, sites[i].func, env_demangles(s->env)))
			continue;
		prov = provider_of(s, &sites[i].note);
		if (!prov)
			continue;
		if (!file)
			file = userland_file(s->env->userland, s->pid, o, &err);
		if (s->scope != IN_ALL && scope_is_copied(s->env, s->pid, o))
			return 0;
		/* what is known by another name has its probes */
		if (!file || (s->scope != IN_PROCESS && file->same))
			return 0;
		s->env->file = file;
		if (harms(s, file, &sites[i].note))
			continue;
		vec_push(s->env->arena, &probe_for(s, prov, o, file->name, &sites[i])->sites,
			site_new(s, file, &sites[i]));
	}
	return 0;
}

static void emit_found(struct search *s)
{
	vec_for (at, &s->probes) {
		struct static_probe *p = *at;

		s->emit(s->arg, -1, p->prov, p->mod, p->func, p->name, (uintptr_t)p);
	}
	s->probes.len = 0;
}

/* ---- files ---- */

static int in_file(void *arg, pid_t pid, const struct process_object *o)
{
	struct search *s = arg;

	s->pid = pid;
	in_object(s, o);
	emit_found(s);
	return 0;
}

/* ---- processes ---- */

static int in_process(void *arg, pid_t pid)
{
	struct search *s = arg;

	if (pid <= 0 || pid == getpid() || (s->env->only && pid != s->env->only))
		return 0;
	s->pid = pid;
	s->probes.len = 0;
	/* one that has ended, or that we may not look at, has none */
	scope_objects(s->env, pid, in_object, s);
	emit_found(s);
	return 0;
}

/* A provider's name may end in digits itself: each number that the end can be. */
static void in_named(struct search *s)
{
	const char *prov = s->pat->prov, *end = prov + strlen(prov);

	for (const char *p = end - 1; p > prov && isdigit((unsigned char)*p); p--) {
		long pid = strtol(p, NULL, 10);

		if (*p != '0' && end - p < 10)
			in_process(s, (pid_t)pid);
	}
}

static int discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	struct search s = {.env = env,
		.pat = pat,
		.emit = emit,
		.arg = arg,
		.scope = scope_of(env, pat->prov)};
	int err = 0;

	env->text = NULL;
	if (!env->userland || !env->notes || !env_has_uprobes(env))
		return 0;
	if (s.scope != IN_PROCESS)
		err = scope_files(env, pat->prov, in_file, &s);
	else if (glob_is_pattern(pat->prov))
		err = scope_processes(env, in_process, &s);
	else
		in_named(&s);
	return env->text ? -EINVAL : err;
}

/* ---- arguments ---- */

static const struct arg_source usdt_raw[PROBE_NARGS] = {
	{.where = WHERE_USDT, .offset = 0},
	{.where = WHERE_USDT, .offset = 1},
	{.where = WHERE_USDT, .offset = 2},
	{.where = WHERE_USDT, .offset = 3},
	{.where = WHERE_USDT, .offset = 4},
	{.where = WHERE_USDT, .offset = 5},
	{.where = WHERE_USDT, .offset = 6},
	{.where = WHERE_USDT, .offset = 7},
	{.where = WHERE_USDT, .offset = 8},
	{.where = WHERE_USDT, .offset = 9},
};

static const struct static_probe *probe_of(const struct probe *p)
{
	return (const struct static_probe *)(uintptr_t)p->data;
}

static bool in_module(const struct probe *p, const char *mod)
{
	return matches_module(mod, p->mod, probe_of(p)->main);
}

/*
 * Notes have no types but sizes: args[] are integers, pointers too.  A provider block in the
 * program says more (sema).
 */
static int describe(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	const struct static_probe *p = probe_of(probe);
	const struct site *first = p->sites.data[0];

	memcpy(out->raw, usdt_raw, sizeof(out->raw));
	out->user_ptrs = true;
	out->nargs = first->nargs < PROBE_NARGS ? first->nargs : PROBE_NARGS;
	for (uint32_t i = 0; i < out->nargs; i++) {
		int size = first->how.arg[i].size;

		out->from[i] = (uint8_t)i;
		/* what cannot be fetched has no type: args[] of it is an error */
		if (first->how.arg[i].kind == DT_USDT_UNKNOWN)
			continue;
		out->types[i] = types_int(env->types, (unsigned)abs(size), size < 0);
	}
	return 0;
}

/* ---- attaching ---- */

static void plan_site(
	struct provider_env *env, enum attach_scope scope, pid_t pid, struct attach_plan *out)
{
	out->kind = ATTACH_UPROBES;
	out->key_source = KEY_COOKIE;
	out->group = 100; /* apart from what has no notes */
	out->counters = true;
	out->raw = usdt_raw;
	attach_set_scope(out, scope);
	scope_set_multi(env, pid, out);
}

static int plan(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out)
{
	const struct static_probe *p = probe_of(probe);
	const struct site *s;

	if (i >= p->sites.len)
		return -ENOENT;
	s = p->sites.data[i];
	plan_site(env, p->scope, p->pid, out);
	out->file = &s->file->at;
	out->addr = s->note->pc_offset;
	out->semaphore = s->note->semaphore_offset;
	out->usdt = &s->how;
	out->pid = p->pid;
	return 0;
}

static int late(struct provider_env *env, const struct probe_pattern *pat, unsigned i,
	struct attach_plan *out)
{
	if (i || !env_has_uprobes(env))
		return -ENOENT;
	plan_site(env, scope_of(env, pat->prov), scope_process(pat->prov), out);
	return 0;
}

static void doctor(struct provider_env *env, const struct probe_pattern *pat, struct diagnosis *out)
{
	out->missing = scope_no_uprobes(env, pat);
}

static const struct user_provider user = {
	.serves = serves,
	.scope = scope_of,
	.process = scope_process,
	.in_module = in_module,
	.late = late,
};

const struct provider provider_usdt = {
	.name = "usdt",
	.attr_prov = {STAB_UNSTABLE, STAB_UNSTABLE, CLASS_COMMON},
	.attr_mod = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
	.attr_func = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
	.attr_name = {STAB_UNSTABLE, STAB_UNSTABLE, CLASS_COMMON},
	.attr_args = {STAB_UNSTABLE, STAB_UNSTABLE, CLASS_COMMON},
	.user = &user,
	.discover = discover,
	.describe = describe,
	.plan = plan,
	.doctor = doctor,
};
