// SPDX-License-Identifier: Apache-2.0
/* Decides which processes a description of user code is about, and lists their files. */
#include "prov/scope.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/living.h"
#include "base/strmap.h"
#include "confine/privilege.h"
#include "probe/glob.h"
#include "probe/probe.h"
#include "probe/provider_env.h"
#include "prov/prov.h"
#include "sym/copier.h"
#include "sym/process.h"

/* Returns the length of PROV without the digits at its end. */
static size_t without_number(const char *prov)
{
	size_t n = strlen(prov);

	while (n && isdigit((unsigned char)prov[n - 1]))
		n--;
	return n;
}

/*
 * True if what PROV matches it matches with any number: its last character is a * that takes in all
 * digits, and nothing before it can be digits of the number.
 */
bool scope_is_all(const char *prov)
{
	size_t n = strlen(prov);
	const char *star = strchr(prov, '*');
	bool digits = strpbrk(prov, "0123456789") != NULL;

	if (!n || prov[n - 1] != '*' || strpbrk(prov, "?[\\"))
		return false;
	return star == prov + n - 1 ? n == 1 || !isdigit((unsigned char)prov[n - 2]) : !digits;
}

pid_t scope_process(const char *prov)
{
	const char *digits = prov + without_number(prov);
	long n;

	errno = 0;
	n = strtol(digits, NULL, 10);
	return !*digits || errno || n <= 0 || n > INT32_MAX ? 0 : (pid_t)n;
}

bool scope_matches_kernel(const char *prov)
{
	for (unsigned i = 0; providers_all[i]; i++)
		if (!providers_all[i]->user && glob_match(prov, providers_all[i]->name))
			return true;
	return false;
}

enum attach_scope scope_of(struct provider_env *env, const char *prov)
{
	pid_t pid = scope_process(prov);

	if (!env->by_file)
		return IN_PROCESS;
	if (scope_is_all(prov))
		return IN_ALL;
	return pid && env->followed && env->followed(env->arg, pid) ? IN_FAMILY : IN_PROCESS;
}

bool scope_serves(const char *prov, const char *name)
{
	size_t n = without_number(prov);
	char start[256];

	if (n >= sizeof(start))
		return false;
	memcpy(start, prov, n);
	start[n] = '\0';
	return n && glob_match(start, name);
}

const char *scope_provider(struct provider_env *env, const char *prov, const char *name)
{
	size_t n = without_number(prov);

	env->shared = (uint32_t)strlen(name);
	return arena_printf(env->arena, "%s%s", name, prov[n] ? prov + n : "*");
}

/* ---- callbacks that use the arena ---- */

/* The jump out of an arena without memory must not pass over those who look at processes. */
struct guarded {
	struct arena *arena;
	int (*on_process)(void *arg, pid_t pid);
	int (*on_object)(void *arg, const struct process_object *o);
	void *arg;
	pid_t pid;
	const struct process_object *o;
	bool returned, failed;
};

static int call(void *arg)
{
	struct guarded *g = arg;
	int r = g->on_object ? g->on_object(g->arg, g->o) : g->on_process(g->arg, g->pid);

	g->returned = true;
	return r;
}

static int call_guarded(struct guarded *g)
{
	int r;

	if (g->failed)
		return -ENOMEM;
	g->returned = false;
	r = arena_try(g->arena, call, g);
	g->failed = !g->returned;
	return r;
}

static int guarded_process(void *arg, pid_t pid)
{
	struct guarded *g = arg;

	g->pid = pid;
	return call_guarded(g);
}

static int guarded_object(void *arg, const struct process_object *o)
{
	struct guarded *g = arg;

	g->o = o;
	return call_guarded(g);
}

static int passed_on(const struct guarded *g, int r)
{
	if (g->failed)
		arena_fail(g->arena);
	return r;
}

int scope_objects(struct provider_env *env, pid_t pid,
	int (*fn)(void *arg, const struct process_object *o), void *arg)
{
	struct guarded g = {.arena = env->arena, .on_object = fn, .arg = arg};

	return passed_on(&g, process_objects_by(env->by, pid, guarded_object, &g));
}

