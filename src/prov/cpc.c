// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the cpc provider: EVENT-MODE-[ATTR-]COUNT fires on each CPU when EVENT happened COUNT
 * times there in MODE.  A probe comes into being when it is named; what it counts is read from its
 * name.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/arena.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/glob.h"
#include "probe/provider.h"
#include "probe/provider_env.h"
#include "probe/stability.h"
#include "prov/prov.h"

/* A COUNT below this leaves the machine little time for its own work. */
#define MIN_HARDWARE 10000
#define MIN_NS	     200000

#define LISTED "-all-1000000000"

#define CACHE(unit, op, result)                                                 \
	PERF_TYPE_HW_CACHE,                                                     \
		PERF_COUNT_HW_CACHE_##unit | PERF_COUNT_HW_CACHE_OP_##op << 8 | \
		PERF_COUNT_HW_CACHE_RESULT_##result << 16,                      \
		MIN_HARDWARE

#define HARDWARE(config) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##config, MIN_HARDWARE
#define SOFTWARE(config) PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##config

#ifndef PERF_COUNT_SW_CGROUP_SWITCHES
#define PERF_COUNT_SW_CGROUP_SWITCHES 11
#endif

/* As perf(1) spells them, but for the minuses; the place is the slot: new ones go to the end. */
static const struct cpc_event {
	const char *name;
	uint32_t type;
	uint64_t config, min;
} events[] = {
	{"cpu_cycles", HARDWARE(CPU_CYCLES)},
	{"instructions", HARDWARE(INSTRUCTIONS)},
	{"cache_references", HARDWARE(CACHE_REFERENCES)},
	{"cache_misses", HARDWARE(CACHE_MISSES)},
	{"branch_instructions", HARDWARE(BRANCH_INSTRUCTIONS)},
	{"branch_misses", HARDWARE(BRANCH_MISSES)},
	{"bus_cycles", HARDWARE(BUS_CYCLES)},
	{"stalled_cycles_frontend", HARDWARE(STALLED_CYCLES_FRONTEND)},
	{"stalled_cycles_backend", HARDWARE(STALLED_CYCLES_BACKEND)},
	{"ref_cycles", HARDWARE(REF_CPU_CYCLES)},
	{"L1_dcache_loads", CACHE(L1D, READ, ACCESS)},
	{"L1_dcache_load_misses", CACHE(L1D, READ, MISS)},
	{"L1_dcache_stores", CACHE(L1D, WRITE, ACCESS)},
	{"L1_dcache_store_misses", CACHE(L1D, WRITE, MISS)},
	{"L1_icache_loads", CACHE(L1I, READ, ACCESS)},
	{"L1_icache_load_misses", CACHE(L1I, READ, MISS)},
	{"LLC_loads", CACHE(LL, READ, ACCESS)},
	{"LLC_load_misses", CACHE(LL, READ, MISS)},
	{"LLC_stores", CACHE(LL, WRITE, ACCESS)},
	{"LLC_store_misses", CACHE(LL, WRITE, MISS)},
	{"dTLB_loads", CACHE(DTLB, READ, ACCESS)},
	{"dTLB_load_misses", CACHE(DTLB, READ, MISS)},
	{"dTLB_stores", CACHE(DTLB, WRITE, ACCESS)},
	{"dTLB_store_misses", CACHE(DTLB, WRITE, MISS)},
	{"iTLB_loads", CACHE(ITLB, READ, ACCESS)},
	{"iTLB_load_misses", CACHE(ITLB, READ, MISS)},
	{"branch_loads", CACHE(BPU, READ, ACCESS)},
	{"branch_load_misses", CACHE(BPU, READ, MISS)},
	{"node_loads", CACHE(NODE, READ, ACCESS)},
	{"node_load_misses", CACHE(NODE, READ, MISS)},
	{"cpu_clock", SOFTWARE(CPU_CLOCK), MIN_NS},
	{"task_clock", SOFTWARE(TASK_CLOCK), MIN_NS},
	{"page_faults", SOFTWARE(PAGE_FAULTS), 1},
	{"context_switches", SOFTWARE(CONTEXT_SWITCHES), 1},
	{"cpu_migrations", SOFTWARE(CPU_MIGRATIONS), 1},
	{"minor_faults", SOFTWARE(PAGE_FAULTS_MIN), 1},
	{"major_faults", SOFTWARE(PAGE_FAULTS_MAJ), 1},
	{"alignment_faults", SOFTWARE(ALIGNMENT_FAULTS), 1},
	{"emulation_faults", SOFTWARE(EMULATION_FAULTS), 1},
	{"cgroup_switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CGROUP_SWITCHES, 1},
};

#define NEVENTS ((int)(sizeof(events) / sizeof(events[0])))

/* perf_event_open(2) refuses a sample_period with the top bit set. */
#define MAX_PERIOD ((uint64_t)INT64_MAX)

enum cpc_mode { MODE_ALL, MODE_USER, MODE_KERNEL };

struct counted {
	uint32_t type;
	uint64_t config, count;
	enum cpc_mode mode;
};

/* A number with nothing after it. */
static bool parse_number(const char *p, int base, uint64_t *out)
{
	char *end;

	if (!isxdigit((unsigned char)*p))
		return false;
	errno = 0;
	*out = strtoull(p, &end, base);
	return !errno && !*end;
}

/* rHEX: what the processor's own manual calls it, with ATTR as the unit mask. */
static bool raw_event(const char *text, const char *attr, struct counted *out)
{
	uint64_t mask = 0;

	if (*text != 'r' || !parse_number(text + 1, 16, &out->config))
		return false;
	if (attr && (!parse_number(attr, 16, &mask) || mask > 0xff || out->config > 0xff))
		return false;
	out->type = PERF_TYPE_RAW;
	out->config |= mask << 8;
	return out->count >= MIN_HARDWARE;
}

static bool named_event(const char *text, struct counted *out)
{
	for (int i = 0; i < NEVENTS; i++) {
		if (strcmp(text, events[i].name))
			continue;
		out->type = events[i].type;
		out->config = events[i].config;
		return out->count >= events[i].min;
	}
	return false;
}

/* name: event "-" ("user" | "kernel" | "all") "-" (hex "-")? count */
static bool parse(const char *name, struct counted *out)
{
	static const char *const modes[] = {"all", "user", "kernel"};
	char buf[128], *part[4], *rest = buf;
	int n = 0, mode = 0;

	if (strlen(name) >= sizeof(buf))
		return false;
	strcpy(buf, name);
	while (rest && n < 4)
		part[n++] = strsep(&rest, "-");
	if (rest || n < 3 || !parse_number(part[n - 1], 10, &out->count) || out->count > MAX_PERIOD)
		return false;
	while (mode < 3 && strcmp(part[1], modes[mode]))
		mode++;
	if (mode == 3)
		return false;
	out->mode = (enum cpc_mode)mode;
	return raw_event(part[0], n == 4 ? part[2] : NULL, out) ||
		(n == 3 && named_event(part[0], out));
}

/* True if the machine can count it. */
static bool can_count(struct provider_env *env, uint32_t type)
{
	return env_has(env,
		type == PERF_TYPE_SOFTWARE ? FEATURE_SOFTWARE_EVENTS : FEATURE_HARDWARE_EVENTS);
}

static int discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	struct counted c;

	if (!glob_match(pat->mod, "") || !glob_match(pat->func, ""))
		return 0;
	for (int i = 0; i < NEVENTS; i++) {
		const char *name = arena_printf(env->arena, "%s" LISTED, events[i].name);

		if (!glob_match(pat->name, name) || !can_count(env, events[i].type))
			continue;
		emit(arg, i, "cpc", "", "", name, 0);
		if (!strcmp(pat->name, name))
			return 0;
	}
	if (!glob_is_pattern(pat->name) && parse(pat->name, &c) && can_count(env, c.type))
		emit(arg, -1, "cpc", "", "", arena_strdup(env->arena, pat->name), 0);
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
	struct counted c;

	if (i || !parse(probe->name, &c))
		return -ENOENT;
	out->kind = ATTACH_EVENT;
	out->key_source = KEY_NONE;
	out->event_type = c.type;
	out->event_config = c.config;
	out->period = c.count;
	out->all_cpus = true;
	out->only_user = c.mode == MODE_USER;
	out->only_kernel = c.mode == MODE_KERNEL;
	return 0;
}

static void doctor(struct provider_env *env, const struct probe_pattern *pat, struct diagnosis *out)
{
	const char *lacks = env_lacks(env, FEATURE_SOFTWARE_EVENTS);

	if (can_count(env, PERF_TYPE_HARDWARE))
		return;
	if (can_count(env, PERF_TYPE_SOFTWARE))
		out->degraded = "software events only: no performance monitoring unit";
	else if (lacks)
		out->missing = arena_printf(
			env->arena, "perf events take %s, which this process lacks", lacks);
	else
		out->missing = "the kernel has no perf events (CONFIG_PERF_EVENTS)";
}

const struct provider provider_cpc = {
	.name = "cpc",
	.first_id = 4100,
	.max_slots = 128,
	.needs_hardware = true,
	.attr_prov = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON},
	.attr_mod = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
	.attr_func = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
	.attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS_CPU},
	.attr_args = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON},
	.discover = discover,
	.describe = describe,
	.plan = plan,
	.doctor = doctor,
};
