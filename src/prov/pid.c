// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the pid provider: entries, returns and single instructions of the functions of
 * processes.
 *
 * Its probes exist by being asked for: pid123 is process 123, whose memory map and files are read
 * then; pid* is every process, and its probes belong to files.  Libraries that are mapped later are
 * found when it is asked again (struct user_provider).
 */
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/privilege.h"
#include "base/rooted.h"
#include "base/vec.h"
#include "elf/insn.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/glob.h"
#include "probe/part.h"
#include "probe/provider.h"
#include "probe/provider_env.h"
#include "probe/stability.h"
#include "probe/user_provider.h"
#include "prov/pid.h"
#include "prov/prov.h"
#include "prov/scope.h"
#include "sym/bound.h"
#include "sym/growth.h"
#include "sym/image.h"
#include "sym/process.h"
#include "sym/userland.h"

#define MAX_PLACES 262144 /* single instructions that a description may match */

/* A description being looked for. */
struct search {
	struct provider_env *env;
	const struct probe_pattern *pat;
	probe_emit_fn emit;
	void *arg;
	const char *prov;
	enum attach_scope scope;
	pid_t pid;		  /* the process being looked at */
	bool entry, ret, offsets; /* what NAME matches */
	bool one;		  /* NAME is one offset, or address */
	uint64_t offset;
	bool main;	   /* the object being looked at is the program itself */
	bool spelled;	   /* FUNC is one function: what cannot be probed is an error */
	bool found_module; /* "-": the module is there, though the address may not be */
	const struct process_object *object; /* that is being looked at */
	uint32_t places;		     /* found by their offsets */
	int error;
	VEC(const struct user_file *) seen; /* in process SEEN_IN */
	pid_t seen_in;
};

static int refuse(struct provider_env *env, const char *tag, const char *text)
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

static int parse_name(struct search *s)
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
	return refuse(s->env, "D_PROC_NAME",
		arena_printf(s->env->arena, "'%s' is an invalid probe name", name));
}

/* ---- functions ---- */

static void emit_probe(struct search *s, const struct pid_place *place, const char *name)
{
	struct pid_place *p = arena_new_obj(s->env->arena, struct pid_place);

	*p = *place;
	p->pid = s->scope == IN_PROCESS ? s->pid : 0;
	p->scope = s->scope;
	p->main = s->main;
	s->env->file = p->file;
	s->env->twin = 0;
	s->env->source = NULL;
	if (p->func && !image_is_one(p->file->image, p->func)) {
		s->env->twin = p->func->vaddr;
		s->env->source = p->func->source;
	}
	s->emit(s->arg, -1, s->prov, p->file->name, p->func ? p->func->name : "-", name,
		(uintptr_t)p);
}

static void emit_place(struct search *s, struct user_file *file, const struct image_func *f,
	enum pid_what what, uint64_t vaddr, const char *name)
{
	struct pid_place p = {.file = file, .func = f, .what = what};

	if (image_offset(file->image, vaddr, &p.addr))
		emit_probe(s, &p, name);
}

/*
 * True if the probe is placed after the first instruction.  With checks of indirect branches
 * functions begin with endbr64, which most kernels single-step and which changes nothing: the next
 * instruction is probed if that is cheaper.
 */
static bool shifts(const struct user_file *file, const struct image_func *f)
{
	static const uint8_t endbr64[ENDBR] = {0xf3, 0x0f, 0x1e, 0xfa};
	uint8_t code[ENDBR + INSN_MAX];
	enum insn_kind kind;

	return f->size > ENDBR && image_code(file->image, f->vaddr, code, sizeof(code)) &&
		!memcmp(code, endbr64, ENDBR) && insn_decode(code + ENDBR, INSN_MAX, &kind) &&
		kind == INSN_EMULATED;
}

/* True if a probe can be placed at the instruction at VADDR. */
static bool can_probe(const struct user_file *file, uint64_t vaddr)
{
	uint8_t code[INSN_MAX];
	enum insn_kind kind;
	size_t n = sizeof(code);

	while (n && !image_code(file->image, vaddr, code, n))
		n--; /* near the end of the code */
	return insn_decode(code, n, &kind) && kind != INSN_REFUSED;
}

