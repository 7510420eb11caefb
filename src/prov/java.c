// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the java provider: entries and returns of Java methods.
 *
 * java123 is the VM of process 123.  An agent in it (src/managed/java_agent) knows the classes, and
 * makes methods call stubs in its own file: a probe is a uprobe at a stub.  So probes of thousands
 * of methods share a program, as those of C functions do.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "managed/java_attach.h"
#include "managed/java_load.h"
#include "managed/java_say.h"
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
#include "types/type.h"
#include "types/types.h"

#define MAX_METHODS 16384 /* of the agent's stubs (java_agent/stubs.S) */
#define STUB	    8 /* bytes of a stub; a method has one for its entry and one for its return */
#define MAX_VALUES  6 /* arguments that an entry passes on */

/* The data of a probe. */
struct method_probe {
	struct java_vm *vm;
	const struct user_file *file;
	uint64_t stubs; /* the offset of the first in FILE */
	unsigned index;
	const char *name, *desc;
	bool is_static, ret;
	pid_t pid;
};

/* A description being looked for. */
struct search {
	struct provider_env *env;
	const struct probe_pattern *pat;
	probe_emit_fn emit;
	void *arg;
	const char *prov;
	struct method_probe model;
	VEC(struct java_method) methods;
	struct buf text;
	uint32_t found;
	const char *overload; /* FUNC is the name of several methods: one with its types */
	const struct java_method *read; /* the agent's answer */
	bool failed;			/* there was no memory for it */
};

static int refuse(struct provider_env *env, const char *text)
{
	env->tag = "D_PROC_GRAB";
	env->text = text;
	return -EINVAL;
}

static bool serves(const char *prov)
{
	return !strncmp(prov, "java", 4) && prov[4] && !prov[4 + strspn(prov + 4, "0123456789")];
}

static enum attach_scope in_process(struct provider_env *env, const char *prov)
{
	return IN_PROCESS;
}

/* ---- names ---- */

/* Appends the type at *D as Java writes it, without the package of java.lang; moves *D past it. */
static void append_type(struct buf *b, const char **d)
{
	static const char *const names[] = {['B'] = "byte",
		['C'] = "char",
		['D'] = "double",
		['F'] = "float",
		['I'] = "int",
		['J'] = "long",
		['S'] = "short",
		['Z'] = "boolean"};
	unsigned dims = 0;

	for (; **d == '['; (*d)++)
		dims++;
	if (**d == 'L') {
		const char *end = strchr(*d, ';');

		(*d)++;
		if (!strncmp(*d, "java/lang/", 10) &&
			!memchr(*d + 10, '/', (size_t)(end - *d - 10)))
			*d += 10;
		for (; *d < end; (*d)++)
			buf_printf(b, "%c", **d == '/' ? '.' : **d);
	} else {
		buf_printf(b, "%s", names[(unsigned char)**d]);
	}
	(*d)++;
	while (dims--)
		buf_printf(b, "[]");
}

/* Returns the name of a method that has overloads: add(int,String). */
static const char *with_types(struct search *s, const struct java_method *m)
{
	const char *d = m->desc + 1;

	s->text.len = 0;
	buf_printf(&s->text, "%s(", m->name);
	while (*d && *d != ')') {
		append_type(&s->text, &d);
		if (*d != ')')
			buf_printf(&s->text, ",");
	}
	buf_put(&s->text, ")", 2);
	return arena_strdup(s->env->arena, s->text.data);
}

/* ---- finding ---- */

static void emit_probe(
	struct search *s, const struct java_method *m, const char *func, const char *name, bool ret)
{
	struct method_probe *p;

	if (!glob_match(s->pat->name, name))
		return;
	p = arena_new_obj(s->env->arena, struct method_probe);
	*p = s->model;
	p->index = m->index;
	p->name = m->name;
	p->desc = m->desc;
	p->is_static = m->is_static;
	p->ret = ret;
	s->env->source = m->file;
	s->env->line = m->line;
	s->emit(s->arg, -1, s->prov, m->class, func, name, (uintptr_t)p);
}

/* Methods FIRST to END are those of one class. */
static void emit_class(struct search *s, uint32_t first, uint32_t end)
{
	struct strmap names = {0}; /* to the method; to S if there are several */

	for (uint32_t i = first; i < end; i++) {
		struct java_method *m = &s->methods.data[i];
		void *several = strmap_get(&names, m->name) ? s : NULL;

		strmap_put(s->env->arena, &names, m->name, several ? several : m);
	}
	for (uint32_t i = first; i < end; i++) {
		const struct java_method *m = &s->methods.data[i];
		bool overloaded = strmap_get(&names, m->name) == s;
		const char *func = overloaded ? with_types(s, m) : m->name;

		if (overloaded && !strcmp(s->pat->func, m->name))
			s->overload = func;
		if (!part_func_is(s->pat->func, func) || s->found++ >= MAX_METHODS)
			continue;
		emit_probe(s, m, func, "entry", false);
		emit_probe(s, m, func, "return", true);
	}
}

