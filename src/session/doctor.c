// SPDX-License-Identifier: Apache-2.0
/* Reports what this machine can do: privileges, providers and the features that they choose from.
 */
#include "base/arena.h"
#include "base/report.h"
#include "compile/compile.h"
#include "confine/privilege.h"
#include "dtrace/dtrace.h"
#include "load/feature.h"
#include "probe/feature.h"
#include "probe/probe.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "prov/prov.h"
#include "session/session.h"

#include <errno.h>
#include <string.h>

struct examination {
	struct dtrace *d;
	int (*visit)(void *arg, const struct dtrace_finding *f);
	void *arg;
};

/* Returns what this process cannot do for lack of a capability, though it can trace; NULL: nothing.
 */
static const char *find_lacking(struct arena *a)
{
	const char *text = NULL;

	for (enum privilege p = PRIVILEGE_NONE + 1; p < PRIVILEGE_COUNT; p++)
		if (privilege_lacking(p))
			text = arena_printf(a, "%s%sno %s for %s", text ? text : "",
				text ? "; " : "", privilege_lacking(p), privilege_what(p));
	return text;
}

static int find_privileges(const struct examination *x)
{
	const char *lacking = dtrace_session_privileges(x->d);
	struct dtrace_finding f = {
		.kind = DTRACE_FINDING_PRIVILEGES,
		.status = lacking ? DTRACE_FINDING_MISSING : DTRACE_FINDING_OK,
		.name = "privileges",
		.why = lacking ? lacking : "",
	};

	if (!lacking && (lacking = find_lacking(x->d->arena))) {
		f.status = DTRACE_FINDING_DEGRADED;
		f.why = lacking;
	}
	return x->visit(x->arg, &f);
}

/* Returns the number of probes that V lists.  Probes that exist only once named do not count. */
static int count_probes(struct dtrace *d, const struct provider *v)
{
	const struct probe_pattern all = {v->name, "", "", ""};

	return registry_match(d->compiling.registry, &all, NULL, NULL);
}

static int find_provider(const struct examination *x, const struct provider *v)
{
	struct provider_env *env = registry_env(x->d->compiling.registry);
	struct dtrace_finding f = {.kind = DTRACE_FINDING_PROVIDER, .name = v->name, .why = ""};
	struct diagnosis found = provider_diagnose(v, env, NULL);
	const char *refused = registry_refuses(x->d->compiling.registry, v);
	int n = count_probes(x->d, v);

	if (refused)
		found.missing = refused;
	f.probes = n > 0 ? (unsigned)n : 0;
	if (n < 0 && !found.missing)
		found.missing =
			arena_printf(x->d->arena, "its probes cannot be found: %s", strerror(-n));
	if (found.missing) {
		/* what one of a provider's mechanisms lacks need not take all its probes */
		f.status = f.probes ? DTRACE_FINDING_DEGRADED : DTRACE_FINDING_MISSING;
		f.why = found.missing;
	} else if (found.degraded) {
		f.status = DTRACE_FINDING_DEGRADED;
		f.why = found.degraded;
	}
	return x->visit(x->arg, &f);
}

static int find_feature(const struct examination *x, struct features *features, enum feature i)
{
	const char *name = feature_name(i), *why = features_why(features, i);
	size_t len = strlen(name);
	struct dtrace_finding f = {.kind = DTRACE_FINDING_FEATURE, .name = name};

	/* the name stands before it already */
	if (!strncmp(why, name, len) && !strncmp(why + len, ": ", 2))
		why += len + 2;
	f.status = features_has(features, i) ? DTRACE_FINDING_OK : DTRACE_FINDING_MISSING;
	/* that was said in full */
	f.why = *why && !strcmp(why, x->d->privileges) ? "it takes privileges" : why;
	return x->visit(x->arg, &f);
}

static int examine(
	struct dtrace *d, int (*visit)(void *arg, const struct dtrace_finding *f), void *arg)
{
	const struct examination x = {d, visit, arg};
	struct features *features;
	int stop = session_prepare(d);

	if (!stop)
		stop = find_privileges(&x);
	for (uint32_t i = 0; providers_all[i] && !stop; i++)
		stop = find_provider(&x, providers_all[i]);
	if (stop)
		return stop;
	features = compiling_features(&d->compiling);
	if (!features)
		return report_no_memory(&d->report);
	for (enum feature i = 0; i < FEATURE_MAX && !stop; i++)
		stop = find_feature(&x, features, i);
	return stop;
}

int dtrace_doctor_each(
	struct dtrace *d, int (*visit)(void *arg, const struct dtrace_finding *f), void *arg)
{
	return SESSION_TRY(d, examine(d, visit, arg));
}
