// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the profile provider: profile-N[unit] on every CPU and tick-N[unit] on one.  A probe
 * comes into being when it is named; its period is its data.
 */
#include <errno.h>
#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "probe/glob.h"
#include "prov/prov.h"

#define NSEC_PER_SEC 1000000000ull

/* Anything faster would leave the machine little time for its own work. */
#define MIN_PERIOD 200000ull

/* perf_event_open(2) refuses a sample_period with the top bit set. */
#define MAX_PERIOD ((uint64_t)INT64_MAX)

/* What -l shows without being told a name; new ones go to the end, their place is their id. */
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

static const struct {
	const char *name;
	uint64_t ns; /* 0: a frequency */
} units[] = {
	{"", 0},
	{"hz", 0},
	{"ns", 1},
	{"nsec", 1},
	{"us", 1000},
	{"usec", 1000},
	{"ms", 1000000},
	{"msec", 1000000},
	{"s", NSEC_PER_SEC},
	{"sec", NSEC_PER_SEC},
	{"m", 60 * NSEC_PER_SEC},
	{"min", 60 * NSEC_PER_SEC},
	{"h", 3600 * NSEC_PER_SEC},
	{"hour", 3600 * NSEC_PER_SEC},
	{"d", 86400 * NSEC_PER_SEC},
	{"day", 86400 * NSEC_PER_SEC},
};

static bool on_all_cpus(const char *name)
{
	return !strncmp(name, "profile-", 8);
}

/* The period in ns of N UNIT; 0 = there is no such unit, or the period is out of range. */
static uint64_t period_of(uint64_t n, const char *unit)
{
	uint64_t ns;

	for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcasecmp(unit, units[i].name))
			continue;
		if (!n)
			return 0;
		if (!units[i].ns)
			ns = NSEC_PER_SEC / n;
		else if (__builtin_mul_overflow(n, units[i].ns, &ns))
			return 0;
		return ns >= MIN_PERIOD && ns <= MAX_PERIOD ? ns : 0;
	}
	return 0;
}

/* name: ("profile-" | "tick-") digit+ unit?.  The period, or 0 for anything else. */
static uint64_t parse(const char *name)
{
	const char *p;
	uint64_t n = 0;

	if (on_all_cpus(name))
		p = name + 8;
	else if (!strncmp(name, "tick-", 5))
		p = name + 5;
	else
		return 0;
	if (!isdigit((unsigned char)*p))
		return 0;
	for (; isdigit((unsigned char)*p); p++)
		if (__builtin_mul_overflow(n, 10, &n) ||
			__builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
			return 0;
	return period_of(n, p);
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
	.describe = describe,
	.plan = plan,
};
