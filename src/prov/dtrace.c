// SPDX-License-Identifier: Apache-2.0
/* Implements the dtrace provider: BEGIN, END and ERROR, which the tracer itself fires. */
#include <errno.h>
#include <stddef.h>

#include "probe/args.h"
#include "probe/attach.h"
#include "probe/provider.h"
#include "probe/stability.h"
#include "prov/prov.h"

static const struct {
	const char *name;
	enum attach_kind kind;
} probes[] = {
	{"BEGIN", ATTACH_BEGIN},
	{"END", ATTACH_END},
	{"ERROR", ATTACH_ERROR},
};

#define NPROBES (sizeof(probes) / sizeof(probes[0]))

static int discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	for (unsigned i = 0; i < NPROBES; i++)
		emit(arg, (int)i, "dtrace", "", "", probes[i].name, i);
	return 0;
}

static int describe(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	/* arg1 .. arg5 tell of the fault; arg0 is unused */
	if (probes[probe->data].kind == ATTACH_ERROR)
		for (unsigned i = 1; i <= 5; i++)
			out->raw[i] = (struct arg_source){WHERE_FAULT, i, NULL, 0};
	return 0;
}

static int plan(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out)
{
	if (i)
		return -ENOENT;
	out->kind = probes[probe->data].kind;
	return 0;
}

const struct provider provider_dtrace = {
	.name = "dtrace",
	.first_id = 1,
	.max_slots = NPROBES,
	.attr_prov = {STAB_STABLE, STAB_STABLE, CLASS_COMMON},
	.attr_mod = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
	.attr_func = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},
	.attr_name = {STAB_STABLE, STAB_STABLE, CLASS_COMMON},
	.attr_args = {STAB_STABLE, STAB_STABLE, CLASS_COMMON},
	.discover = discover,
	.describe = describe,
	.plan = plan,
};