static void emit_entry(struct search *s, struct user_file *file, const struct image_func *f)
{
	uint64_t behind = growth_behind_check(file->image, f);

	if (shifts(file, f))
		emit_place(s, file, f, SHIFTED, f->vaddr + ENDBR, "entry");
	else if (behind && can_probe(file, behind))
		emit_place(s, file, f, ENTRY, behind, "entry");
	else
		emit_place(s, file, f, ENTRY, f->vaddr, "entry");
}

static int create_failed(struct search *s, const char *what)
{
	return refuse(s->env, "D_PROC_CREATEFAIL",
		arena_printf(s->env->arena, "%s: the kernel cannot probe this instruction", what));
}

/* No return probe can be placed in F, because of WHY. */
static int no_return(
	struct search *s, const struct user_file *file, const struct image_func *f, const char *why)
{
	if (!s->spelled)
		return 0;
	return refuse(s->env, "D_PROC_CREATEFAIL",
		arena_printf(
			s->env->arena, "failed to create return probe for '%s': %s", f->name, why));
}

static int emit_return(struct search *s, struct user_file *file, const struct image_func *f)
{
	struct pid_place p = {.file = file, .func = f};
	const char *why = NULL;
	int err = pid_returns(s->env, &p, &why);

	if (err)
		return err;
	if (why)
		return no_return(s, file, f, why);
	emit_probe(s, &p, "return");
	return 0;
}

/* Emits the entry of F and its return, as far as NAME matches them. */
static int emit_ends(struct search *s, struct user_file *file, const struct image_func *f)
{
	if (s->entry && !can_probe(file, f->vaddr)) {
		env_leave_out(s->env, LEFT_REFUSED, file->name, f->name, "entry");
		if (s->spelled)
			return create_failed(s,
				arena_printf(s->env->arena, "failed to create entry probe for '%s'",
					f->name));
	} else if (s->entry) {
		emit_entry(s, file, f);
	}
	return s->ret ? emit_return(s, file, f) : 0;
}

/* True if a probe at the instruction CODE, of LEN bytes at most, would change data below rsp. */
static bool harms_red_zone(struct provider_env *env, const uint8_t *code, size_t len)
{
	return insn_is_nop5(code, len) && !env_has(env, FEATURE_UPROBE_NOP5);
}

static bool nop_at(struct provider_env *env, const struct user_file *file, uint64_t vaddr)
{
	uint8_t code[INSN_NOP5];

	return image_code(file->image, vaddr, code, sizeof(code)) &&
		harms_red_zone(env, code, sizeof(code));
}

/* Emits the instructions of F whose offsets match NAME. */
static int emit_offsets(struct search *s, struct user_file *file, const struct image_func *f)
{
	struct arena_held held_code, held_at;
	uint8_t *code = malloc(f->size);
	uint32_t *at = calloc(f->size, sizeof(*at)), n = 0;

	arena_hold(s->env->arena, &held_code, free, code);
	arena_hold(s->env->arena, &held_at, free, at);
	if (code && at && f->size < UINT32_MAX && image_code(file->image, f->vaddr, code, f->size))
		n = insn_boundaries(code, f->size, at, (uint32_t)f->size);
	for (uint32_t i = 0; i < n && s->places <= MAX_PLACES; i++) {
		enum insn_kind kind;
		char name[20];

		snprintf(name, sizeof(name), "%x", at[i]);
		if (!glob_match(s->pat->name, name))
			continue;
		insn_decode(code + at[i], f->size - at[i], &kind);
		if (kind == INSN_REFUSED) {
			env_leave_out(s->env, LEFT_REFUSED, file->name, f->name, name);
			continue;
		}
		if (at[i] && harms_red_zone(s->env, code + at[i], f->size - at[i])) {
			env_leave_out(s->env, LEFT_RED_ZONE, file->name, f->name, name);
			continue;
		}
		s->places++;
		emit_place(s, file, f, OFFSET, f->vaddr + at[i], arena_strdup(s->env->arena, name));
	}
	arena_let_go(s->env->arena, &held_at);
	arena_let_go(s->env->arena, &held_code);
	if (s->places <= MAX_PLACES)
		return 0;
	return refuse(s->env, "D_PROC_CREATEFAIL",
		arena_printf(s->env->arena,
			"failed to create probes at '%s+*': more than %u instructions match",
			f->name, MAX_PLACES));
}

static bool begins_insn(const struct user_file *file, const struct image_func *f, uint64_t offset)
{
	uint8_t *code = malloc(f->size);
	uint64_t at = 0;

	if (!code || !image_code(file->image, f->vaddr, code, f->size)) {
		free(code);
		return false;
	}
	while (at < offset) {
		unsigned len = insn_decode(code + at, f->size - at, NULL);

		if (!len)
			break;
		at += len;
	}
	free(code);
	return at == offset;
}

