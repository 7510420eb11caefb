// SPDX-License-Identifier: Apache-2.0
/* Discovers, describes and plans the probes of providers that are tables of kernel hooks. */
#include "prov/derived.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/arena.h"
#include "probe/args.h"
#include "probe/attach.h"
#include "probe/derivation.h"
#include "probe/glob.h"
#include "probe/provider_env.h"
#include "prov/cdecl.h"
#include "types/type.h"
#include "types/types.h"

/* ---- which hooks the kernel has ---- */

static uint32_t words(const char *text)
{
	uint32_t n = 0;

	for (const char *p = text ? text : ""; *p; p += strspn(p, " ")) {
		n++;
		p += strcspn(p, " ");
	}
	return n;
}

static bool has_member(struct types *t, const char *path)
{
	const char *dot = strchr(path, '.');
	struct member_path found;
	const struct type *type;
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)(dot - path), path);
	type = types_lookup(t, SPACE_STRUCT, name);
	return type && type_find_member(type, dot + 1, &found);
}

/* Returns the prototype of H's tracepoint or function, NULL when there is none. */
static const struct type *prototype(struct provider_env *env, const struct derived_hook *h)
{
	const struct type *proto = NULL;

	if (h->kind == HOOK_TRACEPOINT)
		return types_tracepoint(env->types, h->hook, &proto) ? proto : NULL;
	return types_function(env->types, h->hook);
}

static bool has_prototype(struct provider_env *env, const struct derived_hook *h)
{
	const struct type *proto = prototype(env, h);

	return proto &&
		type_params(proto, NULL, NULL, 0) + (h->kind == HOOK_RETURN) >= words(h->params);
}

static bool exists(struct provider_env *env, const struct derived_hook *h)
{
	struct attach_plan plan = {0};
	struct probe_args args = {0};

	if (h->member && !has_member(env->types, h->member))
		return false;
	if (h->function && !types_function(env->types, h->function))
		return false;
	switch (h->kind) {
	case HOOK_TRACEPOINT:
		return has_prototype(env, h);
	case HOOK_SYSCALL:
	case HOOK_SYSCALL_RETURN:
		return syscall_hook(env, h->hook, h->kind == HOOK_SYSCALL_RETURN, &plan, &args);
	case HOOK_FUNCTION:
		return has_prototype(env, h) && env_has(env, FEATURE_FENTRY);
	case HOOK_RETURN:
		return has_prototype(env, h) && env_has(env, FEATURE_FEXIT);
	case HOOK_NETFILTER:
		return env_has(env, FEATURE_NETFILTER);
	case HOOK_EVENT:
		return env_has(env, FEATURE_SOFTWARE_EVENTS);
	default:
		return false;
	}
}

/* True if all of way WAY of PROBE exists that must, and anything at all. */
static bool way_exists(
	struct provider_env *env, const struct derived *d, const char *probe, unsigned way)
{
	bool any = false;

	for (const struct derived_hook *h = d->hooks; h->kind; h++) {
		if (strcmp(h->probe, probe) || h->way != way)
			continue;
		if (exists(env, h))
			any = true;
		else if (!h->optional)
			return false;
	}
	return any;
}

/* Returns the way in which PROBE is made on this kernel; -1 = none. */
static int way_of(struct provider_env *env, const struct derived *d, const char *probe)
{
	unsigned most = 0;

	for (const struct derived_hook *h = d->hooks; h->kind; h++)
		if (!strcmp(h->probe, probe) && h->way > most)
			most = h->way;
	for (unsigned way = 0; way <= most; way++)
		if (way_exists(env, d, probe, way))
			return (int)way;
	return -1;
}

/* ---- the provider's answers ---- */

/* A probe of which only the provider's own clauses know the name. */
static bool is_hidden(const char *name)
{
	return *name == '-';
}

int derived_discover(const struct provider *provider, struct provider_env *env,
	const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	const struct derived *d = provider->derived;

	if (!glob_match(pat->mod, "vmlinux") || !glob_match(pat->func, ""))
		return 0;
	for (int i = 0; d->probes[i].name; i++) {
		const char *name = d->probes[i].name;
		bool wanted =
			is_hidden(name) ? !strcmp(pat->name, name) : glob_match(pat->name, name);
		int way = wanted ? way_of(env, d, name) : -1;

		if (way >= 0)
			emit(arg, i, provider->name, "vmlinux", "", name, (uint64_t)way);
	}
	return 0;
}

static const struct derived_probe *row_of(const struct probe *probe)
{
	const struct derived_probe *p = probe->provider->derived->probes;

	while (strcmp(p->name, probe->name))
		p++;
	return p;
}

