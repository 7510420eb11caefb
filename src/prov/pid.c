// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the pid provider: entries, returns and single instructions of the functions of
 * processes.  pid_names.c finds the functions, pid_place.c their places.
 *
 * Its probes exist by being asked for: pid123 is process 123, whose memory map and files are read
 * then; pid* is every process, and its probes belong to files.  Libraries that are mapped later are
 * found when it is asked again (struct user_provider).
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/rooted.h"
#include "base/vec.h"
#include "confine/privilege.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/glob.h"
#include "probe/provider.h"
#include "probe/provider_env.h"
#include "probe/stability.h"
#include "probe/user_provider.h"
#include "prov/pid.h"
#include "prov/pid_search.h"
#include "prov/prov.h"
#include "prov/scope.h"
#include "sym/image.h"
#include "sym/process.h"
#include "sym/userland.h"

int pid_refuse(struct provider_env *env, const char *tag, const char *text)
{
	env->tag = tag;
	env->text = text;
	return -EINVAL;
}

/* ---- pid123 ---- */

/*
 * True for pid123, pid* (all processes) and patterns like p*d123, which one process matches.  A
 * pattern that kernel providers match, too, is theirs.
 */
static bool serves(const char *prov)
{
	if (glob_is_pattern(prov))
		return scope_serves(prov, "pid") && !scope_matches_kernel(prov) &&
			(scope_is_all(prov) || scope_process(prov));
	return !strncmp(prov, "pid", 3) && prov[3] && !prov[3 + strspn(prov + 3, "0123456789")];
}

/* ---- the name ---- */

/* TEXT, hexadecimal digits alone, into *N. */
static bool parse_hex(const char *text, uint64_t *n)
{
	char *end;

	/* strtoull(3) takes a sign, blanks and 0x */
	if (!*text || text[strspn(text, "0123456789abcdefABCDEF")])
		return false;
	errno = 0;
	*n = strtoull(text, &end, 16);
	return !errno && !*end;
}

/* True if some offset is matched by a pattern: by its digits alone it cannot be told. */
static bool matches_offsets(const char *pat)
{
	return !*pat || strchr(pat, '*') || strchr(pat, '[') || strchr(pat, '?');
}

static int parse_name(struct pid_search *s)
{
	const char *name = s->pat->name;

	/* [0-9a-f]* means offsets, though it begins as "entry" does */
	s->entry =
		glob_match(name, "entry") && !(name[0] == '[' && isdigit((unsigned char)name[1]));
	s->ret = glob_match(name, "return");
	if (glob_is_pattern(name) || !*name) {
		s->offsets = matches_offsets(name);
		return 0;
	}
	s->one = !s->entry && !s->ret && parse_hex(name, &s->offset);
	if (s->entry || s->ret || s->one)
		return 0;
	return pid_refuse(s->env, "D_PROC_NAME",
		arena_printf(s->env->arena, "'%s' is an invalid probe name", name));
}

/* ---- modules ---- */

/* True if PAT is NAME without its ".so" and what follows that. */
static bool matches_stem(const char *pat, const char *name)
{
	const char *so = strstr(name, ".so");
	char stem[256];

	if (!so || (so[3] && so[3] != '.') || so - name >= (ptrdiff_t)sizeof(stem))
		return false;
	memcpy(stem, name, (size_t)(so - name));
	stem[so - name] = '\0';
	return glob_match(pat, stem);
}

/* True if PAT is a library's NAME without the end of its version: libz.so.1 of libz.so.1.2.13. */
static bool matches_version(const char *pat, const char *name)
{
	size_t n = strlen(pat);

	return strstr(pat, ".so") && !strncmp(pat, name, n) && name[n] == '.';
}

/*
 * libc is libc.so.6, a.out the program, /lib/libc.so.6 the file.  LM0`NAME is NAME among what the
 * program was started with; of the link maps that dlmopen(3) makes nothing is known.
 */
static bool matches_module(const char *pat, const char *path, const char *name, bool main)
{
	if (*pat == '/')
		return glob_match(pat, path);
	if (!strncmp(pat, "LM0`", 4))
		pat += 4;
	return glob_match(pat, name) || (main && glob_match(pat, "a.out")) ||
		matches_stem(pat, name) || matches_version(pat, name);
}

/* True if FILE comes again: a process can have it twice, as V8 does with its code. */
static bool is_seen(struct pid_search *s, const struct user_file *file)
{
	if (s->seen_in != s->pid)
		s->seen.len = 0;
	s->seen_in = s->pid;
	vec_for (seen, &s->seen)
		if (*seen == file)
			return true;
	vec_push(s->env->arena, &s->seen, file);
	return false;
}

