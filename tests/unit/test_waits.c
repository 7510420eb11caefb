// SPDX-License-Identifier: Apache-2.0
/* Tests base/waits.h: any number of descriptors, the first deadline, work in the order of turns. */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/waits.h"
#include "test.h"

static struct {
	char text[32], name[2];
	struct waits *add_to;
	struct arena *arena;
} said = {.name = "n"};

static int say(void *arg, uint64_t now)
{
	(void)now;
	strcat(said.text, arg);
	return 0;
}

static int fail(void *arg, uint64_t now)
{
	say(arg, now);
	return -5;
}

static int add(void *arg, uint64_t now)
{
	say(arg, now);
	if (said.add_to)
		waits_add(said.arena, said.add_to, 2, say, said.name);
	said.add_to = NULL;
	return 0;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void test_turns(struct arena *a)
{
	struct waits w = {0};

	waits_add(a, &w, 1, say, (char[]){"c"});
	waits_add(a, &w, 0, say, (char[]){"a"});
	waits_add(a, &w, 3, say, (char[]){"e"});
	waits_add(a, &w, 1, NULL, (char[]){"never"});
	waits_add(a, &w, 1, add, (char[]){"d"});
	waits_add(a, &w, 0, say, (char[]){"b"});
	said.text[0] = '\0';
	CHECK(!waits_work(&w, 0, 3));
	CHECK_STR(said.text, "abcde");
	said.text[0] = '\0';
	CHECK(!waits_work(&w, 1, 1));
	CHECK_STR(said.text, "cd");
	/* one that is added in a pass goes before those of later turns */
	said.arena = a;
	said.add_to = &w;
	said.text[0] = '\0';
	CHECK(!waits_work(&w, 0, 3));
	CHECK_STR(said.text, "abcdne");
	waits_add(a, &w, 0, fail, (char[]){"!"});
	said.text[0] = '\0';
	CHECK(waits_work(&w, 0, 3) == -5);
	CHECK_STR(said.text, "ab!");
}

static void test_wait(struct arena *a)
{
	uint64_t begin = now_ns(), far = begin + 600000000000;
	struct waits w = {0};
	struct loop_wait *last = NULL;
	int ends[2];

	CHECK(!pipe(ends));
	for (int i = 0; i < 100; i++) {
		last = waits_add(a, &w, 0, NULL, NULL);
		last->fd = ends[0];
	}
	/* none is readable: a deadline ends it, that of the caller or of one of them */
	waits_for(&w, begin + 1000000);
	CHECK(now_ns() >= begin + 1000000);
	last->until = now_ns() + 1000000;
	waits_for(&w, far);
	CHECK(now_ns() >= last->until);
	waits_for(&w, far); /* it is over */
	last->until = WAIT_NEVER;
	/* one is */
	for (uint32_t i = 0; i < w.all.len - 1; i++)
		w.all.data[i]->fd = -1;
	CHECK(write(ends[1], "", 1) == 1);
	waits_for(&w, far);
	CHECK(now_ns() < far);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	struct arena *a = arena_new();

	test_turns(a);
	test_wait(a);
	arena_free(a);
	return test_done();
}
