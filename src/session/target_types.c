// SPDX-License-Identifier: Apache-2.0
/* What the compiler asks of the target's programs: symbols by name, and types. */
#include "session/handle.h"
#include "sym/userland.h"

#include <string.h>

struct object_at {
	struct dtrace *d;
	uint64_t addr;
	pid_t pid;
	struct user_file *file;
	uint64_t bias;
};

/* process_objects(): the last one that begins below the address has it. */
static int find_object(void *arg, const struct process_object *o)
{
	struct object_at *at = arg;
	int err;

	if (o->start > at->addr)
		return 1;
	at->file = userland_file(at->d->userland, at->pid, o, &err);
	at->bias = o->bias;
	return 0;
}

bool compile_target_symbol(void *arg, const char *module, const char *name, struct symbol *out,
	const struct type **type)
{
	struct dtrace *d = arg;
	struct object_at at = {.d = d, .pid = targets_first(d->targets)};
	struct dwarf_file *dwarf;
	struct sym_named sym;

	if (!at.pid || !sym_user_named(at.pid, module, name, &sym))
		return false;
	out->addr = at.addr = sym.addr;
	out->size = sym.size;
	process_objects(at.pid, find_object, &at);
	dwarf = at.file ? userland_dwarf(d->userland, at.file) : NULL;
	if (dwarf)
		*type = sym.is_func ? dwarf_function(dwarf, name, sym.addr - at.bias)
				    : dwarf_variable_at(dwarf, name, sym.addr - at.bias);
	return true;
}

struct object_named {
	struct dtrace *d;
	const char *name;
	pid_t pid;
	struct user_file *file;
};

/* process_objects(): a name in D has no dots: libc is libc.so.6. */
static int find_named(void *arg, const struct process_object *o)
{
	struct object_named *n = arg;
	size_t len = strcspn(o->name, ".");
	int err;

	if (strncmp(o->name, n->name, len) || n->name[len])
		return 0;
	n->file = userland_file(n->d->userland, n->pid, o, &err);
	return 1;
}

/* types_find_program_fn: what the target maps. */
static struct dwarf_file *find_program(void *arg, const char *name)
{
	struct dtrace *d = arg;
	struct object_named n = {.d = d, .name = name, .pid = targets_first(d->targets)};

	if (n.pid)
		process_objects(n.pid, find_named, &n);
	return n.file ? userland_dwarf(d->userland, n.file) : NULL;
}

void compile_find_programs(struct dtrace *d)
{
	types_set_program_finder(d->types, find_program, d);
}
