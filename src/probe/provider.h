/* SPDX-License-Identifier: Apache-2.0 */
/*
 * provider: the interface between DTrace and the sources of probes (docs/HOWTO-provider.md).
 *
 * A provider finds probes, describes their arguments and plans how each is attached.  Its answers
 * are data: it generates no code and attaches nothing, so it can be tested without root.  Names and
 * data of a probe must live as long as the probe: allocate them from env->arena at each call, and
 * keep no pointer to them.
 */
#ifndef PROBE_PROVIDER_H
#define PROBE_PROVIDER_H

#include "probe/args.h"
#include "probe/attach.h"
#include "probe/probe.h"
#include "probe/provider_env.h"
#include "probe/stability.h"

/*
 * Hands a probe to the registry.  SLOT >= 0 is its place in the provider's block of ids and gives
 * it the same id in every run; -1 takes the next free id of the session.  A probe may be handed
 * over twice.  DATA becomes probe->data.
 */
typedef void (*probe_emit_fn)(void *arg, int slot, const char *prov, const char *mod,
	const char *func, const char *name, uint64_t data);

/* The reports of doctor(), each one line or NULL: nothing to report. */
struct diagnosis {
	const char *missing;  /* the kernel feature without which there is no probe */
	const char *degraded; /* what works less well here than on other kernels */
};

struct provider {
	const char *name;
	uint32_t first_id, max_slots; /* its block of ids; 0, 0: none */
	struct attributes attr_prov, attr_mod, attr_func, attr_name, attr_args;
	const struct derived *derived;	  /* its table of hooks (prov/derived.h), or NULL */
	bool needs_hardware;		  /* its names are hardware's, which a machine may lack */
	const struct user_provider *user; /* if its probes are in user code, or NULL */

	/*
	 * Call EMIT for every probe that may match PAT.  The registry matches again, so too many
	 * are no error.  Return at once if nothing can match.  Emit a probe that exists by being
	 * named (tick-7s) if PAT names it in full.  0 or a negative errno.
	 */
	int (*discover)(struct provider_env *env, const struct probe_pattern *pat,
		probe_emit_fn emit, void *arg);

	/*
	 * Returns why no probe has a name like PAT's, which is of the provider's kind, or NULL.
	 * NULL: there is no such rule.
	 */
	const char *(*refuses)(const struct probe_pattern *pat);

	/* Write the arguments of PROBE to *OUT (zeroed).  0 or a negative errno. */
	int (*describe)(
		struct provider_env *env, const struct probe *probe, struct probe_args *out);

	/*
	 * Add the names of args[] to *OUT, which describe() has filled in, if that takes time.
	 * NULL: describe() knows the names, or there are none.
	 */
	void (*name_args)(
		struct provider_env *env, const struct probe *probe, struct probe_args *out);

	/*
	 * Write how to attach PROBE to *OUT (zeroed, but for the plan's inputs).  A probe that
	 * several hooks fire has a plan for each: I counts from 0.  0, or -ENOENT if there is no
	 * plan I.
	 */
	int (*plan)(struct provider_env *env, const struct probe *probe, unsigned i,
		struct attach_plan *out);

	/*
	 * Report the kernel features that are missing to *OUT (zeroed).  PAT is the description
	 * that found no probe; NULL: report on the provider as a whole.  NULL: nothing is ever
	 * missing.
	 */
	void (*doctor)(
		struct provider_env *env, const struct probe_pattern *pat, struct diagnosis *out);
};

/* Call V's doctor(), if it has one. */
static inline struct diagnosis provider_diagnose(
	const struct provider *v, struct provider_env *env, const struct probe_pattern *pat)
{
	struct diagnosis out = {0};

	if (v->doctor)
		v->doctor(env, pat, &out);
	return out;
}

#endif
