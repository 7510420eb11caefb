/* SPDX-License-Identifier: Apache-2.0 */
/*
 * provider: the one interface between DTrace and where probes come from.
 *
 * A provider finds probes, describes their arguments and says how each is to be attached.  Its
 * answers are data: it generates no code and makes no attach system call, so it can be tested
 * without root.  Only src/load attaches.
 */
#ifndef PROBE_PROVIDER_H
#define PROBE_PROVIDER_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/attach.h"
#include "probe/feature.h"
#include "types/type.h"

/* Stability of a name or of data, low to high, and the class of machines it holds for. */
enum stability {
	STAB_INTERNAL,
	STAB_PRIVATE,
	STAB_OBSOLETE,
	STAB_EXTERNAL,
	STAB_UNSTABLE,
	STAB_EVOLVING,
	STAB_STABLE,
	STAB_STANDARD,
};
enum stab_class {
	CLASS_UNKNOWN,
	CLASS_CPU,
	CLASS_PLATFORM,
	CLASS_GROUP,
	CLASS_ISA,
	CLASS_COMMON,
};
struct attributes {
	uint8_t name, data, klass; /* enum stability, enum stability, enum stab_class */
};

/* A probe description: patterns (probe/glob.h), "" matches anything. Never NULL. */
struct probe_pattern {
	const char *prov, *mod, *func, *name;
};

struct probe {
	uint32_t id; /* as -l shows it */
	const struct provider *provider;
	const char *prov, *mod, *func, *name; /* module and function may be "" */
	uint64_t data;			      /* the provider's own */
};

/* Where an argument's value comes from when the probe fires. */
enum arg_where {
	WHERE_ZERO, /* there is none: reads 0 */
	WHERE_CTX,  /* 8 bytes at `offset` of the program's context */
	WHERE_REGS, /* the pt_regs member `member` behind the pointer at `offset` of the context */
	WHERE_KERNEL_PC, /* perf event: the interrupted pc if it was the kernel's, else 0 */
	WHERE_USER_PC,	 /* perf event: the interrupted pc if it was user code's, else 0 */
	WHERE_FAULT,	 /* ERROR: fault argument number `offset` */
	WHERE_RECORD, /* a trace event: `size` bytes (negative: signed) at `offset` of its record */
	WHERE_RECORD_ADDR, /* the address of those at `offset` */
	WHERE_RECORD_LOC,  /* the address that the __data_loc word at `offset` says */
	WHERE_REG,	   /* a kprobe: the pt_regs member `member` of the context itself */
	WHERE_MINUS_ONE,   /* reads -1 */
	WHERE_STACK, /* user code at a function's entry: word `offset` above its return address */
	WHERE_USDT,  /* argument `offset` of a static probe, found as its place says */
	WHERE_ITEM,  /* number `offset` of what struct derivation's EACH calls the probe with */
};
struct arg_source {
	enum arg_where where;
	uint32_t offset;
	const char *member;
	int8_t size;
};

#define PROBE_NARGS 10

/* The arguments of a probe. */
struct probe_args {
	struct arg_source raw[PROBE_NARGS];    /* arg0 .. arg9 */
	uint32_t nargs;			       /* how many args[] there are */
	const struct type *types[PROBE_NARGS]; /* of args[i]; NULL = unknown, */
	const char *dtypes[PROBE_NARGS];       /* or a type that D's libraries define */
	/* of args[i]: the D type that it is translated to, NULL = not translated */
	const char *xtypes[PROBE_NARGS];
	uint8_t from[PROBE_NARGS]; /* args[i] is the value of arg `from[i]` */
	bool has_errno;		   /* errno is -arg0 when that is in -4095..-1 (syscall return) */
	const char *untyped;	   /* why nothing is known of args[]; NULL = all is */
	bool user_ptrs; /* args[] that are pointers point into the process, not the kernel */
};

/*
 * A probe made from a hook that is not its own: D expressions over the hook's arguments.  All
 * strings are borrowed; NULL where there is nothing to say.
 */
struct derivation {
	const char *params;	/* names for the hook's arguments: "preempt prev next" */
	struct probe_args hook; /* what they are: nargs, types, raw, from */
	const char *when;	/* the probe fires if this is not 0 */
	const char *task;	/* the thread that it is about, where that is not the current one */
	/* arg0 ..; NULL reads 0; one may name those before it, each is evaluated once a firing */
	const char *args[PROBE_NARGS];
	/*
	 * The run-time function (abi/runtime.def, three arguments: the hook's) that fires it once
	 * for each of a list; then PARAMS and HOOK are what it calls the clauses with.  NULL = the
	 * hook itself fires.
	 */
	const char *each;
	/* clauses that keep state for WHEN and ARGS, run behind those of the probe; D */
	const char *state;
};

struct kernel_function {
	const char *module; /* "vmlinux": the kernel's own */
	const char *name;
	uint64_t addr; /* 0 = not known */
};

