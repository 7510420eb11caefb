// SPDX-License-Identifier: Apache-2.0
/*
 * Implements the fbt and rawfbt providers: entry and return of the kernel's functions.
 *
 * Few probes are attached to as fentry and fexit programs, which cost least and have typed
 * arguments; many as one program with kprobe.multi, or a kprobe each where the kernel lacks that.
 * rawfbt has the functions that compilers made of others, too (name.isra.0), which have no types.
 */
#include <errno.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/glob.h"
#include "probe/provider.h"
#include "probe/provider_env.h"
#include "probe/stability.h"
#include "prov/prov.h"
#include "types/type.h"
#include "types/types.h"

/* ---- which there are ---- */

/*
 * The functions that programs themselves run through: the kernel keeps programs from firing inside
 * of themselves and would count these firings as missed.
 */
static const char *const machinery[] = {
	"____bpf_",
	"___bpf_",
	"__bpf_",
	"__htab_",
	"__pcpu_freelist_",
	"__probestub_",
	"__traceiter_",
	"__ftrace_invalid",
	"arch_rethook_",
	"array_map_",
	"bpf_",
	"fprobe_",
	"ftrace_",
	"get_perf_callchain",
	"htab_",
	"kprobe_",
	"kretprobe_",
	"migrate_",
	"notrace_",
	"pcpu_freelist_",
	"percpu_array_map_",
	"perf_callchain_",
	"rethook_",
	"ringbuf_",
	"stack_trace_",
	"trace_call_bpf",
	"unwind_",
};

static bool is_machinery(const char *name)
{
	for (size_t i = 0; i < sizeof(machinery) / sizeof(machinery[0]); i++)
		if (!strncmp(name, machinery[i], strlen(machinery[i])))
			return true;
	return false;
}

