// SPDX-License-Identifier: Apache-2.0
/* Tests the registry: its order, when it asks providers, and what it reports as missing. */
#include <errno.h>

#include "base/arena.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "test.h"

/* ---- two providers that count how often they are asked ---- */

static int disk_asked, net_asked, net_fails;
static int slot_too_big;

/* Hands out everything it has, in no order, one of them twice, and a probe that is named. */
static int disk_discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	disk_asked++;
	emit(arg, 2, "disk", "m", "write", "done", 22);
	emit(arg, 0, "disk", "m", "read", "start", 20);
	emit(arg, 2, "disk", "m", "write", "done", 22);
	if (slot_too_big)
		emit(arg, 10, "disk", "m", "f", "n", 0);
	if (!strncmp(pat->name, "every-", 6))
		emit(arg, -1, "disk", "", "", arena_strdup(env->arena, pat->name), 7);
	return 0;
}

static void disk_doctor(
	struct provider_env *env, const struct probe_pattern *pat, struct diagnosis *out)
{
	out->missing = "disk: no disk";
	out->degraded = "disk: slow"; /* no reason for a probe to be missing */
}

static int net_discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	net_asked++;
	if (net_fails)
		return -EIO;
	emit(arg, -1, "net", "", "", "packet", 0);
	emit(arg, 1, "net", "", "", "link", 1);
	return 0;
}

static const struct provider disk = {
	.name = "disk",
	.first_id = 500,
	.max_slots = 10,
	.discover = disk_discover,
	.doctor = disk_doctor,
};
static const struct provider net = {
	.name = "net",
	.first_id = 4,
	.max_slots = 3,
	.discover = net_discover,
};
static const struct provider *const providers[] = {&disk, &net, NULL};
static const char *const later[] = {"tape", NULL};

/* ---- asking ---- */

static char seen[1024];
static struct registry *nested; /* asked from within the visitor */

static void on_nested(void *arg, const struct probe *p)
{
	++*(int *)arg;
}

static void on_probe(void *arg, const struct probe *p)
{
	struct probe_pattern more = {"disk", "", "", "every-nested"};
	size_t n = strlen(seen);
	int count = 0;

	CHECK(arg == seen);
	snprintf(seen + n, sizeof(seen) - n, "%s%u %s:%s:%s:%s", n ? "|" : "", p->id, p->prov,
		p->mod, p->func, p->name);
	if (nested) {
		CHECK_INT(registry_match(nested, &more, on_nested, &count), 1);
		CHECK_INT(count, 1);
	}
}

static int match(
	struct registry *r, const char *prov, const char *mod, const char *func, const char *name)
{
	struct probe_pattern pat = {prov, mod, func, name};

	seen[0] = '\0';
	return registry_match(r, &pat, on_probe, seen);
}

static struct registry *fresh(struct arena *a)
{
	disk_asked = net_asked = net_fails = slot_too_big = 0;
	nested = NULL;
	return registry_new(a, NULL, providers, later);
}

static void test_order(struct arena *a)
{
	struct registry *r = fresh(a);

	CHECK_INT(match(r, "", "", "", ""), 4);
	CHECK_STR(
		seen, "5 net:::link|500 disk:m:read:start|502 disk:m:write:done|510 net:::packet");
	CHECK_INT(match(r, "", "m", "", "d*"), 1);
	CHECK_STR(seen, "502 disk:m:write:done");
	CHECK_INT(match(r, "*", "", "[rw]*", ""), 2);
	CHECK_STR(seen, "500 disk:m:read:start|502 disk:m:write:done");
	CHECK_INT(match(r, "net", "m", "", ""), 0);
	CHECK_INT(match(r, "nothing", "", "", ""), 0);
	CHECK_STR(seen, "");
}

static void test_laziness(struct arena *a)
{
	struct registry *r = fresh(a);

	CHECK_INT(disk_asked + net_asked, 0);
	CHECK_INT(match(r, "n*", "", "", "link"), 1);
	CHECK_INT(disk_asked, 0);
	CHECK_INT(net_asked, 1);
	CHECK_INT(match(r, "n*", "", "", "link"), 1);
	CHECK_INT(net_asked, 1); /* remembered */
	CHECK_INT(match(r, "n*", "", "", "l*"), 1);
	CHECK_INT(net_asked, 2);
	CHECK_INT(match(r, "", "", "", "link"), 1);
	CHECK_INT(disk_asked, 1);
}

static void test_named(struct arena *a)
{
	struct registry *r = fresh(a);

	/* ids go on from behind every block, one a name */
	CHECK_INT(match(r, "disk", "", "", "every-2"), 1);
	CHECK_STR(seen, "510 disk:::every-2");
	CHECK_INT(match(r, "disk", "", "", "every-1"), 1);
	CHECK_STR(seen, "511 disk:::every-1");
	CHECK_INT(match(r, "d*", "", "", "every-2"), 1);
	CHECK_STR(seen, "510 disk:::every-2");
	/* a glob finds those that were named before */
	CHECK_INT(match(r, "disk", "", "", "*-[0-9]"), 2);
	CHECK_STR(seen, "510 disk:::every-2|511 disk:::every-1");
	CHECK_INT(match(r, "disk", "", "", "every-3"), 1);
	CHECK_INT(match(r, "disk", "", "", "*-[0-9]"), 3);
}

