// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the python provider: entries and returns of Python functions.
 *
 * python123 is the Python of process 123.  All functions go through the same few places of the
 * interpreter, its static probes or the beginning of its loop: the programs are attached there,
 * once, and dt_function() finds the function by its code object (abi/function.h).  Its static
 * probes themselves are those of the usdt provider.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "abi/function.h"
#include "abi/managed.h"
#include "base/arena.h"
#include "base/strmap.h"
#include "base/vec.h"
#include "managed/python_functions.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/glob.h"
#include "probe/provider.h"
#include "probe/provider_env.h"
#include "probe/stability.h"
#include "probe/user_provider.h"
#include "prov/prov.h"
#include "prov/scope.h"
#include "sym/image.h"
#include "sym/process.h"
#include "sym/userland.h"
#include "usdt/notes.h"
#include "usdt/notes_cache.h"

#define WHY 256

/* The data of a probe: the functions of one name in one module. */
struct function_probe {
	const struct user_file *file;
	const struct attach_gate *gate;
	pid_t pid;
	VEC(struct attach_function) codes;
};

/* A description being looked for. */
struct search {
	struct provider_env *env;
	const struct probe_pattern *pat;
	probe_emit_fn emit;
	void *arg;
	const char *prov;
	pid_t pid;
	struct python_program python;
	const struct user_file *file;	 /* that has the interpreter; NULL: none was found */
	struct attach_gate *entry, *ret; /* NULL: there is no such place */
	struct strmap names;		 /* by module and function: struct named */
	VEC(struct named *) found;
	char why[WHY];
};

struct named {
	const char *mod, *func;
	const char *file; /* of the first of them */
	uint32_t line;
	VEC(struct attach_function) codes;
};

static int refuse(struct provider_env *env, const char *text)
{
	env->tag = "D_PROC_GRAB";
	env->text = text;
	return -EINVAL;
}

static bool serves(const char *prov)
{
	return !strncmp(prov, "python", 6) && prov[6] && !prov[6 + strspn(prov + 6, "0123456789")];
}

static enum attach_scope in_process(struct provider_env *env, const char *prov)
{
	return IN_PROCESS;
}

/* ---- the interpreter ---- */

static struct attach_gate *new_gate(struct search *s, bool ret)
{
	struct attach_gate *g = arena_new_obj(s->env->arena, struct attach_gate);
	struct dt_python *known = arena_new_obj(s->env->arena, struct dt_python);

	g->ret = ret;
	g->map = DT_MAP_PYTHONS;
	*known = s->python.python;
	g->known = known;
	g->size = sizeof(*known);
	return g;
}

static void add_place(struct attach_gate *g, uint64_t addr, uint64_t semaphore, uint8_t frame)
{
	g->places[g->nplaces].addr = addr;
	g->places[g->nplaces].semaphore = semaphore;
	g->places[g->nplaces++].frame = frame;
}

/* Returns a gate at the static probe NAME; NULL: there is none. */
static struct attach_gate *gate_of_note(
	struct search *s, const struct process_object *o, const char *name, bool ret)
{
	struct attach_gate *g = NULL;
	uint32_t n;
	const struct noted_site *sites = notes_of(s->env->notes, s->pid, o, &n);

	for (uint32_t i = 0; i < n; i++) {
		const struct sdt_note *note = &sites[i].note;

		if (strcmp(note->provider, "python") != 0 || strcmp(note->name, name) != 0)
			continue;
		if (!g)
			g = new_gate(s, ret);
		if (g->nplaces < sizeof(g->places) / sizeof(g->places[0]) - 1)
			add_place(g, note->pc_offset, note->semaphore_offset, DT_FUNCTION_CURRENT);
	}
	return g;
}

/*
 * A function that Python code calls runs in the same loop, since 3.11: the loop tells of its entry
 * only while the probe `line` is enabled, which need not be: its counter is raised by a probe at a
 * function that runs once, at the end.
 */
