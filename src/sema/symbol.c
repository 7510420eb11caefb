// SPDX-License-Identifier: Apache-2.0
/*
 * Resolves symbols: `name, module`name of the kernel, ``name, module``name of the target.  The
 * address comes from the kernel's list of symbols, the type from its type information; of the
 * target from its files and their debug information.
 */
#include "sema/sema_int.h"

#include <string.h>

#include "base/arena.h"
#include "probe/stability.h"
#include "sema/typed.h"
#include "types/types.h"

static bool unknown(struct sema *s, const struct expr *e, const char *why)
{
	return sema_error(s, e->loc, "D_IDENT_UNDEF", "failed to resolve %s: %s", e->name, why);
}

/* Returns the symbol's C type; *PERCPU when each CPU has its own. */
static const struct type *symbol_type(
	struct sema *s, const char *module, const char *name, bool is_func, bool *percpu)
{
	*percpu = false;
	return is_func ? types_function_in(s->types, module, name)
		       : types_variable_in(s->types, module, name, percpu);
}

/* arch/x86/include/asm/percpu.h: a variable's address plus its CPU's offset. */
static bool percpu_base(struct sema *s, struct symbol *sym)
{
	uint64_t size;
	bool is_func;

	return s->cfg->symbol(
		s->cfg->arg, "vmlinux", "__per_cpu_offset", &sym->percpu_base, &size, &is_func);
}

static bool in_kernel(struct sema *s, const char *module, const char *name)
{
	uint64_t addr, size;
	bool is_func;

	return s->cfg->symbol && s->cfg->symbol(s->cfg->arg, module, name, &addr, &size, &is_func);
}

static bool in_target(struct sema *s, const char *module, const char *name, struct symbol *sym,
	const struct type **type)
{
	*type = NULL;
	return s->cfg->user_symbol && s->cfg->user_symbol(s->cfg->arg, module, name, sym, type);
}

/* No such symbol of the kernel, or none is shown. */
static bool unknown_kernel_symbol(struct sema *s, const struct expr *e)
{
	const char *hides = s->cfg->hides ? s->cfg->hides() : NULL;

	return unknown(s, e, hides ? hides : "Unknown symbol name");
}

static bool use_symbol(struct sema *s, struct expr *e, struct symbol *sym)
{
	sema_info(s, e)->ref = REF_SYMBOL;
	sema_info(s, e)->symbol = sym;
	return sema_use_attrs(
		s, e->loc, e->name, (struct attributes){STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN});
}

/* Resolves ``NAME of the target's MODULE. */
static bool user_symbol(
	struct sema *s, struct expr *e, const char *module, const char *name, struct symbol *sym)
{
	const struct type *type;

	if (!*name || strchr(name, '`'))
		return unknown(s, e, "Unknown symbol name");
	if (!in_target(s, module, name, sym, &type))
		return in_kernel(s, module, name)
			? sema_error(s, e->loc, "D_SYM_BADREF",
				  "%s is a kernel symbol: it takes one scoping mark", e->name)
			: unknown(s, e, "Unknown symbol name");
	if (!type)
		return sema_error(s, e->loc, "D_SYM_NOTYPES",
			"no symbolic type information is available for %s: its file has no debug information about it",
			e->name);
	sym->name = name;
	sym->is_user = true;
	e->type = type;
	return use_symbol(s, e, sym);
}

/* The kernel's answer about a symbol: each question reads all of its symbols, which takes 50 ms. */
struct kernel_symbol {
	uint64_t addr, size;
	bool is_func;
};

/* Finds NAME of MODULE, which SPELLED has both of; each is asked for once.  NULL: there is none. */
static const struct kernel_symbol *kernel_symbol(
	struct sema *s, const char *spelled, const char *module, const char *name)
{
	struct kernel_symbol *k = strmap_get(&s->kernel_symbols, spelled), found = {0};

	if (k || !s->cfg->symbol ||
		!s->cfg->symbol(
			s->cfg->arg, module, name, &found.addr, &found.size, &found.is_func))
		return k;
	k = arena_new_obj(s->arena, struct kernel_symbol);
	*k = found;
	strmap_put(s->arena, &s->kernel_symbols, arena_strdup(s->arena, spelled), k);
	return k;
}

/*
 * Checks a function in a library of the system's, of which programs use little: that there is one
 * its type tells.  Where its inline or translator is used it is checked again, with its address.
 */
static bool function_of_library(
	struct sema *s, struct expr *e, const char *module, const char *name, struct symbol *sym)
{
	if (!s->cfg->lenient || (s->cfg->hides && s->cfg->hides()))
		return false;
	e->type = types_function_in(s->types, module, name);
	sym->name = name;
	return e->type && use_symbol(s, e, sym);
}

bool sema_symbol(struct sema *s, struct expr *e)
{
	const char *mark = strchr(e->name, '`'), *name = mark + 1;
	const char *module = arena_strndup(s->arena, e->name, (size_t)(mark - e->name));
	struct symbol *sym = arena_new_obj(s->arena, struct symbol);
	const struct kernel_symbol *known;
	const struct type *type;

	if (*name == '`')
		return user_symbol(s, e, module, name + 1, sym);
	if (!*name || strchr(name, '`'))
		return sema_error(
			s, e->loc, "D_SYNTAX", "improper use of scoping operator: %s", e->name);
	if (function_of_library(s, e, module, name, sym))
		return true;
	known = kernel_symbol(s, e->name, module, name);
	if (!known)
		return in_target(s, module, name, sym, &type)
			? sema_error(s, e->loc, "D_SYM_BADREF",
				  "%s is a symbol of the target: it takes two scoping marks",
				  e->name)
			: unknown_kernel_symbol(s, e);
	sym->addr = known->addr;
	sym->size = known->size;
	sym->name = name;
	e->type = symbol_type(s, module, name, known->is_func, &sym->percpu);
	if (!e->type)
		return sema_error(s, e->loc, "D_SYM_NOTYPES",
			"no symbolic type information is available for %s: the kernel's type information has functions and per-CPU variables only",
			e->name);
	if (sym->percpu && !percpu_base(s, sym))
		return unknown(s, e, "the kernel does not tell where its per-CPU data are");
	return use_symbol(s, e, sym);
}