int derived_describe(struct provider_env *env, const struct probe *probe, struct probe_args *out)
{
	const struct derived_probe *row = row_of(probe);

	out->nargs = row->nargs;
	for (const struct derived_hook *h = probe->provider->derived->hooks; h->kind; h++)
		out->user_ptrs |= h->user_ptrs && !strcmp(h->probe, probe->name);
	for (uint32_t i = 0; i < row->nargs; i++) {
		const char *text = row->args[i].type;

		out->from[i] = row->args[i].from;
		cdecl_types(env->types, text, &out->types[i], 1);
		if (!out->types[i])
			out->dtypes[i] = text;
		out->xtypes[i] = row->args[i].translated;
	}
	return 0;
}

/* ---- plans ---- */

/* The arguments of a tracepoint or function, eight bytes each in the program's context. */
static void context_args(
	struct provider_env *env, const struct derived_hook *h, struct probe_args *out)
{
	const struct type *proto = prototype(env, h);
	uint32_t n = type_params(proto, out->types, NULL, PROBE_NARGS);

	if (n > PROBE_NARGS)
		n = PROBE_NARGS;
	if (h->kind == HOOK_RETURN && n < PROBE_NARGS && proto->ref)
		out->types[n++] = proto->ref;
	out->nargs = n;
	for (uint32_t i = 0; i < n; i++) {
		out->raw[i] = (struct arg_source){WHERE_CTX, 8 * i, NULL, 0};
		out->from[i] = (uint8_t)i;
	}
}

/* struct bpf_nf_ctx of the kernel's include/linux/bpf.h: state, skb */
static void netfilter_args(struct provider_env *env, struct probe_args *out)
{
	cdecl_types(env->types, "struct nf_hook_state *, struct sk_buff *", out->types, 2);
	out->nargs = 2;
	for (uint8_t i = 0; i < 2; i++) {
		out->raw[i] = (struct arg_source){WHERE_CTX, 8u * i, NULL, 0};
		out->from[i] = i;
	}
}

/* Describes the arguments of clauses that are called for each element of a list. */
static void item_args(
	struct provider_env *env, const struct derived_hook *h, struct probe_args *out)
{
	out->nargs = cdecl_count(h->items);
	cdecl_types(env->types, h->items, out->types, out->nargs);
	for (uint8_t i = 0; i < out->nargs; i++) {
		out->raw[i] = (struct arg_source){.where = WHERE_ITEM, .offset = i};
		out->from[i] = i;
	}
}

static void plan_hook(struct provider_env *env, const struct derived_hook *h,
	struct attach_plan *out, struct probe_args *args)
{
	out->hook = h->hook;
	out->key_source = KEY_NONE;
	switch (h->kind) {
	case HOOK_SYSCALL:
	case HOOK_SYSCALL_RETURN:
		syscall_hook(env, h->hook, h->kind == HOOK_SYSCALL_RETURN, out, args);
		return;
	case HOOK_NETFILTER:
		out->kind = ATTACH_NETFILTER;
		out->nf_family = h->nf_family;
		out->nf_hook = h->nf_hook;
		netfilter_args(env, args);
		return;
	case HOOK_EVENT:
		out->kind = ATTACH_EVENT;
		out->event_type = PERF_TYPE_SOFTWARE;
		out->event_config = h->event;
		out->period = 1;
		out->all_cpus = true;
		return;
	default:
		if (h->each) {
			out->kind = ATTACH_RAW_TP;
			item_args(env, h, args);
			return;
		}
		out->kind = h->kind == HOOK_TRACEPOINT ? ATTACH_TP_BTF
			: h->kind == HOOK_FUNCTION     ? ATTACH_FENTRY
						       : ATTACH_FEXIT;
		context_args(env, h, args);
	}
}

/* Returns hook number I of those that PROBE is made of on this kernel. */
static const struct derived_hook *hook_at(
	struct provider_env *env, const struct probe *probe, unsigned i)
{
	for (const struct derived_hook *h = probe->provider->derived->hooks; h->kind; h++) {
		if (strcmp(h->probe, probe->name) || h->way != probe->data)
			continue;
		if (exists(env, h) && !i--)
			return h;
	}
	return NULL;
}

int derived_plan(
	struct provider_env *env, const struct probe *probe, unsigned i, struct attach_plan *out)
{
	const struct derived_hook *h = hook_at(env, probe, i);
	struct derivation *d;

	if (!h)
		return -ENOENT;
	d = arena_new_obj(env->arena, struct derivation);
	plan_hook(env, h, out, &d->hook);
	out->inner = h->inner;
	out->rank = (uint32_t)(h - probe->provider->derived->hooks);
	d->params = h->params;
	d->when = h->when;
	d->task = h->task;
	d->each = h->each;
	d->state = h->state;
	for (int k = 0; k < DERIVED_NARGS; k++)
		d->args[k] = h->args[k];
	out->from = d;
	return 0;
}

/* ---- what is not there ---- */

