// SPDX-License-Identifier: Apache-2.0
/* Finds the symbols that programs name, in the kernel and in the target, and the target's types. */
#include "compile/private.h"

#include <string.h>

#include "compile/compiling.h"
#include "ir/target.h"
#include "sema/typed.h"
#include "sym/process.h"
#include "sym/sym.h"
#include "sym/userland.h"
#include "target/target.h"
#include "types/dwarf.h"

bool find_kernel_symbol(void *arg, const char *module, const char *name, uint64_t *addr,
	uint64_t *size, bool *is_func)
{
	struct sym_named sym;

	if (!sym_kernel_named(module, name, &sym))
		return false;
	*addr = sym.addr;
	*size = sym.size;
	*is_func = sym.is_func;
	return true;
}

bool symbols_kernel_code(const char *const *names, uint32_t n, struct kernel_code *out)
{
	struct sym_named sym[KERNEL_CODE_MOST];
	bool all = n <= KERNEL_CODE_MOST;

	if (!all)
		return false;
	sym_kernel_all_named("vmlinux", names, n, sym);
	for (uint32_t i = 0; i < n; i++) {
		out[i] = (struct kernel_code){sym[i].found ? sym[i].addr : 0, sym[i].size};
		all = all && sym[i].found;
	}
	return all;
}

struct object_at {
	struct compiling *c;
	uint64_t addr;
	pid_t pid;
	struct user_file *file;
	uint64_t bias;
};

/* process_objects() callback: the last object that begins below the address contains it. */
static int find_object(void *arg, const struct process_object *o)
{
	struct object_at *at = arg;
	int err;

	if (o->start > at->addr)
		return 1;
	at->file = userland_file(at->c->userland, at->pid, o, &err);
	at->bias = o->bias;
	return 0;
}

bool find_target_symbol(void *arg, const char *module, const char *name, struct symbol *out,
	const struct type **type)
{
	struct compiling *c = arg;
	struct object_at at = {.c = c, .pid = targets_first(c->targets)};
	struct dwarf_file *dwarf;
	struct sym_named sym;

	if (!at.pid || !sym_user_named(at.pid, module, name, &sym))
		return false;
	out->addr = at.addr = sym.addr;
	out->size = sym.size;
	process_objects(at.pid, find_object, &at);
	dwarf = at.file ? userland_dwarf(c->userland, at.file) : NULL;
	if (dwarf)
		*type = sym.is_func ? dwarf_function(dwarf, name, sym.addr - at.bias)
				    : dwarf_variable_at(dwarf, name, sym.addr - at.bias);
	return true;
}

struct object_named {
	struct compiling *c;
	const char *name;
	pid_t pid;
	struct user_file *file;
};

/* process_objects() callback: names in D have no dots, so libc means libc.so.6. */
static int find_named(void *arg, const struct process_object *o)
{
	struct object_named *n = arg;
	size_t len = strcspn(o->name, ".");
	int err;

	if (strncmp(o->name, n->name, len) || n->name[len])
		return 0;
	n->file = userland_file(n->c->userland, n->pid, o, &err);
	return 1;
}

/* types_find_program_fn: finds an object that the target maps. */
struct dwarf_file *symbols_target_program(void *arg, const char *name)
{
	struct compiling *c = arg;
	struct object_named n = {.c = c, .name = name, .pid = targets_first(c->targets)};

	if (n.pid)
		process_objects(n.pid, find_named, &n);
	return n.file ? userland_dwarf(c->userland, n.file) : NULL;
}