static int emit_offset(struct search *s, struct user_file *file, const struct image_func *f)
{
	const char *what = arena_printf(s->env->arena, "failed to create probes at '%s+0x%llx'",
		f->name, (unsigned long long)s->offset);

	if (s->offset >= f->size)
		return 0;
	if (!begins_insn(file, f, s->offset))
		return s->spelled ? refuse(s->env, "D_PROC_CREATEFAIL",
					    arena_printf(s->env->arena,
						    "%s: no instruction begins there", what))
				  : 0;
	if (!can_probe(file, f->vaddr + s->offset)) {
		env_leave_out(s->env, LEFT_REFUSED, file->name, f->name, s->pat->name);
		return s->spelled ? create_failed(s, what) : 0;
	}
	if (s->offset && nop_at(s->env, file, f->vaddr + s->offset)) {
		env_leave_out(s->env, LEFT_RED_ZONE, file->name, f->name, s->pat->name);
		return s->spelled ? refuse(s->env, "D_PROC_CREATEFAIL",
					    arena_printf(s->env->arena, "%s: %s", what,
						    left_reason(LEFT_RED_ZONE)))
				  : 0;
	}
	emit_place(s, file, f, OFFSET, f->vaddr + s->offset,
		arena_printf(s->env->arena, "%llx", (unsigned long long)s->offset));
	return 0;
}

static int emit_function(struct search *s, struct user_file *file, const struct image_func *f)
{
	int err = emit_ends(s, file, f);

	if (!err && s->offsets)
		err = emit_offsets(s, file, f);
	if (!err && s->one)
		err = emit_offset(s, file, f);
	return err;
}

/* ---- names ---- */

/* A search for what FUNC, which is no pattern, means in a file. */
struct naming {
	struct search *s;
	struct user_file *file;
	uint32_t found;	 /* functions */
	bool far_enough; /* the offset is inside one of them */
};

static int count_named(void *arg, const struct image_func *f)
{
	(void)f;
	++*(uint32_t *)arg;
	return 0;
}

static int on_named(void *arg, const struct image_func *f)
{
	struct naming *n = arg;

	n->found++;
	n->far_enough |= !n->s->one || n->s->offset < f->size;
	return emit_function(n->s, n->file, f);
}

/* Emits the probes of the function at VADDR of FILE, which is called NAME in this process. */
static int emit_chosen(struct search *s, struct user_file *file, const char *name, uint64_t vaddr)
{
	struct image_func *f = arena_new_obj(s->env->arena, struct image_func);

	*f = *image_at(file->image, vaddr);
	f->name = name;
	return emit_function(s, file, f);
}

/* True if the function at VADDR is matched by one of its own names. */
static bool has_own_name(const struct search *s, struct user_file *file, uint64_t vaddr)
{
	uint32_t n;
	const struct image_func *all = image_funcs(file->image, &n);
	const struct image_func *f = image_at(file->image, vaddr), *end = all + n;

	for (; f < end && f->vaddr == vaddr; f++)
		if (func_is(s->pat->func, f->name))
			return true;
	return false;
}

/*
 * Emits the probes of the names that FUNC matches whose functions are chosen by the process: they
 * are those of the function that it has chosen.
 */
static int chosen_functions(struct search *s, struct user_file *file, struct naming *n)
{
	uint32_t nchosen;
	const struct image_ifunc *v = image_ifuncs(file->image, &nchosen);
	struct arena_held held;
	uint64_t *to = NULL;
	bool any = false;
	int err = 0;

	for (uint32_t i = 0; i < nchosen && !any; i++)
		any = func_is(s->pat->func, v[i].name);
	if (!any)
		return 0;
	to = calloc(nchosen, sizeof(*to));
	arena_hold(s->env->arena, &held, free, to);
	if (!to || bound_find(s->env->by, s->pid, s->object, file->at.fd, file->image, to))
		err = -ENOMEM;
	for (uint32_t i = 0; !err && i < nchosen; i++) {
		if (!func_is(s->pat->func, v[i].name) || (to[i] && has_own_name(s, file, to[i])))
			continue;
		if (!to[i]) {
			env_leave_out(s->env, LEFT_UNBOUND, file->name, v[i].name, s->pat->name);
			continue;
		}
		n->found++;
		n->far_enough = true;
		err = emit_chosen(s, file, v[i].name, to[i]);
	}
	arena_let_go(s->env->arena, &held);
	return err;
}