/* Returns "the kernel has no ..." or the capabilities that PROBE takes. */
static const char *lack(struct provider_env *env, const struct derived *d, const char *probe)
{
	const char *function = NULL, *lacks;

	for (const struct derived_hook *h = d->hooks; h->kind; h++) {
		if (strcmp(h->probe, probe) || exists(env, h))
			continue;
		switch (h->kind) {
		case HOOK_TRACEPOINT:
			return arena_printf(env->arena,
				prototype(env, h) ? "the kernel's tracepoint %s has fewer arguments"
						  : "the kernel has no tracepoint %s",
				h->hook);
		case HOOK_FUNCTION:
		case HOOK_RETURN:
			/* netfilter may do as well */
			function = "the kernel has no tracing of kernel functions";
			break;
		case HOOK_NETFILTER:
			lacks = env_lacks(env, FEATURE_NETFILTER);
			if (lacks)
				return arena_printf(env->arena,
					"netfilter programs take %s, which this process lacks",
					lacks);
			return "the kernel has no netfilter programs (Linux 6.4) or tracing of kernel functions";
		case HOOK_EVENT:
			lacks = env_lacks(env, FEATURE_SOFTWARE_EVENTS);
			if (lacks)
				return arena_printf(env->arena,
					"software events take %s, which this process lacks", lacks);
			return "the kernel has no software events";
		case HOOK_NEVER:
			return arena_printf(env->arena, "the kernel has no %s", h->hook);
		default:
			return arena_printf(
				env->arena, "the kernel has no system call %s", h->hook);
		}
	}
	return function ? function : "the kernel has nothing to make it from";
}

/* Why none of PROVIDER's probes can fire; NULL: some can. */
static const char *why_none(const struct provider *provider, struct provider_env *env)
{
	const struct derived *d = provider->derived;

	for (const struct derived_probe *p = d->probes; p->name; p++)
		if (!is_hidden(p->name) && way_of(env, d, p->name) >= 0)
			return NULL;
	if (types_error(env->types))
		return arena_printf(env->arena,
			"the kernel's type information, /sys/kernel/btf/vmlinux, cannot be read (%s); run a kernel built with CONFIG_DEBUG_INFO_BTF",
			strerror(-types_error(env->types)));
	return lack(env, d, d->probes[0].name);
}

/* True if any probe is made of netfilter's hooks. */
static bool by_netfilter(struct provider_env *env, const struct derived *d)
{
	for (const struct derived_hook *h = d->hooks; h->kind; h++)
		if (h->kind == HOOK_NETFILTER && way_of(env, d, h->probe) == (int)h->way)
			return true;
	return false;
}

/* True if PROBE is not there and lacks LACKING, or (NULL) anything. */
static bool is_lacking(struct provider_env *env, const struct derived *d,
	const struct derived_probe *p, const char *lacking)
{
	return !is_hidden(p->name) && way_of(env, d, p->name) < 0 &&
		(!lacking || !strcmp(lack(env, d, p->name), lacking));
}

/*
 * Returns why the probe that PAT names cannot fire; NULL: it can, or there is no probe of that
 * name.
 */
static const char *why_not(
	const struct provider *provider, struct provider_env *env, const struct probe_pattern *pat)
{
	const struct derived *d = provider->derived;

	for (const struct derived_probe *p = d->probes; p->name; p++)
		if (!strcmp(p->name, pat->name) && is_lacking(env, d, p, NULL))
			return lack(env, d, p->name);
	return NULL;
}

/*
 * Returns "no wait-start, wait-done (the kernel has no ...)" for all probes that lack the same as
 * P.
 */
static const char *group_of(
	struct provider_env *env, const struct derived *d, const struct derived_probe *p)
{
	const char *why = lack(env, d, p->name), *text = "";

	for (const struct derived_probe *q = d->probes; q->name; q++) {
		if (!is_lacking(env, d, q, why))
			continue;
		if (q < p)
			return NULL; /* said with that one */
		text = arena_printf(env->arena, "%s%s %s", text, *text ? "," : "no", q->name);
	}
	return arena_printf(env->arena, "%s (%s)", text, why);
}

/* Returns the probes that this kernel cannot fire and what others miss; NULL: nothing. */
static const char *weaknesses(const struct provider *provider, struct provider_env *env)
{
	const struct derived *d = provider->derived;
	const char *text = NULL;

	for (const struct derived_probe *p = d->probes; p->name; p++) {
		const char *group = is_lacking(env, d, p, NULL) ? group_of(env, d, p) : NULL;

		if (group)
			text = arena_printf(
				env->arena, "%s%s%s", text ? text : "", text ? ", " : "", group);
	}
	if (by_netfilter(env, d))
		text = arena_printf(env->arena,
			"%s%sthe first packets of network namespaces made while tracing may be missed (the kernel has no tracing of kernel functions)",
			text ? text : "", text ? ", " : "");
	return text;
}

void derived_doctor(const struct provider *provider, struct provider_env *env,
	const struct probe_pattern *pat, struct diagnosis *out)
{
	out->missing = why_none(provider, env);
	if (!out->missing && pat)
		out->missing = why_not(provider, env, pat);
	if (!out->missing && !pat)
		out->degraded = weaknesses(provider, env);
}