static int add_method(void *arg)
{
	struct search *s = arg;
	struct arena *a = s->env->arena;
	const struct java_method *m = s->read;
	struct java_method copy = *m;

	copy.class = arena_strdup(a, m->class);
	copy.name = arena_strdup(a, m->name);
	copy.desc = arena_strdup(a, m->desc);
	copy.file = m->file ? arena_strdup(a, m->file) : NULL;

	vec_push(s->env->arena, &s->methods, copy);
	return 0;
}

/* The jump out of an arena without memory must not pass over java_methods(). */
static void try_method(void *arg, const struct java_method *m)
{
	struct search *s = arg;

	s->read = m;
	s->failed = s->failed || arena_try(s->env->arena, add_method, s);
}

static void emit_all(struct search *s)
{
	uint32_t end;

	for (uint32_t i = 0; i < s->methods.len; i = end) {
		for (end = i + 1; end < s->methods.len &&
			!strcmp(s->methods.data[end].class, s->methods.data[i].class);
			end++)
			;
		emit_class(s, i, end);
	}
}

/* Finds the stubs in the agent's file. */
static int find_stubs(struct search *s)
{
	struct process_object o;
	struct user_file *file;
	const struct image_func *f;
	int err = process_object_of_file(java_file(s->model.vm), "/tmp/dtrace-java.so", &o);

	if (err)
		return err;
	file = userland_file(s->env->userland, 0, &o, &err);
	f = file ? image_named(file->image, "dtrace_java_stubs") : NULL;
	if (!f || !image_offset(file->image, f->vaddr, &s->model.stubs))
		return -ENOEXEC;
	s->model.file = file;
	return 0;
}

/* What a pattern finds nothing for may be loaded later, unless its class is here. */
static int none_found(struct search *s)
{
	s->env->awaited = !s->methods.len || glob_is_pattern(s->pat->mod) || !*s->pat->mod;
	if (!s->overload)
		return 0;
	return refuse(s->env,
		arena_printf(s->env->arena, "%s has overloads: name one as %s, or all as %s?*",
			s->pat->func, s->overload, s->pat->func));
}

#define START_MS 2000 /* from the VM's library to where it can be attached to */

/* True if the process may have methods now, or is refused when it is attached to. */
static bool is_there(struct search *s)
{
	bool again = s->env->only != 0;
	enum java_state state;

	if (java_is_attached(s->env->java, s->model.pid))
		return true;
	state = java_state(s->env->java, s->model.pid, again ? START_MS : 0);
	s->env->awaited = again || state == JAVA_HELD;
	return again ? state == JAVA_RUNS : state != JAVA_HELD;
}

static int find_methods(struct search *s)
{
	bool again = s->env->only != 0;
	char why[JAVA_WHY];
	int err, known;

	s->model.vm = java_attach(s->env->java, s->model.pid, why, sizeof(why));
	if (!s->model.vm)
		return refuse(s->env, arena_strdup(s->env->arena, why));
	err = find_stubs(s);
	known = err ? err : java_watch(s->model.vm, s->pat->mod, s->pat->func, again);
	if (known < 0)
		return refuse(s->env,
			arena_printf(s->env->arena, "the agent in process %d failed: %s",
				s->model.pid, strerror(-known)));
	err = java_methods(
		s->model.vm, s->pat->mod, again && known, try_method, s, why, sizeof(why));
	if (s->failed)
		arena_fail(s->env->arena);
	return err ? refuse(s->env, arena_strdup(s->env->arena, why)) : 0;
}

static int search(struct search *s)
{
	int err;

	s->model.pid = scope_process(s->pat->prov);
	if (!s->model.pid)
		return refuse(s->env, "java0 does not contain a valid pid");
	s->prov = arena_printf(s->env->arena, "java%d", s->model.pid);
	if (!is_there(s))
		return 0;
	err = find_methods(s);
	if (err)
		return err;
	emit_all(s);
	if (s->found > MAX_METHODS)
		return refuse(s->env,
			arena_printf(s->env->arena, "%u methods match, and %u can be probed",
				s->found, MAX_METHODS));
	return s->found ? 0 : none_found(s);
}