static bool count_lines(struct search *s, const struct process_object *o)
{
	const struct image_func *end = image_named(s->file->image, "Py_FinalizeEx");
	struct attach_gate *line = gate_of_note(s, o, "line", false);
	uint64_t off;

	if (!line || !end || !image_offset(s->file->image, end->vaddr, &off))
		return false;
	add_place(s->entry, off, line->places[0].semaphore, DT_FUNCTION_NONE);
	return true;
}

/* Before 3.11 each call is one of the loop, whose second argument is the frame. */
static struct attach_gate *gate_of_loop(struct search *s)
{
	const struct image_func *loop = image_named(s->file->image, "_PyEval_EvalFrameDefault");
	struct attach_gate *g;
	uint64_t off;

	if (!loop || !image_offset(s->file->image, loop->vaddr, &off))
		return NULL;
	g = new_gate(s, false);
	add_place(g, off, 0, DT_FUNCTION_ARGUMENT);
	return g;
}

static void find_gates(struct search *s, const struct process_object *o)
{
	unsigned version = s->python.python.version;

	if (version > 0x30b)
		return;
	s->ret = gate_of_note(s, o, "function-return", true);
	if (version < 0x30b) {
		s->entry = gate_of_loop(s);
		return;
	}
	s->entry = gate_of_note(s, o, "function-entry", false);
	if (s->entry && !count_lines(s, o))
		s->entry = NULL;
}

/* scope_objects()'s: ends with 1 where the interpreter is */
static int in_object(void *arg, const struct process_object *o)
{
	struct search *s = arg;
	int err = 0, found = python_find(s->pid, o, &s->python, s->why, sizeof(s->why));

	if (found <= 0)
		return found;
	if (scope_is_copied(s->env, s->pid, o))
		return 1;
	s->file = userland_file(s->env->userland, s->pid, o, &err);
	if (!s->file)
		return err;
	find_gates(s, o);
	return 1;
}

/* ---- finding ---- */

/* Collects F if the pattern names it, once for all of its kind. */
static void add_function(void *arg, const struct python_function *f)
{
	struct search *s = arg;
	struct named *n;
	const char *key;

	if (!glob_match(s->pat->mod, f->module) || !glob_match(s->pat->func, f->name))
		return;
	key = arena_printf(s->env->arena, "%s\n%s", f->module, f->name);
	n = strmap_get(&s->names, key);
	if (!n) {
		n = arena_new_obj(s->env->arena, struct named);
		n->mod = f->module;
		n->func = f->name;
		n->file = f->file;
		n->line = f->line;
		strmap_put(s->env->arena, &s->names, key, n);
		vec_push(s->env->arena, &s->found, n);
	}
	vec_push(s->env->arena, &n->codes,
		((struct attach_function){f->code, f->file_at, f->name_at}));
}

static void emit_probe(
	struct search *s, const struct named *n, const struct attach_gate *gate, const char *name)
{
	struct function_probe *p;

	if (!gate)
		return;
	p = arena_new_obj(s->env->arena, struct function_probe);
	p->file = s->file;
	p->gate = gate;
	p->pid = s->pid;
	p->codes.data = n->codes.data;
	p->codes.len = n->codes.len;
	s->env->source = n->file;
	s->env->line = n->line;
	s->emit(s->arg, -1, s->prov, n->mod, n->func, name, (uintptr_t)p);
}

static int no_python(struct search *s, int err)
{
	struct arena *a = s->env->arena;

	if (*s->why)
		return refuse(s->env, arena_strdup(a, s->why));
	if (err == -E2BIG)
		return refuse(s->env,
			arena_printf(a,
				"process %d has more memory or more objects than are searched for Python functions",
				s->pid));
	if (err < 0)
		return refuse(s->env, arena_printf(a, "process %d: %s", s->pid, strerror(-err)));
	return 0;
}