/* Code on the way into the kernel, where nothing may be instrumented. */
static bool is_entry_code(const char *name)
{
	static const char *const prefixes[] = {
		"asm_", "exc_", "sysvec_", "entry_", "__noinstr", "paranoid_"};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/*
 * A probe's data: one for a return, and twice the place of its function in the kernel's list,
 * counted from 1; 0 = it was asked for by its name, and the list was not read.
 */
static const struct kernel_function *function_of(struct provider_env *env, const struct probe *p)
{
	uint32_t n;

	return p->data / 2 ? &env->functions(env->arg, &n)[p->data / 2 - 1] : NULL;
}

static bool is_return(const struct probe *p)
{
	return p->data & 1;
}

static bool can_trace(struct provider_env *env)
{
	return env->functions &&
		(env_has(env, FEATURE_KPROBE) || env_has(env, FEATURE_KPROBE_MULTI));
}

static int discover(struct provider_env *env, const struct probe_pattern *pat, const char *prov,
	bool raw, probe_emit_fn emit, void *arg)
{
	bool entry = glob_match(pat->name, "entry"), ret = glob_match(pat->name, "return");
	const struct kernel_function *f;
	uint32_t n = 0;

	if ((!entry && !ret) || !can_trace(env))
		return 0;
	f = env->functions(env->arg, &n);
	for (uint32_t i = 0; f && i < n; i++) {
		if (!glob_match(pat->func, f[i].name) || !glob_match(pat->mod, f[i].module) ||
			(!raw && strchr(f[i].name, '.')) || is_machinery(f[i].name))
			continue;
		/* static functions of one name stand together in no order: the first stands for all
		 */
		if (entry)
			emit(arg, (int)i * 2, prov, f[i].module, f[i].name, "entry",
				(i + 1) * 2ull);
		if (ret)
			emit(arg, (int)i * 2 + 1, prov, f[i].module, f[i].name, "return",
				(i + 1) * 2ull + 1);
	}
	return 0;
}

/*
 * One function by its name: the kernel takes a tenth of a second and more to make its list, so
 * that is not asked for what its type information answers.
 */
static bool discover_named(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	bool entry = glob_match(pat->name, "entry"), ret = glob_match(pat->name, "return");
	const char *name;

	if (!*pat->func || glob_is_pattern(pat->func) || !glob_match(pat->mod, "vmlinux") ||
		(!entry && !ret) || !types_function(env->types, pat->func) ||
		!env_has(env, FEATURE_FENTRY) || !env_has(env, FEATURE_FEXIT) ||
		is_entry_code(pat->func))
		return false;
	if (is_machinery(pat->func))
		return true;
	name = arena_strdup(env->arena, pat->func);
	if (entry)
		emit(arg, -1, "fbt", "vmlinux", name, "entry", 0);
	if (ret)
		emit(arg, -1, "fbt", "vmlinux", name, "return", 1);
	return true;
}

static int discover_fbt(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	return discover_named(env, pat, emit, arg) ? 0
						   : discover(env, pat, "fbt", false, emit, arg);
}

static int discover_rawfbt(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	return discover(env, pat, "rawfbt", true, emit, arg);
}

/* ---- arguments ---- */

/* Those on the stack are not read. */
static const struct arg_source entry_regs[PROBE_NARGS] = {ARCH_C_ARGS(ARG_IN_REG, ARG_UNREADABLE)};

static const struct arg_source return_regs[PROBE_NARGS] = {
	{.where = WHERE_MINUS_ONE},
	{.where = WHERE_REG, .member = ARCH_C_RESULT},
};

static const struct type *prototype(struct provider_env *env, const struct probe *probe)
{
	return types_function_in(env->types, probe->mod, probe->func);
}

static int describe_raw(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	memcpy(out->raw, is_return(probe) ? return_regs : entry_regs, sizeof(out->raw));
	return 0;
}

/* arg0 of a return is the place that it returns from, which is not known. */
static void describe_return(
	struct provider_env *env, const struct type *proto, struct probe_args *out)
{
	bool gives = type_resolve(proto->ref)->kind != TYPE_VOID;

	out->nargs = gives ? 2 : 1;
	out->types[0] = types_basic(env->types, T_LONG);
	out->types[1] = gives ? proto->ref : NULL;
	out->from[1] = 1;
}

static int describe(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	const struct type *proto = prototype(env, probe);
	uint32_t n;

	describe_raw(env, probe, out);
	if (!proto)
		return 0;
	if (is_return(probe)) {
		describe_return(env, proto, out);
		return 0;
	}
	n = type_params(proto, out->types, out->names, PROBE_NARGS);
	out->nargs = n < PROBE_NARGS ? n : PROBE_NARGS;
	for (uint32_t i = 0; i < out->nargs; i++)
		out->from[i] = (uint8_t)i;
	return 0;
}

/* ---- attaching ---- */

static const struct arg_source *context_args(
	struct provider_env *env, const struct probe *probe, const struct type *proto)
{
	struct arg_source *raw = arena_new_array(env->arena, struct arg_source, PROBE_NARGS);
	uint32_t n = type_params(proto, NULL, NULL, 0);

	if (is_return(probe)) {
		raw[0].where = WHERE_MINUS_ONE;
		if (type_resolve(proto->ref)->kind != TYPE_VOID)
			raw[1] = (struct arg_source){.where = WHERE_CTX, .offset = 8 * n};
		return raw;
	}
	for (uint32_t i = 0; i < n && i < PROBE_NARGS; i++)
		raw[i] = (struct arg_source){.where = WHERE_CTX, .offset = 8 * i};
	return raw;
}

/* Structures by value take several registers, which fentry's context does not follow. */
static bool is_plain(const struct type *proto)
{
	const struct type *params[PROBE_NARGS];
	uint32_t n = type_params(proto, params, NULL, PROBE_NARGS);

	for (uint32_t i = 0; i < n && i < PROBE_NARGS; i++) {
		const struct type *t = params[i] ? type_resolve(params[i]) : NULL;

		if (!t || t->kind == TYPE_STRUCT || t->kind == TYPE_UNION || t->kind == TYPE_FLOAT)
			return false;
	}
	return n <= 6;
}

/* True if no other function of the kernel has the name of F; functions of one name may be apart. */
static bool is_only(struct provider_env *env, const struct kernel_function *f)
{
	uint32_t n, same = 0;
	const struct kernel_function *all = f ? env->functions(env->arg, &n) : NULL;

	if (!f)
		return true;
	for (uint32_t i = 0; i < n && same < 2; i++)
		same += !strcmp(all[i].name, f->name);
	return same == 1;
}

static bool plan_few(struct provider_env *env, const struct probe *probe, struct attach_plan *out)
{
	const struct type *proto = types_function(env->types, probe->func);

	if (!out->few || strcmp(probe->mod, "vmlinux") || !proto || !is_plain(proto) ||
		!env_has(env, is_return(probe) ? FEATURE_FEXIT : FEATURE_FENTRY) ||
		!is_only(env, function_of(env, probe)))
		return false;
	out->kind = is_return(probe) ? ATTACH_FEXIT : ATTACH_FENTRY;
	out->raw = context_args(env, probe, proto);
	out->key_source = KEY_NONE;
	return true;
}

static int plan_raw(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out)
{
	if (i)
		return -ENOENT;
	out->kind = is_return(probe) ? ATTACH_KRETPROBES : ATTACH_KPROBES;
	out->hook = probe->func;
	out->module = probe->mod;
	out->addr = function_of(env, probe) ? function_of(env, probe)->addr : 0;
	out->multi = env_has(env, FEATURE_KPROBE_MULTI);
	out->key_source = KEY_COOKIE;
	/* one link can't have the same function twice, which both providers may be asked for */
	out->group = probe->provider == &provider_rawfbt;
	return 0;
}

static int plan(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out)
{
	if (i || !plan_few(env, probe, out))
		return plan_raw(env, probe, i, out);
	out->hook = probe->func;
	return 0;
}

/* ---- what is not there ---- */

static void doctor(struct provider_env *env, const struct probe_pattern *pat, struct diagnosis *out)
{
	const char *lacks;
	uint32_t n;

	if (!can_trace(env))
		out->missing =
			"the kernel has no function tracing: it needs CONFIG_KPROBES or CONFIG_FPROBE";
	else if (!env->functions(env->arg, &n) && (lacks = env_lacks(env, FEATURE_PERF_TP)))
		out->missing = arena_printf(env->arena,
			"the list of functions is read from tracefs, which takes %s", lacks);
	else if (!env->functions(env->arg, &n))
		out->missing =
			"the kernel does not list the functions that can be traced: it needs tracefs and CONFIG_FUNCTION_TRACER";
	else if (!env_has(env, FEATURE_KPROBE_MULTI))
		out->degraded =
			"no kprobe.multi (CONFIG_FPROBE and Linux 5.18): many probes take long to attach";
}

#define ATTRIBUTES                                                 \
	.attr_prov = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON}, \
	.attr_mod = {STAB_PRIVATE, STAB_PRIVATE, CLASS_UNKNOWN},   \
	.attr_func = {STAB_PRIVATE, STAB_PRIVATE, CLASS_ISA},      \
	.attr_name = {STAB_EVOLVING, STAB_EVOLVING, CLASS_COMMON}, \
	.attr_args = {STAB_PRIVATE, STAB_PRIVATE, CLASS_ISA}

const struct provider provider_fbt = {
	.name = "fbt",
	.first_id = 20000,
	.max_slots = 1 << 18,
	ATTRIBUTES,
	.discover = discover_fbt,
	.describe = describe,
	.plan = plan,
	.doctor = doctor,
};

const struct provider provider_rawfbt = {
	.name = "rawfbt",
	.first_id = 20000 + (1 << 18),
	.max_slots = 1 << 18,
	ATTRIBUTES,
	.discover = discover_rawfbt,
	.describe = describe_raw,
	.plan = plan_raw,
	.doctor = doctor,
};
