// SPDX-License-Identifier: Apache-2.0
/* Says what the probes of the pid provider have for arguments, and where they are attached. */
#include <errno.h>
#include <string.h>

#include "abi/returns.h"
#include "arch/arch.h"
#include "arch/insn.h"
#include "base/interrupt.h"
#include "base/transfer.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/probe.h"
#include "probe/provider_env.h"
#include "prov/pid.h"
#include "prov/scope.h"
#include "sym/image.h"
#include "sym/userland.h"
#include "types/dwarf.h"
#include "types/type.h"
#include "types/types.h"

static const struct arg_source entry_raw[PROBE_NARGS] = {ARCH_C_ARGS(ARG_IN_REG, ARG_ON_STACK)};

/* arg0 would be the offset of the instruction that returned, which the kernel does not tell */
static const struct arg_source address_raw[PROBE_NARGS] = {
	[1] = {.where = WHERE_REG, .member = ARCH_C_RESULT},
};

static const struct arg_source instruction_raw[PROBE_NARGS] = {
	{.where = WHERE_RETURN_OFFSET},
	{.where = WHERE_RETURN_VALUE},
};

static const struct arg_source offset_raw[PROBE_NARGS];

static const struct pid_place *place_of(const struct probe *p)
{
	return (const struct pid_place *)(uintptr_t)p->data;
}

static const struct arg_source *raw_of(enum pid_what what)
{
	return what <= SHIFTED	     ? entry_raw
		: what == BY_ADDRESS ? address_raw
		: what == BY_INSN    ? instruction_raw
				     : offset_raw;
}

/* True if P's function always leaves by a jump to another one, whose value nobody knows yet. */
static bool never_returns(const struct pid_place *p)
{
	if (p->what != BY_INSN)
		return false;
	for (uint32_t i = 0; i < p->nsites; i++)
		if (p->sites[i].kind == DT_LEAVE_RETURN)
			return false;
	return true;
}

int pid_describe(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	const struct pid_place *p = place_of(probe);

	memcpy(out->raw, raw_of(p->what), sizeof(out->raw));
	out->user_ptrs = true;
	if (never_returns(p)) {
		out->valueless = 1u << 1;
		out->why_valueless =
			"the function ends in a jump to another one, which returns instead; -x returns=address probes the return address";
	}
	return 0;
}

/* Returns the type by which a clause reads a register with a value of type T; NULL: it cannot. */
static const struct type *in_register(struct provider_env *env, const struct type *t)
{
	const struct type *r = type_resolve(t);

	if (dwarf_abi_by_address(t))
		return types_ptr(env->types, t);
	return (r->kind == TYPE_INT || r->kind == TYPE_ENUM || r->kind == TYPE_PTR) && r->size <= 8
		? t
		: NULL;
}

/* Returns why no type of a function is known that was looked for in D, which may be NULL. */
static const char *lacking(const struct dwarf_file *d)
{
	const char *missing = d ? dwarf_file_missing(d) : NULL;

	return missing ? missing : "the function has no debug information";
}

/* Describes args[]: the parameters of an entry; args[1] of a return is the value. */
int pid_describe_types(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	const unsigned requests = interrupt_count();
	const struct pid_place *p = place_of(probe);
	struct dwarf_file *d = userland_dwarf(env->userland, p->file);
	const struct type *func =
		d && p->func ? dwarf_function(d, p->func->name, p->func->vaddr) : NULL;
	const struct type *types[PROBE_NARGS];
	uint32_t n;

	if (p->what != OFFSET && interrupt_count() != requests) {
		out->untyped = "its debug information was not read to the end: interrupted";
		return 0;
	}
	if (!func && p->what != OFFSET)
		out->untyped = lacking(d);
	if (!func || p->what == OFFSET)
		return 0;
	if (p->what == BY_ADDRESS || p->what == BY_INSN) {
		const struct type *t = type_resolve(func)->ref;

		if (!t || type_resolve(t)->kind == TYPE_VOID)
			return 0;
		out->nargs = 2;
		out->types[0] = types_int(env->types, 8, false);
		out->types[1] = in_register(env, t);
		out->from[1] = 1;
		return 0;
	}
	n = type_params(func, types, out->names, PROBE_NARGS);
	if (n > PROBE_NARGS)
		n = PROBE_NARGS;
	out->nargs = n;
	for (uint32_t i = 0; i < n; i++) {
		int slot = dwarf_abi_slot(func, i);

		if (slot < 0 || slot >= PROBE_NARGS)
			continue; /* its type stays unknown: it cannot be read */
		out->types[i] = in_register(env, types[i]);
		out->from[i] = (uint8_t)slot;
	}
	return 0;
}

void pid_plan_place(struct provider_env *env, enum attach_scope scope, pid_t pid,
	enum pid_what what, struct attach_plan *out)
{
	out->kind = what == BY_ADDRESS ? ATTACH_URETPROBES : ATTACH_UPROBES;
	/* functions of the table do not call themselves */
	out->entries = what == BY_ADDRESS && env_returns(env) == RETURNS_ADDRESS;
	out->leaves = what == BY_INSN;
	out->carries = out->leaves && env_has(env, FEATURE_UPROBE_WRITE);
	out->key_source = KEY_COOKIE;
	out->group = 1 + what;
	out->shift = what == SHIFTED ? ARCH_LANDING : 0;
	out->raw = raw_of(what);
	attach_set_scope(out, scope);
	scope_set_multi(env, pid, out);
}

int pid_plan(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out)
{
	const struct pid_place *p = place_of(probe);

	if (i >= (p->what == BY_INSN ? p->nsites : 1))
		return -ENOENT;
	pid_plan_place(env, p->scope, p->pid, p->what, out);
	out->file = &p->file->at;
	out->addr = p->addr;
	out->pid = p->pid;
	if (p->what == BY_INSN) {
		out->leave = &p->sites[i];
		image_offset(p->file->image, p->sites[i].pc, &out->addr);
	}
	return 0;
}

const char *pid_cost(struct provider_env *env, const struct probe *probe)
{
	const struct pid_place *p = place_of(probe);
	uint8_t code[INSN_MAX];
	enum insn_kind kind;
	ssize_t n = transfer_pread(p->file->at.fd, code, sizeof(code), p->addr);

	if (p->what == BY_INSN)
		return "placed at its return instructions, as something may unwind through it; the kernel single-steps them: 10 to 30 times the cost of others";
	if (p->what == BY_ADDRESS)
		return "placed at its return address, as nothing unwinds through it: twice the cost of an entry";
	if (n <= 0 || !insn_decode(code, (size_t)n, &kind) || kind != INSN_STEPPED)
		return NULL;
	return "the kernel single-steps this instruction: 10 to 30 times the cost of others";
}