static int no_gates(struct search *s)
{
	unsigned version = s->python.python.version;

	return refuse(s->env,
		arena_printf(s->env->arena,
			"process %d runs Python %u.%u, which does not tell of %s: functions have probes in 3.9 and 3.10 (entry), and in 3.11 built with --with-dtrace",
			s->pid, version >> 8, version & 255,
			version < 0x30b ? "returns" : "its functions' calls"));
}

/* Finds the Python, and its gates for what the pattern is about. */
static int search_python(struct search *s)
{
	int err;

	s->pid = scope_process(s->pat->prov);
	if (!s->pid)
		return refuse(s->env, "python0 does not contain a valid pid");
	err = scope_objects(s->env, s->pid, in_object, s);
	if (!s->file)
		return s->env->text ? -EINVAL : no_python(s, err);
	if (!glob_match(s->pat->name, "entry"))
		s->entry = NULL;
	if (!glob_match(s->pat->name, "return"))
		s->ret = NULL;
	return s->entry || s->ret ? 0 : no_gates(s);
}

static int search(struct search *s)
{
	int err = search_python(s);

	if (err || !s->file)
		return err;
	s->env->awaited = !s->python.begun;
	s->prov = arena_printf(s->env->arena, "python%d", s->pid);
	err = python_functions(s->env->arena, s->pid, &s->python, add_function, s);
	if (err)
		return no_python(s, err);
	vec_for (n, &s->found) {
		emit_probe(s, *n, s->entry, "entry");
		emit_probe(s, *n, s->ret, "return");
	}
	return 0;
}

static int discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	struct search s = {.env = env, .pat = pat, .emit = emit, .arg = arg};

	env->text = NULL;
	if (!serves(pat->prov) || !env->userland || !env->notes || !env_has_uprobes(env) ||
		!(glob_match(pat->name, "entry") || glob_match(pat->name, "return")))
		return 0;
	return search(&s);
}

/* ---- attaching ---- */

static int describe(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	out->user_ptrs = true;
	return 0;
}

static void plan_gate(struct provider_env *env, pid_t pid, struct attach_plan *out)
{
	static const struct arg_source none[PROBE_NARGS];

	out->kind = ATTACH_UPROBES;
	out->key_source = KEY_COOKIE;
	out->by_function = true;
	out->group = 200; /* apart from what has places of its own */
	out->raw = none;
	attach_set_scope(out, IN_PROCESS);
	scope_set_multi(env, pid, out);
}

static int gate(struct provider_env *env, const struct probe_pattern *pat, unsigned i,
	struct attach_plan *out)
{
	struct search s = {.env = env, .pat = pat};

	if (i > 1 || search_python(&s) || !s.file)
		return -ENOENT;
	if (!s.entry) {
		s.entry = s.ret;
		s.ret = NULL;
	}
	plan_gate(env, s.pid, out);
	out->file = &s.file->at;
	out->gate = i ? s.ret : s.entry;
	out->pid = s.pid;
	return out->gate ? 0 : -ENOENT;
}

static int plan(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out)
{
	const struct function_probe *p = (const struct function_probe *)(uintptr_t)probe->data;

	if (i >= p->codes.len)
		return -ENOENT;
	plan_gate(env, p->pid, out);
	out->file = &p->file->at;
	out->gate = p->gate;
	out->function = &p->codes.data[i];
	/* tells functions apart, also those that come to be where another one was */
	out->addr = out->function->code ^ out->function->file << 20 ^ out->function->name << 40;
	out->pid = p->pid;
	return 0;
}

static int late(struct provider_env *env, const struct probe_pattern *pat, unsigned i,
	struct attach_plan *out)
{
	if (i || !env_has_uprobes(env))
		return -ENOENT;
	plan_gate(env, scope_process(pat->prov), out);
	return 0;
}

static const struct user_provider user = {
	.serves = serves,
	.scope = in_process,
	.process = scope_process,
	.by_function = true,
	.looks_inside = true,
	.gate = gate,
	.late = late,
};

const struct provider provider_python = {
	.name = "python",
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
