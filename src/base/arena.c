// SPDX-License-Identifier: Apache-2.0
/* Allocates memory that is freed all at once. */
#include "base/arena.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/invariant.h"

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

/* That ARENA owns WHAT. */
struct arena_owned {
	struct arena_owned *next;
	struct arena *arena; /* whose memory this is */
	unsigned long number;
	void (*release)(void *what);
	void *what;
};

struct arena {
	struct arena_chunk *head;
	size_t used;
	unsigned long nowned;	   /* that this one owns */
	struct arena_owned *spare; /* for the next ones */
	struct arena *root; /* that has what follows: itself, or that of the arena it is below */
	pid_t owner;	    /* a process that it forks has a copy, but not what to jump to */
	jmp_buf *oom;
	struct arena_part *part;   /* the innermost one */
	struct arena_owned *owned; /* by this one and those below, the newest first */
	unsigned long last;	   /* the number of the newest that was owned */
	unsigned long kept;	   /* those up to this number are not for OOM to release */
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

/* Forgets *AT, and returns what it was, until A owns something again. */
static struct arena_owned *forget(struct arena_owned **at)
{
	struct arena_owned *o = *at;
	struct arena *a = o->arena;

	*at = o->next;
	o->next = a->spare;
	a->spare = o;
	a->nowned--;
	return o;
}

/* Returns where the newest of A, or WHAT of A, is noted; NULL: nowhere. */
static struct arena_owned **owned_at(struct arena *a, const void *what)
{
	struct arena_owned **at = &a->root->owned;

	if (!a->nowned)
		return NULL;
	while (*at && ((*at)->arena != a || (what && (*at)->what != what)))
		at = &(*at)->next;
	return *at ? at : NULL;
}

static void release_at(struct arena_owned **at)
{
	struct arena_owned *o = forget(at);

	o->release(o->what);
}

/* Is A itself owned? */
static bool is_owned(const struct arena *a)
{
	for (const struct arena_owned *o = a->root->owned; o; o = o->next)
		if (o->what == a)
			return true;
	return false;
}

static void release_all(struct arena *a)
{
	while (a->nowned)
		release_at(owned_at(a, NULL));
}

void arena_free(struct arena *a)
{
	if (!a)
		return;
	INVARIANT(!is_owned(a)); /* it would be freed again */
	release_all(a);
	INVARIANT(a->root != a || !a->owned); /* arenas below it are freed before it */
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
	release_all(a);
	a->spare = NULL;
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

/* ---- when memory runs out ---- */

void arena_fail(struct arena *a)
{
	static const char text[] = "dtrace: out of memory\n";

	a = a->root;
	if (a->oom && a->owner == getpid()) {
		while (a->owned && a->owned->number > a->kept)
			release_at(&a->owned);
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
	p->within = a->part;
	p->kept = a->kept;
	a->kept = a->last;
	a->part = p;
	a->oom = to;
}

jmp_buf *arena_enter(struct arena *a, struct arena_part *p)
{
	arena_enter_to(a, p, &p->here);
	return &p->here;
}

void arena_leave(struct arena *a, const struct arena_part *p)
{
	a = a->root;
	INVARIANT(a->part == p); /* the outer one after those within */
	a->oom = p->outer;
	a->part = p->within;
	a->kept = p->kept;
}

int arena_try(struct arena *a, int (*fn)(void *arg), void *arg)
{
	return ARENA_TRY(a, fn(arg), -ENOMEM);
}

/* ---- memory ---- */

/* NULL: there is none. */
static struct arena_chunk *chunk_new(struct arena *a, size_t least)
{
	size_t usual = a->used < CHUNK_LEAST ? CHUNK_LEAST
		: a->used < CHUNK_MOST	     ? a->used
					     : CHUNK_MOST;
	size_t size = least > usual ? least : usual;
	/* malloc, not calloc: what is handed out is cleared, the rest stays untouched */
	struct arena_chunk *c = malloc(sizeof(*c) + size);

	if (!c)
		return NULL;
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

/* NULL: there is none. */
static void *alloc(struct arena *a, size_t size)
{
	struct arena_chunk *c = a->head;
	void *p;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if (!c || c->size - c->used < size)
		c = chunk_new(a, size);
	if (!c)
		return NULL;
	p = c->data + c->used;
	c->used += size;
	a->used += size;
	return memset(p, 0, size);
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *p = alloc(a, size);

	if (!p)
		arena_fail(a);
	return p;
}

/* ---- what an arena owns ---- */

/* False: there is no memory to note it. */
static bool own(struct arena *a, void (*release)(void *what), void *what)
{
	struct arena_owned *o = a->spare;

	INVARIANT(!owned_at(a, what)); /* it would be released twice */
	if (o)
		a->spare = o->next;
	else
		o = alloc(a, sizeof(*o));
	if (!o)
		return false;
	*o = (struct arena_owned){a->root->owned, a, ++a->root->last, release, what};
	a->root->owned = o;
	a->nowned++;
	return true;
}

void arena_own(struct arena *a, void (*release)(void *what), void *what)
{
	struct arena *root = a->root;

	if (!what || own(a, release, what))
		return;
	release(what);
	arena_fail(root); /* A may be gone with WHAT */
}

void arena_release(struct arena *a, void *what)
{
	struct arena_owned **at = what ? owned_at(a, what) : NULL;

	INVARIANT(!what || at);
	if (at)
		release_at(at);
}

void arena_disown(struct arena *a, void *what)
{
	struct arena_owned **at = what ? owned_at(a, what) : NULL;

	INVARIANT(!what || at);
	if (at)
		forget(at);
}

/* A descriptor as WHAT: no address is that low, and -1 is NULL. */
static void *file_what(int fd)
{
	return fd < 0 ? NULL : (void *)((intptr_t)fd + 1);
}

static void release_file(void *what)
{
	close((int)((intptr_t)what - 1));
}

void arena_own_file(struct arena *a, int fd)
{
	arena_own(a, release_file, file_what(fd));
}

void arena_release_file(struct arena *a, int fd)
{
	arena_release(a, file_what(fd));
}

static void release_arena(void *a)
{
	arena_free(a);
}

struct arena *arena_own_new(struct arena *above)
{
	struct arena *a = arena_new_below(above);

	if (!a || own(above, release_arena, a))
		return a;
	arena_free(a);
	return NULL;
}

/* ---- text ---- */

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
