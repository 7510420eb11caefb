// SPDX-License-Identifier: Apache-2.0
/* Finds types in the scope of D, the kernel, one of its modules or a program. */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "types/dwarf.h"
#include "types/table.h"
#include "types/types.h"

void types_set_module_loader(struct types *t, types_load_module_fn load, void *arg)
{
	t->load_module = load;
	t->load_module_arg = arg;
}

void types_set_program_finder(struct types *t, types_find_program_fn find, void *arg)
{
	t->find_program = find;
	t->find_program_arg = arg;
}

static void open_module(struct types *t, struct type_source *m)
{
	struct type_source *kernel;
	const void *data = NULL;
	size_t len = 0;
	int err = -ENOENT;

	if (t->load_module)
		err = t->load_module(t->load_module_arg, m->name, &data, &len);
	m->unknown = err == -ENOENT;
	kernel = err ? NULL : types_kernel(t);
	if (kernel)
		m->btf = btf_open(t->arena, data, len, kernel->btf, &err);
	if (err && !m->unknown && !t->error)
		t->error = err;
}

/* Module NAME, read at the first time; its btf is NULL when it cannot be. */
static struct type_source *find_module(struct types *t, const char *name)
{
	struct type_source *m = t->modules;

	while (m && strcmp(m->name, name))
		m = m->next;
	if (m)
		return m;
	m = arena_new_obj(t->arena, struct type_source);
	m->types = t;
	m->by_id.arena = t->arena;
	m->name = arena_strdup(t->arena, name);
	m->next = t->modules;
	t->modules = m;
	open_module(t, m);
	return m;
}

struct type_source *source_named(struct types *t, const char *module, bool *unknown_module)
{
	struct type_source *m;

	*unknown_module = false;
	if (!strcmp(module, "D") || !strcmp(module, "C"))
		return NULL;
	if (!*module || !strcmp(module, "vmlinux"))
		return types_kernel(t);
	m = find_module(t, module);
	*unknown_module = m->unknown;
	return m->btf ? m : NULL;
}

const struct type *module_body(struct types *t, enum btf_class klass, const char *name)
{
	for (struct type_source *m = t->modules; m; m = m->next) {
		const struct type *type = m->btf ? source_find(m, klass, name) : NULL;

		if (type && type->kind != TYPE_FWD)
			return type;
	}
	return NULL;
}

/* The base types of C, which BTF spells otherwise, are the same everywhere. */
static const struct type *base_type(struct types *t, enum type_space space, const char *name)
{
	char canon[32];

	if (space != SPACE_ORDINARY || !type_canonical_int(name, canon, sizeof(canon)))
		return NULL;
	return own_type(t, canon);
}

static const struct type *lookup_kernel(struct types *t, enum type_space space, const char *name)
{
	const struct type *type = base_type(t, space, name);

	return type ? type : kernel_type(t, space_class(space), name);
}

static const struct type *lookup_any(struct types *t, enum type_space space, const char *name)
{
	const struct type *type = lookup_kernel(t, space, name), *body = NULL;

	if (!type || type->kind == TYPE_FWD)
		body = module_body(t, space_class(space), name);
	return body ? body : type;
}

static const struct type *lookup_program(struct types *t, const char *program,
	enum type_space space, const char *name, bool *unknown)
{
	struct dwarf_file *f = t->find_program(t->find_program_arg, program);

	*unknown = !f;
	return f ? dwarf_type(f, space, name) : NULL;
}

static const struct type *lookup_module(struct types *t, const char *module, enum type_space space,
	const char *name, bool *unknown_module)
{
	struct type_source *m = source_named(t, module, unknown_module);
	const struct type *type;

	if (*unknown_module && t->find_program)
		return lookup_program(t, module, space, name, unknown_module);
	if (!m)
		return NULL;
	type = base_type(t, space, name);
	return type ? type : source_find(m, space_class(space), name);
}

const struct type *types_lookup_in(struct types *t, const char *module, enum type_space space,
	const char *name, bool *unknown_module)
{
	*unknown_module = false;
	if (!strcmp(module, "D"))
		return space == SPACE_ORDINARY ? own_type(t, name) : types_own_tag(t, space, name);
	if (!strcmp(module, "C"))
		return NULL;
	if (!strcmp(module, "vmlinux"))
		return lookup_kernel(t, space, name);
	if (!*module)
		return lookup_any(t, space, name);
	return lookup_module(t, module, space, name, unknown_module);
}
