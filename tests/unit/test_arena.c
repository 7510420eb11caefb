// SPDX-License-Identifier: Apache-2.0
/* Tests arenas: their memory, what they own, and what happens when memory runs out. */
#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "breaks.h"
#include "fail_alloc.h"
#include "test.h"

static void test_arena(void)
{
	struct arena *a = arena_new();
	char *big, *small = arena_strdup(a, "small");
	size_t used = arena_used(a);

	big = arena_alloc(a, 1 << 20);
	CHECK_INT((uintptr_t)big % 16, 0);
	CHECK_INT(big[0] | big[(1 << 20) - 1], 0);
	memset(big, 1, 1 << 20);
	CHECK_STR(small, "small");
	CHECK_STR(arena_printf(a, "%d-%s", 7, small), "7-small");
	CHECK_STR(arena_strndup(a, "abcdef", 3), "abc");
	CHECK(arena_used(a) > used + (1 << 20));
	/* the head's room is used again after a big block */
	CHECK((char *)arena_alloc(a, 16) < big || (char *)arena_alloc(a, 16) > big);
	arena_free(a);
}

static void test_oom(void)
{
	struct arena *a = arena_new();
	jmp_buf env;
	volatile int jumped = 0;

	if (setjmp(env))
		jumped = 1;
	else {
		arena_on_oom(a, &env);
		arena_alloc(a, SIZE_MAX - 100);
	}
	CHECK_INT(jumped, 1);
	arena_free(a);
}

/* ---- what an arena owns ---- */

/* Things that are released: each is its number in ORDER. */
static char things[8], order[64];

static void release(void *what)
{
	size_t len = strlen(order);

	order[len] = (char)('0' + ((char *)what - things));
	order[len + 1] = '\0';
}

static void own(struct arena *a, int i)
{
	arena_own(a, release, &things[i]);
}

/* What was released since the last call, in its order. */
static const char *released(void)
{
	static char was[sizeof(order)];

	memcpy(was, order, sizeof(was));
	*order = '\0';
	return was;
}

static void test_any_order(void)
{
	struct arena *a = arena_new();

	for (int i = 0; i < 6; i++)
		own(a, i);
	arena_release(a, &things[2]);
	arena_release(a, &things[0]);
	arena_disown(a, &things[3]);
	arena_release(a, &things[5]);
	CHECK_STR(released(), "205");
	own(a, 6);
	arena_own(a, release, NULL); /* nothing */
	arena_release(a, NULL);
	arena_disown(a, NULL);
	arena_free(a);
	CHECK_STR(released(), "641"); /* what is left, the newest first */
}

static void test_reset(void)
{
	struct arena *a = arena_new();

	own(a, 0);
	own(a, 1);
	arena_release(a, &things[0]); /* its note is spare, and is not used after the reset */
	arena_reset(a);
	CHECK_STR(released(), "01");
	memset(arena_alloc(a, 4096), 0xff, 4096);
	own(a, 2);
	arena_reset(a);
	CHECK_STR(released(), "2");
	arena_free(a);
	CHECK_STR(released(), "");
}

/* Owning and releasing for ever takes no memory. */
static void test_notes_are_used_again(void)
{
	struct arena *a = arena_new(), *below = arena_own_new(a);
	size_t used = 0;

	for (int i = 0; i < 1000000; i++) {
		own(a, 0);
		own(below, 1);
		own(a, 2);
		arena_disown(a, &things[0]);
		arena_release(a, &things[2]);
		arena_disown(below, &things[1]);
		*order = '\0';
		if (i == 0)
			used = arena_used(a) + arena_used(below);
	}
	CHECK_INT(arena_used(a) + arena_used(below), used);
	arena_free(a);
}

static void test_below(void)
{
	struct arena *a = arena_new(), *below = arena_own_new(a), *other = arena_own_new(a);

	own(a, 0);
	own(below, 1);
	own(other, 2);
	own(a, 3);
	own(below, 4);
	arena_release(a, below); /* with what it owns */
	CHECK_STR(released(), "41");
	arena_disown(a, other);
	arena_free(other);
	CHECK_STR(released(), "2");
	below = arena_own_new(a);
	own(below, 5);
	arena_free(a);
	CHECK_STR(released(), "530");
}

static void test_files(void)
{
	struct arena *a = arena_new();
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC), other = dup(fd);

	arena_own_file(a, -1);
	arena_own_file(a, fd);
	arena_own_file(a, other);
	arena_release_file(a, -1);
	arena_release_file(a, fd);
	CHECK_INT(fcntl(fd, F_GETFD), -1);
	CHECK(fcntl(other, F_GETFD) >= 0);
	arena_free(a);
	CHECK_INT(fcntl(other, F_GETFD), -1);
}

/* ---- without memory ---- */

static int run_out(void *arg)
{
	struct arena *a = arg;
	struct buf inner = {0};

	buf_own(&inner, a);
	buf_puts(&inner, "inner"); /* leaked, if it is not released */
	own(a, 2);
	own(a, 3);
	arena_release(a, &things[2]);
	arena_alloc(a, SIZE_MAX - 100);
	return 0;
}