static int in_object(void *arg, const struct process_object *o)
{
	struct pid_search *s = arg;
	struct user_file *file;
	int err = 0;

	if (!matches_module(s->pat->mod, o->path, o->name, o->main))
		return 0;
	if (s->scope != IN_ALL && scope_is_copied(s->env, s->pid, o)) {
		s->error = s->env->text ? -EINVAL : 0;
		return s->error != 0;
	}
	s->main = o->main;
	s->object = o;
	s->env->awaited = false;
	file = userland_file(s->env->userland, s->pid, o, &err);
	if (!file && err == -ENOTSUP && o->main) {
		s->error = pid_refuse(s->env, "D_PROC_GRAB",
			arena_printf(s->env->arena,
				"failed to grab process %d: %s is not a 64-bit program", s->pid,
				o->path));
		return 1;
	}
	/* no ELF file, or gone meanwhile; what is known by another name has its probes */
	if (!file || (s->scope != IN_PROCESS && file->same) || is_seen(s, file))
		return 0;
	s->error = pid_in_file(s, file);
	return s->error;
}

static bool is_code(const struct user_file *file, uint64_t vaddr)
{
	uint8_t byte;

	return image_code(file->image, vaddr, &byte, 1);
}

/* False: a function of FILE has VADDR inside one of its instructions. */
static bool may_begin_insn(const struct user_file *file, uint64_t vaddr)
{
	uint32_t n;
	const struct image_func *f = image_funcs(file->image, &n);

	for (uint32_t i = 0; i < n; i++)
		if (vaddr >= f[i].vaddr && vaddr - f[i].vaddr < f[i].size)
			return pid_begins_insn(file, &f[i], vaddr - f[i].vaddr);
	return true;
}

/*
 * "-": an instruction at an address of the file, as nm and addr2line have it.  The address in the
 * process will do as well.
 */
static int at_address(void *arg, const struct process_object *o)
{
	struct pid_search *s = arg;
	const char *mod = *s->pat->mod ? s->pat->mod : "a.out";
	uint64_t vaddr = s->offset;
	struct user_file *file;
	int err;

	if (!matches_module(mod, o->path, o->name, o->main))
		return 0;
	if (scope_is_copied(s->env, s->pid, o))
		return 1;
	s->main = o->main;
	file = userland_file(s->env->userland, s->pid, o, &err);
	if (!file)
		return 0;
	if (!is_code(file, vaddr) && is_code(file, vaddr - o->bias))
		vaddr -= o->bias;
	s->found_module = true;
	if (!is_code(file, vaddr))
		return 0;
	if (!may_begin_insn(file, vaddr) || !pid_can_probe(file, vaddr)) {
		s->error = pid_refuse(s->env, "D_PROC_CREATEFAIL",
			arena_printf(s->env->arena,
				"failed to create a probe at 0x%llx of '%s': no instruction that can be probed begins there",
				(unsigned long long)s->offset, file->name));
		return 1;
	}
	if (pid_nop_at(s->env, file, vaddr))
		env_leave_out(s->env, LEFT_RED_ZONE, file->name, "-", s->pat->name);
	else
		pid_emit_place(s, file, NULL, OFFSET, vaddr,
			arena_printf(s->env->arena, "%llx", (unsigned long long)s->offset));
	return 1;
}

static int search_address(struct pid_search *s)
{
	int err;

	if (!s->one)
		return pid_refuse(s->env, "D_PROC_NAME",
			"only individual addresses may be specified with the '-' function");
	err = scope_objects(s->env, s->pid, at_address, s);
	if (err > 0 || s->error || !s->found_module)
		return err < 0 ? err : s->error;
	return err < 0 ? err
		       : pid_refuse(s->env, "D_PROC_OFF",
				 arena_printf(s->env->arena, "address 0x%llx is not code of '%s'",
					 (unsigned long long)s->offset,
					 *s->pat->mod ? s->pat->mod : "a.out"));
}

/* ---- files that processes share ---- */

static int in_shared_file(void *arg, pid_t pid, const struct process_object *o)
{
	struct pid_search *s = arg;

	if (!matches_module(s->pat->mod, o->path, o->name, o->main))
		return 0;
	if (!s->prov)
		s->prov = scope_provider(s->env, s->pat->prov, "pid");
	s->pid = pid;
	return in_object(s, o);
}

/* A file that is named by its path need not be mapped. */
static int search_path(struct pid_search *s)
{
	const char *path = s->pat->mod;
	/* it may be another user's file, who exchanges it for a device */
	int fd = rooted_open_regular(NULL, path, 0), err = fd < 0 ? fd : 0;
	struct process_object o;

	arena_own_file(s->env->arena, fd);
	if (!err)
		err = process_object_of_file(fd, path, &o);
	if (!err) {
		o.main = true; /* a.out may be what is meant later: nobody says */
		err = in_shared_file(s, 0, &o);
	}
	arena_release_file(s->env->arena, fd);
	return err == -ENOENT || err == -ENODEV ? 0 : err;
}

/*
 * All functions of everything that runs are never meant.
 */
static int refuse_all(struct pid_search *s)
{
	return pid_refuse(s->env, "D_PROC_LIB",
		"probes of all processes need a module, as in pid*:libc.so.6:malloc:entry");
}