/* Returns the functions that NAME may be a choice of: "__strlen_avx2, __strlen_sse2"; "" unknown.
 */
static const char *candidates(struct search *s, const struct user_file *file, const char *name)
{
	uint32_t n;
	const struct image_func *f = image_funcs(file->image, &n);
	const char *list = "";
	size_t len = strlen(name);

	for (uint32_t i = 0; i < n; i++) {
		const char *at = f[i].name + strspn(f[i].name, "_");

		if (!f[i].alias && !strncmp(at, name, len) && (at[len] == '_' || at[len] == '.'))
			list = arena_printf(
				s->env->arena, "%s%s%s", list, *list ? ", " : "", f[i].name);
	}
	return list;
}

static bool is_chosen(const struct user_file *file, const char *name)
{
	uint32_t n;
	const struct image_ifunc *v = image_ifuncs(file->image, &n);

	for (uint32_t i = 0; i < n; i++)
		if (!strcmp(v[i].name, name))
			return true;
	return false;
}

static int unknown_function(struct search *s, const struct user_file *file)
{
	const char *func = s->pat->func, *mod = s->pat->mod, *list;

	if (!is_chosen(file, func))
		return refuse(s->env, "D_PROC_FUNC",
			arena_printf(
				s->env->arena, "failed to lookup '%s' in module '%s'", func, mod));
	list = candidates(s, file, func);
	return refuse(s->env, "D_PROC_FUNC",
		arena_printf(s->env->arena, "failed to lookup '%s' in module '%s': %s%s%s", func,
			mod, left_reason(LEFT_UNBOUND), *list ? "; these are " : "", list));
}

/* Emits the probes of what is named without a pattern. */
static int named_functions(struct search *s, struct user_file *file)
{
	struct naming n = {.s = s, .file = file};
	const char *func = s->pat->func, *mod = s->pat->mod;
	uint32_t meant = 0;
	int err;

	image_each_named(file->image, func, count_named, &meant);
	s->spelled = meant <= 1; /* of several what cannot be probed is left out */
	err = image_each_named(file->image, func, on_named, &n);
	if (!err)
		err = chosen_functions(s, file, &n);
	if (err || !*mod || glob_is_pattern(mod))
		return err;
	if (!n.found)
		return unknown_function(s, file);
	if (!n.far_enough)
		return refuse(s->env, "D_PROC_OFF",
			arena_printf(s->env->arena, "offset 0x%llx outside of function '%s'",
				(unsigned long long)s->offset, func));
	return 0;
}

/* True if FUNC matches one of the two names of F. */
static bool has_name(const struct search *s, struct user_file *file, const struct image_func *f)
{
	const char *func = s->pat->func, *plain;

	if (glob_match(func, f->name))
		return true;
	if (*f->name != '_' || !env_demangles(s->env))
		return false;
	plain = image_plain_name(file->image, f);
	return func_is(func, plain);
}

/* True if FUNC can be the demangled name of a function. */
static bool is_plain_name(const char *func)
{
	return strpbrk(func, "(:");
}

static int in_file(struct search *s, struct user_file *file)
{
	const struct image_func *f;
	bool taken = false; /* one of the names that the function has */
	uint32_t n;
	int err = 0;

	if (*s->pat->func && !glob_is_pattern(s->pat->func) &&
		(image_named(file->image, s->pat->func) || !is_plain_name(s->pat->func)))
		return named_functions(s, file);
	f = image_funcs(file->image, &n);
	for (uint32_t i = 0; !err && i < n; i++) {
		taken &= f[i].alias;
		if (taken || !has_name(s, file, &f[i]))
			continue;
		taken = true;
		err = emit_function(s, file, &f[i]);
	}
	return err ? err : chosen_functions(s, file, &(struct naming){0});
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
static bool is_seen(struct search *s, const struct user_file *file)
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
	struct search *s = arg;
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
		s->error = refuse(s->env, "D_PROC_GRAB",
			arena_printf(s->env->arena,
				"failed to grab process %d: %s is not a 64-bit program", s->pid,
				o->path));
		return 1;
	}
	/* no ELF file, or gone meanwhile; what is known by another name has its probes */
	if (!file || (s->scope != IN_PROCESS && file->same) || is_seen(s, file))
		return 0;
	s->error = in_file(s, file);
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
			return begins_insn(file, &f[i], vaddr - f[i].vaddr);
	return true;
}