static void test_by_id(struct arena *a)
{
	struct registry *r = fresh(a);
	const struct probe *p;

	CHECK(!registry_by_id(r, 0));
	CHECK(!registry_by_id(r, 3));
	CHECK(!registry_by_id(r, 510));
	CHECK(!registry_by_id(r, UINT32_MAX));
	CHECK_INT(disk_asked + net_asked, 0); /* no block holds those */
	p = registry_by_id(r, 502);
	CHECK(p);
	CHECK_STR(p ? p->name : NULL, "done");
	CHECK(p && p->provider == &disk);
	CHECK_INT(p ? p->data : 0, 22);
	CHECK_INT(disk_asked, 1);
	CHECK_INT(net_asked, 0);
	CHECK(!registry_by_id(r, 501)); /* in the block, but no probe has the slot */
	CHECK_INT(disk_asked, 1);
	CHECK_INT(match(r, "disk", "", "", "done"), 1);
	CHECK(registry_by_id(r, 502) == p); /* the same probe, at the same place */
	CHECK_INT(match(r, "net", "", "", "packet"), 1);
	p = registry_by_id(r, 510);
	CHECK_STR(p ? p->name : NULL, "packet");
}

static void test_failures(struct arena *a)
{
	struct registry *r = fresh(a);

	net_fails = 1;
	CHECK_INT(match(r, "", "", "", ""), -EIO);
	CHECK_STR(seen, "");
	CHECK_INT(match(r, "disk", "", "", ""), 2);
	CHECK(!registry_by_id(r, 5));
	net_fails = 0; /* a failure is not remembered */
	CHECK_INT(match(r, "", "", "", ""), 4);
	CHECK(registry_by_id(r, 5));

	r = fresh(a);
	slot_too_big = 1;
	CHECK_INT(match(r, "disk", "", "", ""), -ERANGE);
}

static void test_nested(struct arena *a)
{
	struct registry *r = fresh(a);

	nested = r;
	CHECK_INT(match(r, "disk", "", "", ""), 2);
	CHECK_STR(seen, "500 disk:m:read:start|502 disk:m:write:done");
}

static const char *missing(struct registry *r, const char *prov)
{
	struct probe_pattern pat = {prov, "", "", "x"};

	return registry_missing(r, &pat);
}

static void test_missing(struct arena *a)
{
	struct registry *r = fresh(a);

	CHECK_STR(missing(r, "disk"), "disk: no disk");
	CHECK_STR(missing(r, "di*"), "disk: no disk");
	CHECK_STR(missing(r, "net"), NULL);
	CHECK_STR(missing(r, "tape"), "provider tape is not supported yet");
	CHECK_STR(missing(r, "tape12"), "provider tape is not supported yet");
	CHECK_STR(missing(r, "tapes"), NULL);
	CHECK_STR(missing(r, ""), NULL); /* no provider was named */
	CHECK_STR(missing(r, "*"), NULL);
}

/* Providers that may not be used are not asked, have no probes, and their patterns say why. */
static void test_allowed(struct arena *a)
{
	static const char *const some[] = {"net", NULL}, *const nothing[] = {NULL};
	const struct registry_allowed one = {some, "conf:3"}, none = {nothing, "conf:4"};
	struct registry *r = fresh(a);

	CHECK_STR(registry_refuses(r, &disk), NULL);
	registry_allow(r, &one);
	CHECK_INT(match(r, "", "", "", ""), 2);
	CHECK_STR(seen, "5 net:::link|510 net:::packet");
	CHECK_INT(match(r, "disk", "", "", ""), 0);
	CHECK_INT(disk_asked, 0);
	CHECK(!registry_by_id(r, 500));
	CHECK_STR(missing(r, "disk"), "conf:3 does not allow provider disk");
	CHECK_STR(missing(r, "net"), NULL);
	CHECK_STR(missing(r, "tape"), "provider tape is not supported yet");
	CHECK_STR(registry_refuses(r, &disk), "conf:3 does not allow provider disk");
	CHECK(!registry_provider(r, 1));

	r = fresh(a);
	registry_allow(r, &none);
	CHECK_INT(match(r, "", "", "", ""), 0);
	CHECK_STR(missing(r, "net"), "conf:4 does not allow provider net");
}

static void test_empty(struct arena *a)
{
	static const struct provider *const none[] = {NULL};
	struct registry *r = registry_new(a, NULL, none, NULL);
	struct probe_pattern all = {"", "", "", ""};

	CHECK_INT(registry_match(r, &all, NULL, NULL), 0);
	CHECK(!registry_by_id(r, 1));
	CHECK(registry_env(r)->arena == a);
}

int main(void)
{
	struct arena *a = arena_new();

	test_order(a);
	test_laziness(a);
	test_named(a);
	test_by_id(a);
	test_failures(a);
	test_nested(a);
	test_missing(a);
	test_allowed(a);
	test_empty(a);
	arena_free(a);
	return test_done();
}