static int search_shared(struct pid_search *s)
{
	const char *mod = s->pat->mod;

	if (s->scope == IN_ALL && (!*mod || !strcmp(mod, "*") || !strcmp(s->pat->func, "-")))
		return refuse_all(s);
	s->prov = NULL;
	if (*mod == '/' && !glob_is_pattern(mod) && !s->env->object)
		return search_path(s);
	return scope_files(s->env, s->pat->prov, in_shared_file, s);
}

/* ---- the provider ---- */

static int bad_pid(struct provider_env *env, const char *prov)
{
	const char *quote = strcmp(prov, "pid0") ? "'" : "";

	return pid_refuse(env, "D_PROC_BADPID",
		arena_printf(
			env->arena, "%s%s%s does not contain a valid pid", quote, prov, quote));
}

static int search_process(struct pid_search *s)
{
	struct provider_env *env = s->env;

	s->pid = scope_process(s->pat->prov);
	if (!s->pid)
		return bad_pid(env, s->pat->prov);
	if (env->only && env->only != s->pid && s->scope == IN_PROCESS)
		return 0;
	if (s->pid == getpid())
		return pid_refuse(env, "D_PROC_DYN",
			arena_printf(env->arena, "process %d is dtrace itself", s->pid));
	s->prov = arena_printf(env->arena, "pid%d", s->pid);
	if (!strcmp(s->pat->func, "-"))
		return search_address(s);
	if (s->scope == IN_FAMILY)
		return search_shared(s);
	return scope_objects(s->env, s->pid, in_object, s);
}

/* A list has the probes of each process. */
static int list_process(void *arg, pid_t pid)
{
	struct pid_search *s = arg;
	int err;

	s->pid = pid;
	s->prov = arena_printf(s->env->arena, "pid%d", pid);
	err = scope_objects(s->env, pid, in_object, s);
	return err < 0 ? 0 : err;
}

static int search(struct pid_search *s)
{
	if (s->scope == IN_ALL)
		return search_shared(s);
	if (scope_is_all(s->pat->prov))
		return scope_processes(s->env, list_process, s);
	return search_process(s);
}

static int discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	struct pid_search s = {.env = env,
		.pat = pat,
		.emit = emit,
		.arg = arg,
		.scope = scope_of(env, pat->prov)};
	bool closed;
	int err;

	env->text = NULL;
	/* what a pattern finds nothing for now may be loaded later */
	env->awaited = glob_is_pattern(pat->mod) && *pat->mod && strcmp(pat->func, "-");
	if (!env_has_uprobes(env))
		return 0;
	err = parse_name(&s);
	if (err)
		return err;
	err = search(&s);
	if (env->text)
		return -EINVAL;
	closed = err < 0 && s.scope != IN_ALL && process_is_closed(s.pid);
	return err < 0
		? pid_refuse(env, "D_PROC_GRAB",
			  s.scope == IN_ALL
				  ? arena_printf(env->arena, "failed to read %s: %s",
					    *pat->mod ? pat->mod : "/proc", strerror(-err))
				  : arena_printf(env->arena, "failed to grab process %d%s%s", s.pid,
					    closed ? ": it has another user or more capabilities, which takes "
						   : "",
					    closed ? privilege_caps(PRIVILEGE_PROCESSES) : ""))
		: 0;
}

static bool in_module(const struct probe *p, const char *mod)
{
	const struct pid_place *at = (const struct pid_place *)(uintptr_t)p->data;

	return matches_module(mod, at->file->at.path, p->mod, at->main);
}

/* Libraries may be mapped later: of each kind of probe that NAME can match. */
static int late(struct provider_env *env, const struct probe_pattern *pat, unsigned i,
	struct attach_plan *out)
{
	struct pid_search s = {.env = env, .pat = pat};

	if (!env_has_uprobes(env) || !strcmp(pat->func, "-") || parse_name(&s))
		return -ENOENT;
	for (enum pid_what w = ENTRY; w <= OFFSET; w++) {
		bool is = w <= SHIFTED ? s.entry
			: w == OFFSET  ? s.offsets || s.one
				       : s.ret && pid_may_return(env, w);

		if (!is || i--)
			continue;
		pid_plan_place(env, scope_of(env, pat->prov), scope_process(pat->prov), w, out);
		return 0;
	}
	return -ENOENT;
}

static void doctor(struct provider_env *env, const struct probe_pattern *pat, struct diagnosis *out)
{
	out->missing = scope_no_uprobes(env, pat);
	if (!out->missing && !env_has(env, FEATURE_UPROBE_MULTI))
		out->degraded = "no uprobe.multi (Linux 6.6): many probes take long to attach";
}

static const struct user_provider user = {
	.serves = serves,
	.scope = scope_of,
	.process = scope_process,
	.in_module = in_module,
	.describe_types = pid_describe_types,
	.cost = pid_cost,
	.late = late,
};

const struct provider provider_pid = {
	.name = "pid",
	.attr_prov = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},
	.attr_mod = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
	.attr_func = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
	.attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS_ISA},
	.attr_args = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
	.user = &user,
	.discover = discover,
	.describe = pid_describe,
	.plan = pid_plan,
	.doctor = doctor,
};