/*
 * "-": an instruction at an address of the file, as nm and addr2line have it.  The address in the
 * process will do as well.
 */
static int at_address(void *arg, const struct process_object *o)
{
	struct search *s = arg;
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
	if (!may_begin_insn(file, vaddr) || !can_probe(file, vaddr)) {
		s->error = refuse(s->env, "D_PROC_CREATEFAIL",
			arena_printf(s->env->arena,
				"failed to create a probe at 0x%llx of '%s': no instruction that "
				"can be probed begins there",
				(unsigned long long)s->offset, file->name));
		return 1;
	}
	if (nop_at(s->env, file, vaddr))
		env_leave_out(s->env, LEFT_RED_ZONE, file->name, "-", s->pat->name);
	else
		emit_place(s, file, NULL, OFFSET, vaddr,
			arena_printf(s->env->arena, "%llx", (unsigned long long)s->offset));
	return 1;
}

static int search_address(struct search *s)
{
	int err;

	if (!s->one)
		return refuse(s->env, "D_PROC_NAME",
			"only individual addresses may be specified with the '-' function");
	err = scope_objects(s->env, s->pid, at_address, s);
	if (err > 0 || s->error || !s->found_module)
		return err < 0 ? err : s->error;
	return err < 0 ? err
		       : refuse(s->env, "D_PROC_OFF",
				 arena_printf(s->env->arena, "address 0x%llx is not code of '%s'",
					 (unsigned long long)s->offset,
					 *s->pat->mod ? s->pat->mod : "a.out"));
}

/* ---- files that processes share ---- */

static int in_shared_file(void *arg, pid_t pid, const struct process_object *o)
{
	struct search *s = arg;

	if (!matches_module(s->pat->mod, o->path, o->name, o->main))
		return 0;
	if (!s->prov)
		s->prov = scope_provider(s->env, s->pat->prov, "pid");
	s->pid = pid;
	return in_object(s, o);
}

/* A file that is named by its path need not be mapped. */
static int search_path(struct search *s)
{
	const char *path = s->pat->mod;
	/* it may be another user's file, who exchanges it for a device */
	int fd = rooted_open_regular(NULL, path, 0), err = fd < 0 ? fd : 0;
	struct process_object o;
	struct arena_held held;

	arena_hold_file(s->env->arena, &held, &fd);
	if (!err)
		err = process_object_of_file(fd, path, &o);
	if (!err) {
		o.main = true; /* a.out may be what is meant later: nobody says */
		err = in_shared_file(s, 0, &o);
	}
	arena_let_go(s->env->arena, &held);
	return err == -ENOENT || err == -ENODEV ? 0 : err;
}

/*
 * All functions of everything that runs are never meant.
 */
static int refuse_all(struct search *s)
{
	return refuse(s->env, "D_PROC_LIB",
		"probes of all processes need a module, as in pid*:libc.so.6:malloc:entry");
}

static int search_shared(struct search *s)
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

	return refuse(env, "D_PROC_BADPID",
		arena_printf(
			env->arena, "%s%s%s does not contain a valid pid", quote, prov, quote));
}

static int search_process(struct search *s)
{
	struct provider_env *env = s->env;

	s->pid = scope_process(s->pat->prov);
	if (!s->pid)
		return bad_pid(env, s->pat->prov);
	if (env->only && env->only != s->pid && s->scope == IN_PROCESS)
		return 0;
	if (s->pid == getpid())
		return refuse(env, "D_PROC_DYN",
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
	struct search *s = arg;
	int err;

	s->pid = pid;
	s->prov = arena_printf(s->env->arena, "pid%d", pid);
	err = scope_objects(s->env, pid, in_object, s);
	return err < 0 ? 0 : err;
}

static int search(struct search *s)
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
	struct search s = {.env = env,
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
		? refuse(env, "D_PROC_GRAB",
			  s.scope == IN_ALL
				  ? arena_printf(env->arena, "failed to read %s: %s",
					    *pat->mod ? pat->mod : "/proc", strerror(-err))
				  : arena_printf(env->arena, "failed to grab process %d%s%s", s.pid,
					    closed ? ": it has another user or more "
						     "capabilities, which takes "
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
	struct search s = {.env = env, .pat = pat};

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
