// SPDX-License-Identifier: Apache-2.0
/* Tests what is suggested for a probe description that matches nothing. */
#include <ctype.h>

#include "base/arena.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "test.h"

static int many_asked;

static int calls_discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	static const char *const calls[] = {"open", "openat", "close", "pipe", "pread64", "exit"};

	for (int i = 0; i < 6; i++) {
		emit(arg, 2 * i, "calls", "core", calls[i], "entry", 0);
		if (i < 5)
			emit(arg, 2 * i + 1, "calls", "core", calls[i], "return", 0);
	}
	return 0;
}

/* BEGIN, and every-N for any N that is asked for. */
static int clock_discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	emit(arg, 0, "clock", "", "", "BEGIN", 0);
	emit(arg, 1, "clock", "", "", "every-10", 0);
	if (!strncmp(pat->name, "every-", 6) && isdigit((unsigned char)pat->name[6]))
		emit(arg, -1, "clock", "", "", arena_strdup(env->arena, pat->name), 0);
	return 0;
}

static int many_discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	many_asked += !*pat->func;
	emit(arg, 0, "manyfold", "core", "do_something", "entry", 0);
	return 0;
}

static const struct provider clock_provider = {
	.name = "clock", .first_id = 1, .max_slots = 4, .discover = clock_discover};
static const struct provider calls = {
	.name = "calls", .first_id = 10, .max_slots = 100, .discover = calls_discover};
static const struct provider many = {
	.name = "manyfold", .first_id = 1000, .max_slots = 100000, .discover = many_discover};
static const struct provider *const providers[] = {&clock_provider, &calls, &many, NULL};

static const char *suggest(const char *prov, const char *mod, const char *func, const char *name)
{
	static struct arena *a;
	struct probe_pattern pat = {prov, mod, func, name};
	struct registry *r;

	if (a)
		arena_free(a);
	a = arena_new();
	many_asked = 0;
	r = registry_new(a, NULL, providers, NULL);
	CHECK_INT(registry_match(r, &pat, NULL, NULL), 0);
	return registry_suggest(r, &pat, a);
}

/* One part is wrong: it alone is named; patterns in the others stay what they are. */
static void test_one_part(void)
{
	CHECK_STR(suggest("calls", "", "opne", "entry"), "open");
	CHECK_STR(suggest("calls", "", "Close", ""), "close");
	CHECK_STR(suggest("calls", "c?re", "opne", "e*"), "open");
	CHECK_STR(suggest("calls", "", "op*", "entyr"), "entry");
	CHECK_STR(suggest("calls", "", "open", "enter"), "entry");
	CHECK_STR(suggest("calls", "corr", "open", "entry"), "core");
	CHECK_STR(suggest("calls", "", "pread", "entry"), "pread64");
	CHECK_STR(suggest("call", "", "open", "entry"), "calls");
	CHECK_STR(suggest("clock", "", "", "begin"), "BEGIN");
	CHECK_STR(suggest("manyfold", "", "do_somthing", "entry"), "do_something");
}

static void test_several_parts(void)
{
	CHECK_STR(suggest("calls", "", "opne", "entyr"), "calls::open:entry");
	CHECK_STR(suggest("calsl", "", "clos", "e*"), "calls::close:e*");
	/* nothing of that provider is near, but the provider is */
	CHECK_STR(suggest("calsl", "", "unheard", "entry"), "calls");
}

/* Without a provider, those with few probes are searched. */
static void test_any_provider(void)
{
	CHECK_STR(suggest("", "", "", "BEGN"), "BEGIN");
	CHECK_STR(suggest("", "", "closee", ""), "close");
	CHECK_STR(suggest("c*", "", "closee", ""), "close");
	CHECK_STR(suggest("x*", "", "closee", ""), NULL);
	CHECK_STR(suggest("", "", "do_somthing", "entry"), NULL);
	CHECK_INT(many_asked, 0);
}

static void test_other_places(void)
{
	CHECK_STR(suggest("", "calls", "open", "entry"), "calls::open:entry");
	CHECK_STR(suggest("", "", "calls", "open"), "calls::open:");
	CHECK_STR(suggest("", "", "clock", "BEGIN"), "clock:::BEGIN");
	CHECK_STR(suggest("", "", "", "pipe"), "::pipe:");
	CHECK_STR(suggest("", "", "", "calls"), "calls:::");
	CHECK_STR(suggest("BEGIN", "", "", ""), ":::BEGIN");
}

/* Probes that exist by being named: the number stays. */
static void test_numbers(void)
{
	CHECK_STR(suggest("", "", "", "evry-5"), "every-5");
	CHECK_STR(suggest("clock", "", "", "evrey-77"), "every-77");
	CHECK_STR(suggest("calls", "", "", "evrey-77"), NULL);
	CHECK_STR(suggest("", "", "", "every-x"), "every-10");
}

static void test_nothing(void)
{
	CHECK_STR(suggest("unheard", "of", "at", "all"), NULL);
	CHECK_STR(suggest("calls", "", "op*x", "entry"), NULL); /* a pattern is not corrected */
	CHECK_STR(suggest("calls", "", "exit", "return"), NULL);
	CHECK_STR(suggest("", "", "", "zzzzz"), NULL);
}

int main(void)
{
	test_one_part();
	test_several_parts();
	test_any_provider();
	test_other_places();
	test_numbers();
	test_nothing();
	return test_done();
}
