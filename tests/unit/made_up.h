/* SPDX-License-Identifier: Apache-2.0 */
/* made_up: kernels that have what a test says, for tests of providers that are tables of hooks. */
#ifndef TESTS_UNIT_MADE_UP_H
#define TESTS_UNIT_MADE_UP_H

#include <bpf/btf.h>
#include <stdio.h>

#include "base/arena.h"
#include "probe/derivation.h"
#include "probe/registry.h"
#include "prov/prov.h"
#include "types/type.h"
#include "types/types.h"

/* ---- a kernel ---- */

struct kernel {
	const void *data;
	uint32_t len;
	uint64_t features; /* bits */
};

static int load_kernel(void *arg, const void **data, size_t *len)
{
	struct kernel *k = arg;

	*data = k->data;
	*len = k->len;
	return 0;
}

static bool has(void *arg, enum feature which)
{
	struct kernel *k = arg;

	return k->features >> which & 1;
}

/* Tracepoint or, with no "btf_trace_" before it, function NAME with N pointers for parameters. */
static void add_hook(struct btf *b, const char *name, int n, int ret)
{
	int proto, ptr = btf__add_ptr(b, 0);
	bool tracepoint = strstr(name, "btf_trace_") != NULL;

	proto = btf__add_func_proto(b, ret);
	for (int i = 0; i < n + tracepoint; i++)
		btf__add_func_param(b, "x", ptr);
	if (tracepoint)
		btf__add_typedef(b, name, btf__add_ptr(b, proto));
	else
		btf__add_func(b, name, BTF_FUNC_STATIC, proto);
}

/* ---- asking ---- */

struct session {
	struct arena *a;
	struct registry *r;
};

static struct session session_new(struct kernel *k)
{
	struct session s = {.a = arena_new()};

	s.r = registry_new(
		s.a, types_new(s.a, 256, load_kernel, k), providers_all, providers_later);
	registry_env(s.r)->has = has;
	registry_env(s.r)->arg = k;
	return s;
}

static char seen[65536];
static const struct probe *last;

static void on_probe(void *arg, const struct probe *p)
{
	size_t n = strlen(seen);

	last = p;
	snprintf(seen + n, sizeof(seen) - n, "%s%u:%s", n ? " " : "", p->id, p->name);
}

static int match(struct session *s, const char *prov, const char *name)
{
	struct probe_pattern pat = {prov, "", "", name};

	seen[0] = '\0';
	last = NULL;
	return registry_match(s->r, &pat, on_probe, NULL);
}

static int plan(struct session *s, const struct probe *p, unsigned i, struct attach_plan *out)
{
	*out = (struct attach_plan){0};
	return p->provider->plan(registry_env(s->r), p, i, out);
}

#endif
