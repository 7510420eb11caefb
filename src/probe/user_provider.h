/* SPDX-License-Identifier: Apache-2.0 */
/*
 * user_provider: the part of the provider interface for probes in user code (pid, usdt).
 *
 * Provider names contain a process id, debug information is costly to read, and processes map
 * libraries while they are traced.
 */
#ifndef PROBE_USER_PROVIDER_H
#define PROBE_USER_PROVIDER_H

#include <stdbool.h>

#include "probe/attach.h"
#include "probe/provider.h"

/* All callbacks but serves(), scope() and process() may be NULL. */
struct user_provider {
	/* True if the provider field of its probes can match PROV, a pattern that is not "". */
	bool (*serves)(const char *prov);

	/*
	 * Returns whose firings a description with provider field PROV is about: it matches probes
	 * of that scope alone.
	 */
	enum attach_scope (*scope)(struct provider_env *env, const char *prov);

	/*
	 * Returns the one process, or the one whose family, a description with provider field PROV
	 * is about.  0: there may be several.
	 */
	pid_t (*process)(const char *prov);

	/* True if the pattern MOD matches the module of PROBE.  NULL: MOD is a glob of its name. */
	bool (*in_module)(const struct probe *probe, const char *mod);

	/*
	 * Add the types of args[] to *OUT, which describe() has filled in.  Called only if a
	 * clause uses args[].  0 or a negative errno.  NULL: describe() knows the types.
	 */
	int (*describe_types)(
		struct provider_env *env, const struct probe *probe, struct probe_args *out);

	/*
	 * Its probes are of functions that programs tell of (attach_plan.by_function).  gate()
	 * writes gate I, from 0, of descriptions like PAT to *OUT as plan() does, but with no
	 * address: functions that come later go through it.  0, or -ENOENT if there is no gate I.
	 */
	bool by_function;
	int (*gate)(struct provider_env *env, const struct probe_pattern *pat, unsigned i,
		struct attach_plan *out);

	/* Finding its probes takes looking into the memory of processes, or at more than their ELF
	 * files. */
	bool looks_inside;

	/* Return one line on why PROBE costs more than its like, or NULL. */
	const char *(*cost)(struct provider_env *env, const struct probe *probe);

	/*
	 * Write how to attach probes that match PAT and appear while tracing to *OUT: plan I, from
	 * 0, as plan() writes it but without a place, with KEY_COOKIE and RAW set.  0, or -ENOENT
	 * if there is no plan I.  NULL: none appear.
	 */
	int (*late)(struct provider_env *env, const struct probe_pattern *pat, unsigned i,
		struct attach_plan *out);
};

/* Call the describe_types() of PROBE's provider, if it has one.  0 or a negative errno. */
static inline int probe_describe_types(
	struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	const struct user_provider *user = probe->provider->user;

	return user && user->describe_types ? user->describe_types(env, probe, out) : 0;
}

#endif
