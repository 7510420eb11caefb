/* SPDX-License-Identifier: Apache-2.0 */
/*
 * derived: providers whose probes are made from the kernel's tracepoints, functions, netfilter
 * hooks and events.  Such a provider is a table of probes and hooks; what it takes of a hook, it
 * says in D over the hook's arguments (struct derivation).
 */
#ifndef PROV_DERIVED_H
#define PROV_DERIVED_H

#include "probe/provider.h"
#include "probe/stability.h"
#include "prov/prov.h"

enum hook_kind {
	HOOK_END,	     /* of a table */
	HOOK_TRACEPOINT,     /* BTF-typed raw tracepoint */
	HOOK_SYSCALL,	     /* the entry of a system call; its arguments are the call's */
	HOOK_SYSCALL_RETURN, /* its return; its argument is the result, a long */
	HOOK_FUNCTION,	     /* the entry of a kernel function */
	HOOK_RETURN,	     /* its return: the function's arguments, then its result */
	HOOK_NETFILTER,	     /* arguments: struct nf_hook_state *, struct sk_buff * */
	HOOK_EVENT,	     /* a software event of perf; no arguments */
	HOOK_NEVER,	     /* none; its name says what is missing */
};

#define DERIVED_NARGS 8

struct derived_hook {
	const char *probe; /* its name */
	/*
	 * Alternatives: the hooks of the lowest number of a probe are used of which all that are
	 * not optional exist on the kernel.
	 */
	unsigned way;
	bool optional;
	enum hook_kind kind;
	const char *hook;   /* name of the tracepoint, call or function */
	const char *params; /* names for its arguments, as many as are used: "preempt prev next" */
	const char *when, *task, *args[DERIVED_NARGS], *each, *state; /* see struct derivation */
	const char *items; /* with EACH: the types of PARAMS, which are not the hook's own then */
	/* a member that the kernel must have: "task_struct.blocked_on"; NULL = none */
	const char *member;
	const char *function; /* a function that the kernel must have; NULL = none */
	bool inner;	      /* see struct attach_plan */
	bool user_ptrs;	      /* args[] of the probe that are pointers point into the process */
	uint8_t nf_family, nf_hook;
	uint64_t event; /* PERF_COUNT_SW_* */
};

/* args[i] of a probe: the value of argN, its C type (or, not the kernel's, D type), and what that
 * is translated to (NULL = nothing). */
struct derived_arg {
	uint8_t from;
	const char *type, *translated; /* to "string": what the pointer points to */
};

struct derived_probe {
	const char *name; /* one that begins with '-' is for state alone: not listed, only named */
	uint32_t nargs;
	struct derived_arg args[DERIVED_NARGS];
};

/* args[i]: the thread, its process, the CPU that argFROM is. */
#define ARG_LWP(from)                                        \
	{                                                    \
		from, "struct task_struct *", "lwpsinfo_t *" \
	}
#define ARG_PROC(from)                                     \
	{                                                  \
		from, "struct task_struct *", "psinfo_t *" \
	}
#define ARG_CPU(from)                      \
	{                                  \
		from, "int", "cpuinfo_t *" \
	}

struct derived {
	const struct derived_probe *probes; /* the place is the slot; a name of NULL ends them */
	const struct derived_hook *hooks;   /* HOOK_END ends them */
	const char *what; /* what is missing where none of them can fire: for a message */
};

/* The callbacks of struct provider, for PROVIDER's table. */
int derived_discover(const struct provider *provider, struct provider_env *env,
	const struct probe_pattern *pat, probe_emit_fn emit, void *arg);
int derived_describe(struct provider_env *env, const struct probe *probe, struct probe_args *out);
int derived_plan(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out);
void derived_doctor(const struct provider *provider, struct provider_env *env,
	const struct probe_pattern *pat, struct diagnosis *out);

/*
 * Makes a hook of a system call's entry or return: the plan of the probe (except its arguments,
 * which go to *ARGS).  False: the kernel has no such call.  In syscall.c.
 */
bool syscall_hook(struct provider_env *env, const char *name, bool ret, struct attach_plan *plan,
	struct probe_args *args);

/*
 * Keeps self->dt_lock[lock]: the time at which the thread's phase of waiting for the lock began,
 * shifted left, and the flags of that phase; 0 = the thread does not wait.
 */
#define LOCKSTAT_SHIFT "6"
#define LOCKSTAT_FLAGS "0x3f"
#define LOCKSTAT_STATE                                                    \
	"lockstat:::-begin { self->dt_lock[arg0] = "                      \
	"timestamp << " LOCKSTAT_SHIFT " | arg1 & " LOCKSTAT_FLAGS "; } " \
	"lockstat:::-end { self->dt_lock[arg0] = 0; }"

/*
 * Define the functions that a provider with table TABLE needs, and the provider.
 */
#define DERIVED_PROVIDER(NAME, FIRST, SLOTS, CLASS, TABLE)                                        \
	static int discover(struct provider_env *env, const struct probe_pattern *pat,            \
		probe_emit_fn emit, void *arg)                                                    \
	{                                                                                         \
		return derived_discover(&provider_##NAME, env, pat, emit, arg);                   \
	}                                                                                         \
	static void doctor(                                                                       \
		struct provider_env *env, const struct probe_pattern *pat, struct diagnosis *out) \
	{                                                                                         \
		derived_doctor(&provider_##NAME, env, pat, out);                                  \
	}                                                                                         \
	const struct provider provider_##NAME = {                                                 \
		.name = #NAME,                                                                    \
		.first_id = FIRST,                                                                \
		.max_slots = SLOTS,                                                               \
		.attr_prov = {STAB_EVOLVING, STAB_EVOLVING, CLASS},                               \
		.attr_mod = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},                          \
		.attr_func = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},                         \
		.attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS},                               \
		.attr_args = {STAB_EVOLVING, STAB_EVOLVING, CLASS},                               \
		.derived = TABLE,                                                                 \
		.discover = discover,                                                             \
		.describe = derived_describe,                                                     \
		.plan = derived_plan,                                                             \
		.doctor = doctor,                                                                 \
	}

#endif