int scope_files_of(struct provider_env *env, pid_t pid,
	int (*fn)(void *arg, const struct process_object *o), void *arg)
{
	struct guarded g = {.arena = env->arena, .on_object = fn, .arg = arg};

	return passed_on(&g, process_files_by(env->by, pid, guarded_object, &g));
}

int scope_processes(struct provider_env *env, int (*fn)(void *arg, pid_t pid), void *arg)
{
	struct guarded g = {.arena = env->arena, .on_process = fn, .arg = arg};

	return env->only ? fn(arg, env->only) : passed_on(&g, process_all(guarded_process, &g));
}

/* ---- files ---- */

struct files {
	struct provider_env *env;
	struct arena *arena;
	struct strmap seen;
	pid_t pid;
	int (*fn)(void *arg, pid_t pid, const struct process_object *o);
	void *arg;
};

static int one_file(void *arg, const struct process_object *o)
{
	struct files *f = arg;
	const char *key = arena_printf(
		f->arena, "%llx:%llx", (unsigned long long)o->dev, (unsigned long long)o->ino);

	if (strmap_get(&f->seen, key))
		return 0;
	strmap_put(f->arena, &f->seen, key, f);
	return f->fn(f->arg, f->pid, o);
}

static int files_of(void *arg, pid_t pid)
{
	struct files *f = arg;
	int r;

	f->pid = pid;
	r = scope_files_of(f->env, pid, one_file, f);
	return r > 0 ? r : 0; /* one that has ended, or that we may not look at, has none */
}

int scope_files(struct provider_env *env, const char *prov,
	int (*fn)(void *arg, pid_t pid, const struct process_object *o), void *arg)
{
	struct files f = {.env = env, .pid = scope_process(prov), .fn = fn, .arg = arg};
	int r;

	if (env->object)
		return fn(arg, env->only, env->object);
	f.arena = arena_own_new(env->arena);
	if (!f.arena)
		return -ENOMEM;
	r = f.pid ? scope_files_of(env, f.pid, one_file, &f) : scope_processes(env, files_of, &f);
	arena_release(env->arena, f.arena);
	return r;
}

const char *scope_no_uprobes(const struct provider_env *env, const struct probe_pattern *pat)
{
	pid_t pid = pat ? scope_process(pat->prov) : 0;
	const char *lacks;

	if (env_has_uprobes(env) && pid && process_is_closed(pid))
		return arena_printf(env->arena,
			"process %d has another user or more capabilities, which takes %s", pid,
			privilege_caps(PRIVILEGE_PROCESSES));
	if (env_has_uprobes(env))
		return NULL;
	lacks = env_lacks(env, FEATURE_UPROBE);
	if (lacks)
		return arena_printf(env->arena,
			"probes of user code take %s on this kernel, which has no uprobe.multi (Linux 6.6)",
			lacks);
	return "the kernel has no probes of user code: it needs CONFIG_UPROBE_EVENTS";
}

bool scope_is_copied(struct provider_env *env, pid_t pid, const struct process_object *o)
{
	struct copier c;

	/* a list of all processes attaches to nothing */
	if (!env->by_file || env->force || pid <= 0 || !copier_is(env->by, pid, COPIER_WHOLE, &c) ||
		!copier_concerns(&c, o))
		return false;
	if (env->only)
		return true;
	env->tag = "D_PROC_CREATEFAIL";
	env->text = arena_printf(env->arena,
		"process %d (%s) %s: a probe in %s would end it (-x force traces it nevertheless)",
		pid, c.name, c.why, o->name);
	return true;
}

/* ---- attaching ---- */

/* Asks once for each process that is asked about in a row, as the answer costs a system call. */
static bool is_headless(struct provider_env *env, pid_t pid)
{
	if (env->headless != pid && env->headless != -pid)
		env->headless = living_thread(pid) == pid ? -pid : pid;
	return env->headless == pid;
}

void scope_set_multi(struct provider_env *env, pid_t pid, struct attach_plan *plan)
{
	bool headless =
		plan->scope == IN_PROCESS && pid && (env->as_headless || is_headless(env, pid));

	plan->multi = env_has(env, FEATURE_UPROBE_MULTI) && !headless;
	if (headless && env_has(env, FEATURE_UPROBE_MULTI)) /* or all are of that type */
		plan->group += ATTACH_HEADLESS;
}
