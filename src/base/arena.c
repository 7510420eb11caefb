// SPDX-License-Identifier: Apache-2.0
/* Allocates memory that is freed all at once. */
#include "base/arena.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALIGN 16

/* chunks double up to CHUNK_MOST; make check-hostile has small ones, so that more requests can fail
 */
#ifndef CHUNK_MOST
#define CHUNK_LEAST (4 * 1024)
#define CHUNK_MOST  (64 * 1024)
#endif

struct arena_chunk {
	struct arena_chunk *next;
	size_t size, used;
	_Alignas(ALIGN) char data[];
};

struct arena {
	struct arena_chunk *head;
	size_t used;
	struct arena *root; /* that has what follows: itself, or that of the arena it is below */
	pid_t owner;	    /* a process that it forks has a copy, but not what to jump to */
	jmp_buf *oom;
	struct arena_held *held; /* the last one first */
	struct arena_held *kept; /* of these, the first that is not for OOM to release */
};

struct arena *arena_new(void)
{
	struct arena *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->root = a;
	a->owner = getpid();
	return a;
}

struct arena *arena_new_below(struct arena *above)
{
	struct arena *a = calloc(1, sizeof(*a));

	if (a)
		a->root = above->root;
	return a;
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	for (struct arena_chunk *c = a->head, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(a);
}

void arena_reset(struct arena *a)
{
	struct arena_chunk *keep = a->head;

	if (!keep)
		return;
	for (struct arena_chunk *c = keep->next, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	keep->next = NULL;
	keep->used = 0;
	a->used = 0;
}

void arena_on_oom(struct arena *a, jmp_buf *env)
{
	a->root->oom = env;
}

void arena_hold(struct arena *a, struct arena_held *h, void (*release)(void *what), void *what)
{
	*h = (struct arena_held){a->root->held, release, what};
	a->root->held = h;
}

static void release_file(void *fd)
{
	if (*(int *)fd >= 0)
		close(*(int *)fd);
}

void arena_hold_file(struct arena *a, struct arena_held *h, int *fd)
{
	arena_hold(a, h, release_file, fd);
}

static void release_arena(void *a)
{
	arena_free(a);
}

struct arena *arena_hold_new(struct arena *above, struct arena_held *h)
{
	struct arena *a = arena_new_below(above);

	if (a)
		arena_hold(above, h, release_arena, a);
	return a;
}

void arena_hand_on(struct arena *a, struct arena_held *h)
{
	a->root->held = h->next;
}

void arena_let_go(struct arena *a, struct arena_held *h)
{
	arena_hand_on(a, h);
	h->release(h->what);
}

void arena_fail(struct arena *a)
{
	static const char text[] = "dtrace: out of memory\n";

	a = a->root;
	if (a->oom && a->owner == getpid()) {
		while (a->held != a->kept)
			arena_let_go(a, a->held);
		longjmp(*a->oom, 1);
	}
	/* nothing above can go on, and what is loaded goes with the process */
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(1); /* nobody can be told */
	_exit(1);
}

void arena_enter_to(struct arena *a, struct arena_part *p, jmp_buf *to)
{
	a = a->root;
	p->outer = a->oom;
	p->kept = a->kept;
	a->kept = a->held;
	a->oom = to;
}

jmp_buf *arena_enter(struct arena *a, struct arena_part *p)
{
	arena_enter_to(a, p, &p->here);
	return &p->here;
}

void arena_leave(struct arena *a, const struct arena_part *p)
{
	a->root->oom = p->outer;
	a->root->kept = p->kept;
}

int arena_try(struct arena *a, int (*fn)(void *arg), void *arg)
{
	return ARENA_TRY(a, fn(arg), -ENOMEM);
}

static struct arena_chunk *chunk_new(struct arena *a, size_t least)
{
	size_t usual = a->used < CHUNK_LEAST ? CHUNK_LEAST
		: a->used < CHUNK_MOST	     ? a->used
					     : CHUNK_MOST;
	size_t size = least > usual ? least : usual;
	/* malloc, not calloc: arena_alloc clears what it hands out, the rest stays untouched */
	struct arena_chunk *c = malloc(sizeof(*c) + size);

	if (!c)
		arena_fail(a);
	c->size = size;
	c->used = 0;
	/* A big block goes after the head, so that the head's free room is not lost. */
	if (least > usual && a->head) {
		c->next = a->head->next;
		a->head->next = c;
	} else {
		c->next = a->head;
		a->head = c;
	}
	return c;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_chunk *c = a->head;
	void *p;

	if (size > SIZE_MAX / 2)
		arena_fail(a);
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (!c || c->size - c->used < size)
		c = chunk_new(a, size);
	p = c->data + c->used;
	c->used += size;
	a->used += size;
	return memset(p, 0, size);
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *p = arena_alloc(a, len + 1);

	memcpy(p, s, len);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	char *p;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		arena_fail(a);
	p = arena_alloc(a, (size_t)n + 1);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;

	va_start(ap, fmt);
	p = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return p;
}

size_t arena_used(const struct arena *a)
{
	return a->used;
}
