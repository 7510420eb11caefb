// SPDX-License-Identifier: Apache-2.0
/*
 * Chooses how the returns of functions are probed.
 *
 * If the kernel exchanges the return address, whatever unwinds through the function's frame or
 * moves it does not know where it goes on: an exception ends the process.  So that is done only for
 * the functions of returns.def, through which nothing unwinds.  The others have probes at the
 * instructions that return.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/returns.h"
#include "abi/unwind.h"
#include "base/arena.h"
#include "probe/provider_env.h"
#include "prov/pid.h"
#include "sym/image.h"
#include "sym/returns.h"
#include "sym/unwind.h"
#include "sym/userland.h"

/*
 * True for functions that return twice: the kernel takes back the return address that it changed
 * the first time.
 */
static bool returns_twice(const char *name)
{
	static const char *const names[] = {
		"setjmp", "sigsetjmp", "vfork", "getcontext", "swapcontext", "savectx"};

	name += strspn(name, "_");
	if (!strncmp(name, "GI_", 3))
		name += 3 + strspn(name + 3, "_");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/*
 * True if the return address is on top of the stack when F begins: the kernel puts its own in that
 * place.  It is not in _start, the dynamic linker's resolver and the like, which would be broken.
 */
static bool returns_plainly(struct user_file *file, const struct image_func *f)
{
	const struct unwind_table *t = userland_unwind(file);
	uint32_t rule;

	if (returns_twice(f->name))
		return false;
	if (!t || !t->n) /* nobody says */
		return true;
	if (f->vaddr < t->base || f->vaddr - t->base > UINT32_MAX)
		return false;
	rule = unwind_find(t, (uint32_t)(f->vaddr - t->base));
	return DT_RULE_KIND(rule) == DT_UNWIND_SP && DT_RULE_BIG(rule) == 1;
}

static int compare(const void *name, const void *row)
{
	return strcmp(name, *(const char *const *)row);
}

/* True for a function of glibc through which nothing unwinds.  Attachment is by file: the file
 * decides. */
static bool is_safe(const struct user_file *file, const struct image_func *f)
{
	static const char *const names[] = {
#define RETURNS(name) #name,
#include "prov/returns.def"
	};

	return !strcmp(file->name, "libc.so.6") &&
		bsearch(f->name, names, sizeof(names) / sizeof(names[0]), sizeof(names[0]),
			compare);
}

static void free_returns(void *r)
{
	returns_free(r);
}

static int by_instruction(struct provider_env *env, struct pid_place *p, const char **why)
{
	struct dt_return_site *sites;
	struct returns r;
	int err = returns_find(p->file->image, p->func, userland_unwind(p->file), &r);

	if (err)
		return err;
	arena_own(env->arena, free_returns, &r);
	p->what = BY_INSN;
	p->nsites = r.n;
	if (r.n) {
		sites = arena_alloc(env->arena, r.n * sizeof(*sites));
		memcpy(sites, r.v, r.n * sizeof(*sites));
		p->sites = sites;
	} else if (r.understood) {
		*why = "it has no instruction that returns";
	} else {
		env_leave_out(env, LEFT_NOT_CODE, p->file->name, p->func->name, "return");
		*why = left_reason(LEFT_NOT_CODE);
	}
	arena_release(env->arena, &r);
	return 0;
}

static int by_address(struct provider_env *env, struct pid_place *p, const char **why)
{
	p->what = BY_ADDRESS;
	if (image_offset(p->file->image, p->func->vaddr, &p->addr) &&
		returns_plainly(p->file, p->func))
		return 0;
	env_leave_out(env, LEFT_REFUSED, p->file->name, p->func->name, "return");
	*why = "it does not return as functions do";
	return 0;
}

int pid_returns(struct provider_env *env, struct pid_place *p, const char **why)
{
	enum return_places places = env_returns(env);

	if (places == RETURNS_ADDRESS ||
		(places == RETURNS_AUTO && is_safe(p->file, p->func) &&
			returns_plainly(p->file, p->func)))
		return by_address(env, p, why);
	return by_instruction(env, p, why);
}

bool pid_may_return(const struct provider_env *env, enum pid_what what)
{
	enum return_places places = env_returns(env);

	return places == RETURNS_AUTO || (places == RETURNS_ADDRESS) == (what == BY_ADDRESS);
}
