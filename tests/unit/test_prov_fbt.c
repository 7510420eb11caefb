// SPDX-License-Identifier: Apache-2.0
/*
 * Tests how fbt attaches, on made-up kernels: a few functions become fentry and fexit programs,
 * many go to one program with a kprobe.multi link, and what cannot be a fentry program goes there,
 * too.
 */
#include "test.h"

#include <errno.h>

#include "made_up.h"

static const struct kernel_function functions[] = {{"vmlinux", "plain", 0x1000},
	{"vmlinux", "several", 0x2000}, {"vmlinux", "several", 0x3000},
	{"vmlinux", "untyped", 0x4000}, {"ext4", "in_module", 0x5000}};

static const struct kernel_function *list_functions(void *arg, uint32_t *n)
{
	*n = sizeof(functions) / sizeof(functions[0]);
	return functions;
}

static const char *seen_doctor(struct session *s, const char *(*which)(const struct diagnosis *))
{
	const struct probe_pattern pat = {"fbt", "", "", ""};
	struct diagnosis d = {0};

	provider_fbt.doctor(registry_env(s->r), &pat, &d);
	return which(&d) ? which(&d) : "";
}

static const char *missing(const struct diagnosis *d)
{
	return d->missing;
}

static const char *degraded(const struct diagnosis *d)
{
	return d->degraded;
}

/* The plan of fbt::FUNC:NAME, one probe of FEW or many. */
static struct attach_plan plan_of(struct session *s, const char *func, const char *name, bool few)
{
	struct probe_pattern pat = {"fbt", "", func, name};
	struct attach_plan p = {.few = few};

	last = NULL;
	registry_match(s->r, &pat, on_probe, NULL);
	CHECK(last);
	if (last)
		CHECK_INT(last->provider->plan(registry_env(s->r), last, 0, &p), 0);
	return p;
}

static void test_few(struct kernel *k)
{
	struct session s = session_new(k);
	struct attach_plan p;

	registry_env(s.r)->functions = list_functions;
	p = plan_of(&s, "plain", "entry", true);
	CHECK_INT(p.kind, ATTACH_FENTRY);
	CHECK_INT(p.key_source, KEY_NONE);
	CHECK_STR(p.hook, "plain");
	CHECK_INT(plan_of(&s, "plain", "return", true).kind, ATTACH_FEXIT);
	/* fentry goes by the name alone, and needs the kernel's own types */
	CHECK_INT(plan_of(&s, "sever*", "entry", true).kind, ATTACH_KPROBES);
	CHECK_INT(plan_of(&s, "untyped", "entry", true).kind, ATTACH_KPROBES);
	CHECK_INT(plan_of(&s, "in_module", "entry", true).kind, ATTACH_KPROBES);
	arena_free(s.a);
}

static void test_many(struct kernel *k)
{
	struct session s = session_new(k);
	struct attach_plan p, q;

	registry_env(s.r)->functions = list_functions;
	p = plan_of(&s, "plai*", "entry", false);
	q = plan_of(&s, "untyped", "entry", false);
	CHECK_INT(p.kind, ATTACH_KPROBES);
	CHECK_INT(q.kind, ATTACH_KPROBES);
	CHECK(p.multi && q.multi);
	/* the cookie tells them apart: what programs are shared by is the same */
	CHECK_INT(p.key_source, KEY_COOKIE);
	CHECK_INT(q.key_source, KEY_COOKIE);
	CHECK_INT(p.group, q.group);
	CHECK_INT(p.addr, 0x1000);
	/* a probe is one hook */
	CHECK_INT(plan(&s, last, 1, &p), -ENOENT);
	CHECK_INT(plan_of(&s, "plain", "return", false).kind, ATTACH_KRETPROBES);
	CHECK_STR(seen_doctor(&s, missing), "");
	CHECK_STR(seen_doctor(&s, degraded), "");
	arena_free(s.a);
}

static void test_lacking(struct kernel *k)
{
	struct session s;

	k->features = 1ull << FEATURE_KPROBE;
	s = session_new(k);
	registry_env(s.r)->functions = list_functions;
	CHECK_INT(plan_of(&s, "plain", "entry", true).kind, ATTACH_KPROBES);
	CHECK(!plan_of(&s, "plain", "entry", true).multi);
	CHECK_STR(seen_doctor(&s, missing), "");
	CHECK(strstr(seen_doctor(&s, degraded), "no kprobe.multi"));
	arena_free(s.a);

	k->features = 0;
	s = session_new(k);
	registry_env(s.r)->functions = list_functions;
	CHECK_INT(match(&s, "fbt", "entry"), 0);
	CHECK(strstr(seen_doctor(&s, missing), "no function tracing"));
	arena_free(s.a);
}

int main(void)
{
	struct btf *b = btf__new_empty();
	struct kernel k = {0};

	add_hook(b, "plain", 2, 0);
	add_hook(b, "several", 1, 0);
	k.data = btf__raw_data(b, &k.len);
	k.features = 1ull << FEATURE_FENTRY | 1ull << FEATURE_FEXIT | 1ull << FEATURE_KPROBE |
		1ull << FEATURE_KPROBE_MULTI;
	test_few(&k);
	test_many(&k);
	test_lacking(&k);
	btf__free(b);
	return test_done();
}
