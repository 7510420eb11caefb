// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the profile provider: profile-N[unit] on every CPU and tick-N[unit] on one.  A probe
 * comes into being when it is named; its period is its data.
 */
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/units.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/glob.h"
#include "probe/provider.h"
#include "probe/stability.h"
#include "prov/prov.h"

/* Anything faster would leave the machine little time for its own work. */
#define MIN_PERIOD 200000 /* ns */

/* The probes that -l lists without a name; new ones go to the end, their place is their id. */
static const char *const builtin[] = {
	"profile-97",
	"profile-199",
	"profile-499",
	"profile-997",
	"profile-1999",
	"profile-4001",
	"profile-4999",
	"tick-1",
	"tick-10",
	"tick-100",
	"tick-500",
	"tick-1000",
	"tick-5000",
};

#define NBUILTIN ((int)(sizeof(builtin) / sizeof(builtin[0])))

static bool on_all_cpus(const char *name)
{
	return !strncmp(name, "profile-", 8);
}

/* name: ("profile-" | "tick-") digit+ unit?.  The period in ns, or 0 for anything else. */
static uint64_t parse_any(const char *name)
{
	int64_t ns;
	const char *p;

	if (on_all_cpus(name))
		p = name + 8;
	else if (!strncmp(name, "tick-", 5))
		p = name + 5;
	else
		return 0;
	/* a sample_period of perf_event_open(2) is INT64_MAX at most, as these times are */
	return units_parse_time(p, UNITS_DECIMAL, "hz", &ns) || ns < 0 ? 0 : (uint64_t)ns;
}

/* The same, 0 also for what is too fast. */
static uint64_t parse(const char *name)
{
	uint64_t ns = parse_any(name);

	return ns < MIN_PERIOD ? 0 : ns;
}

static const char *refuses(const struct probe_pattern *pat)
{
	uint64_t ns = parse_any(pat->name);

	_Static_assert(1000000000 / MIN_PERIOD == 5000, "the text is about it");
	return ns && ns < MIN_PERIOD ? "a probe can fire at most 5000 times a second" : NULL;
}

static int discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	uint64_t period;

	if (!glob_match(pat->mod, "") || !glob_match(pat->func, ""))
		return 0;
	for (int i = 0; i < NBUILTIN; i++) {
		if (!glob_match(pat->name, builtin[i]))
			continue;
		emit(arg, i, "profile", "", "", builtin[i], parse(builtin[i]));
		if (!strcmp(pat->name, builtin[i]))
			return 0;
	}
	period = glob_is_pattern(pat->name) ? 0 : parse(pat->name);
	if (period)
		emit(arg, -1, "profile", "", "", arena_strdup(env->arena, pat->name), period);
	return 0;
}

static int describe(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	out->raw[0].where = WHERE_KERNEL_PC;
	out->raw[1].where = WHERE_USER_PC;
	return 0;
}

static int plan(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out)
{
	if (i)
		return -ENOENT;
	out->kind = ATTACH_CPU_CLOCK;
	out->key_source = KEY_NONE;
	out->period = probe->data;
	out->all_cpus = on_all_cpus(probe->name);
	return 0;
}

const struct provider provider_profile = {
	.name = "profile",
	.first_id = 4,
	.max_slots = 64,
	.attr_prov = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON},
	.attr_mod = {STAB_UNSTABLE, STAB_UNSTABLE, CLASS_UNKNOWN},
	.attr_func = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
	.attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON},
	.attr_args = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON},
	.discover = discover,
	.refuses = refuses,
	.describe = describe,
	.plan = plan,
};