static int stay_in(void *arg)
{
	own(arg, 4);
	own(arg, 5);
	arena_release(arg, &things[4]);
	return 42;
}

/* A part releases what is owned since it began, and the outer one what inner ones left. */
static void test_parts(void)
{
	struct arena *a = arena_new();
	jmp_buf env;

	if (!setjmp(env)) {
		arena_on_oom(a, &env);
		own(a, 0);
		own(a, 1);
		CHECK_INT(arena_try(a, run_out, a), -ENOMEM);
		CHECK_STR(released(), "23");
		CHECK_INT(arena_try(a, stay_in, a), 42);
		CHECK_STR(released(), "4");
		/* what a part left is not for the next one to release */
		CHECK_INT(arena_try(a, run_out, a), -ENOMEM);
		CHECK_STR(released(), "23");
		arena_fail(a);
	}
	CHECK_STR(released(), "510");
	arena_free(a);
	CHECK_STR(released(), "");
}

/* Runs out in an arena below A, in a part of its own within A's; returns how often it came back. */
static int run_out_below(struct arena *a)
{
	struct arena *below = arena_own_new(a);
	struct arena_part outer, inner;
	volatile int came_back = 0;

	own(a, 0);
	if (ARENA_ENTER(a, &outer)) {
		came_back += 10;
	} else {
		own(a, 1);
		if (ARENA_ENTER(below, &inner))
			came_back++;
		else {
			arena_release(a, &things[0]); /* the newest that is outside of it */
			own(below, 2);
			arena_release(a, &things[1]);
			own(a, 3);
			arena_alloc(below, SIZE_MAX - 100);
		}
		arena_leave(below, &inner);
		CHECK_STR(released(), "0132");
		own(below, 4);
		arena_alloc(below, SIZE_MAX - 100);
	}
	arena_leave(a, &outer);
	CHECK_STR(released(), "4");
	arena_release(a, below); /* was owned before, and is still there */
	return came_back;
}

static void test_parts_within(void)
{
	struct arena *a = arena_new();
	int status = 0;
	pid_t pid;

	own(a, 7);
	CHECK_INT(run_out_below(a), 11);

	/* a forked process must not go on where its parent would */
	pid = fork();
	if (!pid) {
		close(STDERR_FILENO);
		run_out_below(a);
		_exit(42);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	arena_free(a);
	CHECK_STR(released(), "7");
}

static int own_many(void *arg)
{
	for (int i = 0; i < 8; i++)
		own(arg, i);
	return 0;
}

/* What cannot be noted is released, once, and so is what was noted before. */
static void test_no_note(void)
{
	char *text = NULL;

	for (int fail = 0; fail < 3; fail++) {
		struct arena *a = arena_new();

		if (fail)
			arena_alloc(a, fail == 1 ? 4096 : 4000); /* of 4096: room for a few notes */
		allocs_left = 0;
		CHECK_INT(arena_try(a, own_many, a), -ENOMEM);
		CHECK(!arena_own_new(a));
		allocs_left = -1;
		CHECK_STR(released(), fail < 2 ? "0" : "210");
		CHECK_INT(arena_try(a, own_many, a), 0);
		text = arena_strdup(a, "as before");
		CHECK_STR(text, "as before");
		arena_free(a);
		CHECK_STR(released(), "76543210");
	}
}

/* ---- defects ---- */

static void release_twice(void *a)
{
	own(a, 0);
	arena_release(a, &things[0]);
	arena_release(a, &things[0]);
}

static void disown_released(void *a)
{
	own(a, 0);
	arena_release(a, &things[0]);
	arena_disown(a, &things[0]);
}

static void own_twice(void *a)
{
	own(a, 0);
	own(a, 0);
}

static void release_of_other(void *a)
{
	own(a, 0);
	arena_release(arena_own_new(a), &things[0]);
}

static void free_owned(void *a)
{
	arena_free(arena_own_new(a));
}

static void free_above(void *a)
{
	own(arena_new_below(a), 0);
	arena_free(a);
}

static void leave_outer(void *a)
{
	struct arena_part outer, inner;

	arena_enter(a, &outer);
	arena_enter(a, &inner);
	arena_leave(a, &outer);
}

static void test_defects(void)
{
	void (*const defects[])(void *a) = {release_twice, disown_released, own_twice,
		release_of_other, free_owned, free_above, leave_outer};

	for (size_t i = 0; i < sizeof(defects) / sizeof(defects[0]); i++) {
		struct arena *a = arena_new();

		CHECK(breaks("base/arena.c", defects[i], a));
		arena_free(a);
	}
}

int main(void)
{
	test_arena();
	test_oom();
	test_any_order();
	test_reset();
	test_notes_are_used_again();
	test_below();
	test_files();
	test_parts();
	test_parts_within();
	test_no_note();
	test_defects();
	return test_done();
}