static int discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	struct search s = {.env = env, .pat = pat, .emit = emit, .arg = arg};
	int err;

	env->text = NULL;
	if (!serves(pat->prov) || !env_has_uprobes(env) ||
		!(glob_match(pat->name, "entry") || glob_match(pat->name, "return")))
		return 0;
	buf_own(&s.text, env->arena);
	err = search(&s);
	arena_release(env->arena, &s.text);
	return err;
}

/* ---- arguments ---- */

/* The stubs are called as C functions are, and have no arguments on the stack. */
static const struct arg_source raw[PROBE_NARGS] = {ARCH_C_ARGS(ARG_IN_REG, ARG_UNREADABLE)};

static const struct method_probe *method_of(const struct probe *p)
{
	return (const struct method_probe *)(uintptr_t)p->data;
}

/* The type of a value whose descriptor is at D: an identity is a number. */
static const struct type *type_of(struct types *t, const char *d)
{
	switch (*d) {
	case 'Z':
		return types_int(t, 1, false);
	case 'B':
		return types_int(t, 1, true);
	case 'S':
		return types_int(t, 2, true);
	case 'C':
		return types_int(t, 2, false);
	case 'I':
		return types_int(t, 4, true);
	case 'J':
		return types_int(t, 8, true);
	case 'V':
		return NULL;
	}
	if (!strncmp(d, "Ljava/lang/String;", 18))
		return types_ptr(t, types_int(t, 1, true));
	return types_int(t, 8, false); /* an identity, or the bits of a float or double */
}

static void describe_entry(
	struct provider_env *env, const struct method_probe *m, struct probe_args *out)
{
	const char *d = m->desc + 1;
	uint32_t n = 0;

	for (; *d != ')' && n < MAX_VALUES; d = java_desc_next(d))
		out->types[n++] = type_of(env->types, d);
	if (!m->is_static && strcmp(m->name, "<init>") && n < MAX_VALUES)
		out->types[n++] = types_int(env->types, 8, false);
	out->nargs = n;
}

static void describe_return(
	struct provider_env *env, const struct method_probe *m, struct probe_args *out)
{
	out->types[0] = types_int(env->types, 4, true);
	out->types[1] = type_of(env->types, java_desc_return(m->desc));
	out->nargs = out->types[1] ? 2 : 1;
}

static int describe(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	const struct method_probe *m = method_of(probe);

	memcpy(out->raw, raw, sizeof(out->raw));
	out->user_ptrs = true;
	if (m->ret)
		describe_return(env, m, out);
	else
		describe_entry(env, m, out);
	for (uint32_t i = 0; i < out->nargs; i++)
		out->from[i] = (uint8_t)i;
	return 0;
}

/* Writes how methods' places are attached to, without a place. */
static void plan_stub(struct provider_env *env, pid_t pid, struct attach_plan *out)
{
	out->kind = ATTACH_UPROBES;
	out->key_source = KEY_COOKIE;
	out->group = 1;
	out->raw = raw;
	attach_set_scope(out, IN_PROCESS);
	scope_set_multi(env, pid, out);
}

static int plan(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out)
{
	const struct method_probe *m = method_of(probe);
	int number;

	if (i)
		return -ENOENT;
	number = java_enable(m->vm, m->index, !m->ret, m->ret, out->args_used);
	if (number < 0)
		return -ENOSPC;
	plan_stub(env, m->pid, out);
	out->file = &m->file->at;
	out->addr = m->stubs + 2 * STUB * (uint64_t)number + (m->ret ? STUB : 0);
	out->pid = m->pid;
	return 0;
}

/* Classes may be loaded later, and the VM itself. */
static int late(struct provider_env *env, const struct probe_pattern *pat, unsigned i,
	struct attach_plan *out)
{
	if (i || !env_has_uprobes(env) ||
		!(glob_match(pat->name, "entry") || glob_match(pat->name, "return")))
		return -ENOENT;
	plan_stub(env, scope_process(pat->prov), out);
	return 0;
}

static const struct user_provider user = {
	.serves = serves,
	.scope = in_process,
	.process = scope_process,
	.looks_inside = true,
	.late = late,
};

const struct provider provider_java = {
	.name = "java",
	.attr_prov = {STAB_UNSTABLE, STAB_UNSTABLE, CLASS_COMMON},
	.attr_mod = {STAB_UNSTABLE, STAB_UNSTABLE, CLASS_COMMON},
	.attr_func = {STAB_UNSTABLE, STAB_UNSTABLE, CLASS_COMMON},
	.attr_name = {STAB_UNSTABLE, STAB_UNSTABLE, CLASS_COMMON},
	.attr_args = {STAB_UNSTABLE, STAB_UNSTABLE, CLASS_COMMON},
	.user = &user,
	.discover = discover,
	.describe = describe,
	.plan = plan,
};
