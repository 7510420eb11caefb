// SPDX-License-Identifier: Apache-2.0
/* Answers what providers ask of the machine: features, kernel functions, trace events. */
#include "compile/private.h"

#include "base/living.h"
#include "compile/compile.h"
#include "compile/compiling.h"
#include "compile/pidns.h"
#include "compile/settings.h"
#include "load/feature.h"
#include "load/functions.h"
#include "probe/feature.h"
#include "probe/provider_env.h"
#include "target/target.h"

struct features *compiling_features(struct compiling *c)
{
	if (!c->features)
		c->features = features_new(c->types);
	return c->features;
}

bool compiling_has(void *arg, enum feature which)
{
	struct features *f = compiling_features(arg);

	return f && features_has(f, which);
}

static const char *lacks_feature(void *arg, enum feature which)
{
	struct features *f = compiling_features(arg);

	return f ? features_lacking(f, which) : NULL;
}

static const struct kernel_function *list_functions(void *arg, uint32_t *n)
{
	struct compiling *c = arg;
	struct features *f = compiling_features(c);

	if (!c->functions && f)
		c->functions = load_functions(f, c->arena, &c->nfunctions);
	*n = c->nfunctions;
	return c->functions;
}

static const struct kernel_event *list_events(void *arg, uint32_t *n)
{
	struct compiling *c = arg;
	struct features *f = compiling_features(c);

	if (!c->events && f)
		c->events = load_events(f, c->arena, &c->nevents);
	*n = c->nevents;
	return c->events;
}

static const char *read_event_format(void *arg, const struct kernel_event *event)
{
	struct compiling *c = arg;
	struct features *f = compiling_features(c);

	return f ? load_event_format(f, c->arena, event) : NULL;
}

/* In a pid namespace of our own we do not know the numbers that programs see on a fork. */
static bool is_followed(void *arg, pid_t pid)
{
	const struct compiling *c = arg;

	return c->set->follow && !pidns_own() && targets_has(c->targets, pid);
}

static bool wants_demangled(void *arg)
{
	const struct compiling *c = arg;

	return c->set->target.demangle;
}

static enum return_places wanted_returns(void *arg)
{
	const struct compiling *c = arg;

	return c->set->returns;
}

static bool has_threads(void *arg, pid_t pid)
{
	return living_threads(pid);
}

void machine_answer(struct compiling *c, struct provider_env *env)
{
	env->has = compiling_has;
	env->lacks = lacks_feature;
	env->functions = list_functions;
	env->events = list_events;
	env->event_format = read_event_format;
	env->arg = c;
	env->demangles = wants_demangled;
	env->returns = wanted_returns;
	env->by_file = true;
	env->force = c->set->force;
	env->followed = is_followed;
	env->threaded = has_threads;
	env->userland = c->userland;
	env->notes = c->notes;
	env->java = c->java;
}