struct kernel_event {
	const char *group, *name;
};

/* What providers may ask; the registry fills it in. */
struct provider_env {
	struct arena *arena; /* for names; lives as long as the registry */
	struct types *types;
	/* whether the kernel can do WHICH; NULL: nothing that needs asking */
	bool (*has)(void *arg, enum feature which);
	/*
	 * The kernel functions that can be traced, in an order that holds as long as the machine
	 * runs and no module comes or goes; NULL: they are not to be had.
	 */
	const struct kernel_function *(*functions)(void *arg, uint32_t *n);
	/* The same of the kernel's trace events, and the description of the record of one. */
	const struct kernel_event *(*events)(void *arg, uint32_t *n);
	const char *(*event_format)(void *arg, const struct kernel_event *event);
	void *arg;
	/* the files and processes that providers of user probes look at (sym/userland.h) */
	struct userland *userland;
	struct notes_cache *notes; /* the USDT notes of those files (usdt/notes_cache.h) */
	/* discover() may leave out what is not about this process; 0 = all are wanted */
	pid_t only;
	/*
	 * Out: why discover() refused what PAT spells out: an error's tag (sema/errors.def) and
	 * text, when it returned an error; NULL: see the error.
	 */
	const char *tag, *text;
	/* Out: that it found nothing is no error: a library that is named may be loaded later. */
	bool awaited;
	uint32_t left_out; /* Out: places of wildcards so far that the kernel cannot probe */
};

static inline bool env_has(const struct provider_env *env, enum feature which)
{
	return env->has && env->has(env->arg, which);
}

/*
 * How a provider hands over a probe it found.  SLOT >= 0 is the probe's place in the
 * provider's block of ids, the same in every run; -1 takes the next free id of the session.
 * Strings are borrowed until the registry dies.  Handing the same probe over twice is fine.
 */
typedef void (*probe_emit_fn)(void *arg, int slot, const char *prov, const char *mod,
	const char *func, const char *name, uint64_t data);

struct provider {
	const char *name;
	uint32_t first_id, max_slots; /* the block of ids of its slots */
	struct attributes attr_prov, attr_mod, attr_func, attr_name, attr_args;
	const struct derived *derived; /* of one whose probes are made from hooks; else NULL */

	/*
	 * Emit every probe that may match PAT; may emit more (the registry matches again), must
	 * be cheap when nothing can match.  Probes that exist by being named (tick-7s) are
	 * emitted when PAT spells them out.  0 or a negative errno.
	 */
	int (*discover)(struct provider_env *env, const struct probe_pattern *pat,
		probe_emit_fn emit, void *arg);

	/* Arguments of PROBE into *OUT (zeroed). */
	int (*describe)(
		struct provider_env *env, const struct probe *probe, struct probe_args *out);

	/*
	 * How to attach PROBE, into *OUT (zeroed).  A probe that several hooks fire has a plan
	 * for each: I counts from 0, -ENOENT ends them.
	 */
	int (*plan)(struct provider_env *env, const struct probe *probe, unsigned i,
		struct attach_plan *out);

	/*
	 * Whether its probes' provider field can match PROV, a pattern that is not ""; NULL: it is
	 * NAME for all of them.
	 */
	bool (*serves)(const char *prov);

	/* Whether MOD, a pattern, is the module of PROBE; NULL: it is if it matches its name. */
	bool (*in_module)(const struct probe *probe, const char *mod);

	/*
	 * The types of PROBE's args[], which are costly to find out, into *OUT as describe() left
	 * it; called when a clause names one.  NULL: describe() knows them.
	 */
	int (*describe_types)(
		struct provider_env *env, const struct probe *probe, struct probe_args *out);

	/* What makes PROBE's firings dearer than those of its like: one line, or NULL.  May be
	 * NULL. */
	const char *(*cost)(struct provider_env *env, const struct probe *probe);

	/*
	 * How probes that match PAT and come while tracing will be attached, as plan() says it, but
	 * for the place; -ENOENT ends them, at once where none can come.  KEY_COOKIE, and RAW is
	 * set.  NULL: none can.
	 */
	int (*late)(struct provider_env *env, const struct probe_pattern *pat, unsigned i,
		struct attach_plan *out);

	/*
	 * Why there are no probes here although the provider's name was asked for: one line
	 * that names the missing kernel feature, or NULL.
	 */
	const char *(*missing)(struct provider_env *env);

	/*
	 * Why the probe that PAT spells out is not there, although other kernels have it: one
	 * line, or NULL.  May be NULL.
	 */
	const char *(*lacks)(const struct provider *provider, struct provider_env *env,
		const struct probe_pattern *pat);

	/* Why it is weaker on this kernel than elsewhere: one line, or NULL.  May be NULL. */
	const char *(*degraded)(struct provider_env *env);
};

#endif
