// SPDX-License-Identifier: Apache-2.0
/* Probes of processes that come and go while tracing: names, data, and that nothing stays. */
#include <malloc.h>
#include <stdio.h>

#include "base/arena.h"
#include "probe/provider.h"
#include "probe/registry.h"
#include "test.h"

static uint64_t data; /* what the provider has for each probe now */
static pid_t started; /* the process that is there when nobody asks for one alone */

/* Two probes in each process that is looked at, with names in the memory given for them. */
static int app_discover(
	struct provider_env *env, const struct probe_pattern *pat, probe_emit_fn emit, void *arg)
{
	pid_t pid = env->only ? env->only : started;
	const char *prov = arena_printf(env->arena, "app%d", pid);

	emit(arg, -1, prov, "a.out", "main", arena_strdup(env->arena, "begin"), data);
	emit(arg, -1, prov, "a.out", "main", arena_strdup(env->arena, "end"), data + 1);
	return 0;
}

static const struct provider app = {.name = "app", .discover = app_discover};
static const struct provider *const providers[] = {&app, NULL};
static const struct probe_pattern all = {"app*", "", "", ""};

struct seen {
	uint32_t n, first;
	uint64_t data;
};

static void on_probe(void *arg, const struct probe *p)
{
	struct seen *s = arg;

	if (!s->n++) {
		s->first = p->id;
		s->data = p->data;
	}
}

static struct seen look(struct registry *r, pid_t pid, uint64_t now)
{
	struct seen s = {0};

	data = now;
	CHECK_INT(registry_again(r, &app, &all, pid), 0);
	registry_visit(r, &app, pid, 0, on_probe, &s);
	return s;
}

/* A second look brings new data under the same ids. */
static void test_again(struct arena *a)
{
	struct registry *r = registry_new(a, NULL, providers, NULL);
	struct seen one = look(r, 100, 10), again = look(r, 100, 20), other = look(r, 101, 30);

	CHECK_INT(one.n, 2);
	CHECK_INT(again.n, 2);
	CHECK_INT(one.data, 10);
	CHECK_INT(again.data, 20);
	CHECK_INT(again.first, one.first);
	CHECK_INT(other.n, 2);
	CHECK(other.first > one.first);
	CHECK_STR(registry_by_id(r, one.first)->prov, "app100");
	registry_free(r);
}

/* A probe that was found at the start stays, with the data of the last look. */
static void test_found_at_start(struct arena *a)
{
	struct registry *r = registry_new(a, NULL, providers, NULL);
	struct seen start = {0}, s;

	started = 50;
	data = 1;
	CHECK_INT(registry_match(r, &all, on_probe, &start), 2);
	s = look(r, 50, 2);
	CHECK_INT(s.first, start.first);
	CHECK_INT(s.data, 2);
	registry_forget(r, 50);
	registry_settle(r, false);
	CHECK_INT(registry_by_id(r, start.first)->data, 2);
	registry_free(r);
}

/* After the end of a process: its records have names until they are consumed, or longer. */
static void test_forget(struct arena *a, bool names)
{
	struct registry *r = registry_new(a, NULL, providers, NULL);
	struct seen one = look(r, 100, 10), reused, none = {0};

	registry_forget(r, 100);
	registry_visit(r, &app, 100, 0, on_probe, &none);
	CHECK_INT(none.n, 0);
	CHECK_STR(registry_by_id(r, one.first)->name, "begin");
	reused = look(r, 100, 40); /* another process of the same number */
	CHECK(reused.first != one.first);
	registry_settle(r, names);
	CHECK((registry_by_id(r, one.first) != NULL) == names);
	if (names)
		CHECK_STR(registry_by_id(r, one.first)->prov, "app100");
	CHECK_INT(registry_by_id(r, reused.first)->data, 40);
	registry_free(r);
}

/* 20,000 processes, one after another, take no more memory than a hundred: arena and heap. */
static void test_memory(struct arena *a)
{
	struct registry *r = registry_new(a, NULL, providers, NULL);
	size_t used = 0, heap = 0;

	for (pid_t pid = 1; pid <= 20000; pid++) {
		look(r, pid, pid);
		registry_forget(r, pid);
		registry_settle(r, false);
		if (pid == 100) {
			used = arena_used(a);
			heap = mallinfo2().uordblks;
		}
	}
	CHECK_INT(arena_used(a), used);
	CHECK(mallinfo2().uordblks < heap + 65536);
	registry_free(r);
}

int main(void)
{
	struct arena *a = arena_new();

	test_again(a);
	test_found_at_start(a);
	test_forget(a, false);
	test_forget(a, true);
	test_memory(a);
	arena_free(a);
	return test_done();
}
