// SPDX-License-Identifier: Apache-2.0
/* Finds the functions that a name means in a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "probe/glob.h"
#include "probe/part.h"
#include "probe/probe.h"
#include "probe/provider_env.h"
#include "prov/pid_search.h"
#include "sym/bound.h"
#include "sym/image.h"
#include "sym/userland.h"

#define CANDIDATES_MOST 30 /* functions that a message names; a libc has 20 of memcpy */

/* A search for what FUNC, which is no pattern, means in a file. */
struct naming {
	struct pid_search *s;
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
	return pid_emit_function(n->s, n->file, f);
}

/* Emits the probes of the function at VADDR of FILE, which is called NAME in this process. */
static int emit_chosen(
	struct pid_search *s, struct user_file *file, const char *name, uint64_t vaddr)
{
	struct image_func *f = arena_new_obj(s->env->arena, struct image_func);

	*f = *image_at(file->image, vaddr);
	f->name = name;
	return pid_emit_function(s, file, f);
}

/* True if the function at VADDR is matched by one of its own names. */
static bool has_own_name(const struct pid_search *s, struct user_file *file, uint64_t vaddr)
{
	uint32_t n;
	const struct image_func *all = image_funcs(file->image, &n);
	const struct image_func *f = image_at(file->image, vaddr), *end = all + n;

	for (; f < end && f->vaddr == vaddr; f++)
		if (part_func_is(s->pat->func, f->name))
			return true;
	return false;
}

/*
 * Emits the probes of the names that FUNC matches whose functions are chosen by the process: they
 * are those of the function that it has chosen.
 */
static int chosen_functions(struct pid_search *s, struct user_file *file, struct naming *n)
{
	uint32_t nchosen;
	const struct image_ifunc *v = image_ifuncs(file->image, &nchosen);
	uint64_t *to = NULL;
	bool any = false;
	int err = 0;

	for (uint32_t i = 0; i < nchosen && !any; i++)
		any = part_func_is(s->pat->func, v[i].name);
	if (!any)
		return 0;
	to = calloc(nchosen, sizeof(*to));
	arena_own(s->env->arena, free, to);
	if (!to || bound_find(s->env->by, s->pid, s->object, file->at.fd, file->image, to))
		err = -ENOMEM;
	for (uint32_t i = 0; !err && i < nchosen; i++) {
		if (!part_func_is(s->pat->func, v[i].name) ||
			(to[i] && has_own_name(s, file, to[i])))
			continue;
		if (!to[i]) {
			env_leave_out(s->env, LEFT_UNBOUND, file->name, v[i].name, s->pat->name);
			continue;
		}
		n->found++;
		n->far_enough = true;
		err = emit_chosen(s, file, v[i].name, to[i]);
	}
	arena_release(s->env->arena, to);
	return err;
}

/* Returns some of the functions that NAME may be a choice of: "__strlen_avx2, __strlen_sse2"; ""
 * unknown. */
static const char *candidates(struct pid_search *s, const struct user_file *file, const char *name)
{
	uint32_t n, found = 0;
	const struct image_func *f = image_funcs(file->image, &n);
	const char *list = "";
	size_t len = strlen(name);

	for (uint32_t i = 0; i < n; i++) {
		const char *at = f[i].name + strspn(f[i].name, "_");

		if (f[i].alias || strncmp(at, name, len) || (at[len] != '_' && at[len] != '.'))
			continue;
		if (++found > CANDIDATES_MOST)
			return arena_printf(s->env->arena, "%s, ...", list);
		list = arena_printf(s->env->arena, "%s%s%s", list, *list ? ", " : "", f[i].name);
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

static int unknown_function(struct pid_search *s, const struct user_file *file)
{
	const char *func = s->pat->func, *mod = s->pat->mod, *list;

	if (!is_chosen(file, func))
		return pid_refuse(s->env, "D_PROC_FUNC",
			arena_printf(
				s->env->arena, "failed to lookup '%s' in module '%s'", func, mod));
	list = candidates(s, file, func);
	return pid_refuse(s->env, "D_PROC_FUNC",
		arena_printf(s->env->arena, "failed to lookup '%s' in module '%s': %s%s%s", func,
			mod, left_reason(LEFT_UNBOUND), *list ? "; these are " : "", list));
}

/* Emits the probes of what is named without a pattern. */
static int named_functions(struct pid_search *s, struct user_file *file)
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
		return pid_refuse(s->env, "D_PROC_OFF",
			arena_printf(s->env->arena, "offset 0x%llx outside of function '%s'",
				(unsigned long long)s->offset, func));
	return 0;
}

/* True if FUNC matches one of the two names of F. */
static bool has_name(const struct pid_search *s, struct user_file *file, const struct image_func *f)
{
	const char *func = s->pat->func, *plain;

	if (glob_match(func, f->name))
		return true;
	if (*f->name != '_' || !env_demangles(s->env))
		return false;
	plain = image_plain_name(file->image, f);
	return part_func_is(func, plain);
}

/* True if FUNC can be the demangled name of a function. */
static bool is_plain_name(const char *func)
{
	return strpbrk(func, "(:");
}

int pid_in_file(struct pid_search *s, struct user_file *file)
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
		err = pid_emit_function(s, file, &f[i]);
	}
	return err ? err : chosen_functions(s, file, &(struct naming){0});
}
