/* SPDX-License-Identifier: Apache-2.0 */
/*
 * provider_env: the questions that a provider may ask of the machine and of the session.
 *
 * The registry owns it; the session fills in the callbacks.  A test fills in its own, which makes
 * providers testable without root and without the kernel they describe.
 */
#ifndef PROBE_PROVIDER_ENV_H
#define PROBE_PROVIDER_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "probe/feature.h"

struct arena;
struct java_vms;
struct looker;
struct notes_cache;
struct process_object;
struct types;
struct userland;

struct kernel_function {
	const char *module; /* "vmlinux": the kernel itself */
	const char *name;
	uint64_t addr; /* 0: unknown */
};

struct kernel_event {
	const char *group, *name;
};

/* Where the returns of functions of user code are probed: the words of option returns. */
enum return_places {
	RETURNS_AUTO,	     /* as it suits each function */
	RETURNS_INSTRUCTION, /* at the instructions that return */
	RETURNS_ADDRESS,     /* by exchanging the return address */
};

/* Why a place of user code that a description matches is left out (src/probe/left.c). */
enum left_reason {
	LEFT_REFUSED,  /* the kernel refuses the instruction */
	LEFT_RED_ZONE, /* the kernel would change data of the function there */
	LEFT_NOT_CODE, /* code and data of the function cannot be told apart */
	LEFT_UNBOUND,  /* the process has not chosen the function yet */
	LEFT_FAULTY,   /* what the program does for its own static probe can end it */
	LEFT_REASONS,
};

struct left_out {
	uint32_t n;	   /* places */
	const char *first; /* one of them: "libc.so.6:malloc:1f" */
};

struct provider_env {
	struct arena *arena; /* of the probes that this call finds: names and data */
	struct types *types; /* the kernel's types */

	/* True if the kernel has feature WHICH; NULL: it has none. */
	bool (*has)(void *arg, enum feature which);
	/*
	 * Returns the capabilities that this process lacks for feature WHICH, which it then has
	 * not ("CAP_NET_ADMIN"); NULL: something else is missing.
	 */
	const char *(*lacks)(void *arg, enum feature which);
	/*
	 * Returns the kernel functions that can be traced and their number.  The order is the same
	 * until a module is loaded or unloaded, or the machine restarts.  NULL: they cannot be
	 * read.
	 */
	const struct kernel_function *(*functions)(void *arg, uint32_t *n);
	/* The same for trace events, and the text of the format file of one. */
	const struct kernel_event *(*events)(void *arg, uint32_t *n);
	const char *(*event_format)(void *arg, const struct kernel_event *event);
	void *arg; /* the first argument of these callbacks */

	/* True if the functions of user code have demangled names; NULL: they have not. */
	bool (*demangles)(void *arg);

	/* Returns where the returns of functions are probed; NULL: RETURNS_AUTO. */
	enum return_places (*returns)(void *arg);

	/* ---- for providers of user code; others leave it alone ---- */

	const struct looker *by;   /* opens what of processes we may not (confine/looker.h) */
	struct userland *userland; /* files and processes (sym/userland.h); NULL: none */
	struct notes_cache *notes; /* the USDT notes of those files (usdt/notes_cache.h) */
	struct java_vms *java;	   /* Java VMs (managed/java_attach.h) */
	pid_t headless;	  /* asked about last: its first thread has ended, or the negative */
	bool as_headless; /* plans are for a process whose first thread has ended */
	pid_t only;	  /* discover() may skip other processes; 0: it may skip none */
	/*
	 * Descriptions of many processes are attached by file; else each process has probes of its
	 * own, as in a list of them.
	 */
	bool by_file;
	bool force; /* code that is copied may be probed (sym/copier.h) */
	/* True if PID is a target whose descendants are traced as well; NULL: there is none. */
	bool (*followed)(void *arg, pid_t pid);
	/* True if process PID has more threads than one, of which the first may end first; NULL: it
	 * cannot. */
	bool (*threaded)(void *arg, pid_t pid);
	/* by_file: discover() is about this file alone; NULL: about those of all processes */
	const struct process_object *object;
	/*
	 * Out, set before a probe is emitted: its struct probe.shared; if that is not 0, what tells
	 * its file from others.
	 */
	uint32_t shared;
	const void *file;
	/* Out, set before a probe is emitted: tells it from others of its four names; 0: there are
	 * none */
	uint64_t twin;
	/* Out, set before a probe is emitted: its struct probe.file and line. */
	const char *source;
	uint32_t line;
	/*
	 * Out: set by a discover() that refuses its pattern with -EINVAL: the tag of the error,
	 * as "D_PROC_NAME", and its text.  NULL: the errno says it all.
	 */
	const char *tag, *text;
	bool awaited; /* out: finding nothing is no error, a library may be loaded later */
	struct left_out left[LEFT_REASONS]; /* out: matching places so far that are left out */
};

static inline bool env_demangles(const struct provider_env *env)
{
	return env->demangles && env->demangles(env->arg);
}

static inline enum return_places env_returns(const struct provider_env *env)
{
	return env->returns ? env->returns(env->arg) : RETURNS_AUTO;
}

/* Counts place NAME of function FUNC in module MOD as one that is left out. */
void env_leave_out(struct provider_env *env, enum left_reason why, const char *mod,
	const char *func, const char *name);

/* Returns why a place is left out, in words that follow its name. */
const char *left_reason(enum left_reason why);

static inline bool env_has(const struct provider_env *env, enum feature which)
{
	return env->has && env->has(env->arg, which);
}

static inline const char *env_lacks(const struct provider_env *env, enum feature which)
{
	return env->lacks ? env->lacks(env->arg, which) : NULL;
}

/* True if user code can be probed; uprobe.multi takes no more capabilities than tracing does. */
static inline bool env_has_uprobes(const struct provider_env *env)
{
	return env_has(env, FEATURE_UPROBE_MULTI) || env_has(env, FEATURE_UPROBE);
}

#endif
