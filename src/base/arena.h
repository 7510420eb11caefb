/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena: memory that is freed all at once.
 *
 * Everything a compilation makes lives in one arena and dies with it; nothing in it is freed
 * singly.  Memory comes zeroed and aligned to 16 bytes.  Running out of memory does not return:
 * it jumps to the buffer set with arena_on_oom() or ARENA_ENTER().  Where none is set, and in a
 * process that was forked since the arena was made, the process ends with a message and status 1.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

struct arena;

/* A new empty arena, owned by the caller; NULL when there is no memory. */
struct arena *arena_new(void);
/* One that is the same as ABOVE, which lives longer, when memory runs out. */
struct arena *arena_new_below(struct arena *above);
/* Releases what A owns as well. */
void arena_free(struct arena *a);

/* As arena_free() and arena_new(); some of the memory is kept for what comes. */
void arena_reset(struct arena *a);

/* Sets the buffer to jump to (longjmp with 1) when memory runs out; it must outlive its use. */
void arena_on_oom(struct arena *a, jmp_buf *env);

/*
 * From now on A owns WHAT, which is no memory of the arena: release(WHAT) is called when memory
 * runs out in the part of the work that this call is in, by arena_release(), or when A is freed or
 * reset; of several, the newest is released first.  Without memory to note it, WHAT is released
 * and the arena fails: own each thing before the next one is made.  NULL is not owned.
 * RELEASE takes no memory from an arena.
 */
void arena_own(struct arena *a, void (*release)(void *what), void *what);
/* Release WHAT, which A owns (NULL: nothing), in any order, and forget it. */
void arena_release(struct arena *a, void *what);
/* Forget WHAT, which A owns (NULL: nothing), in any order: it has another owner now. */
void arena_disown(struct arena *a, void *what);

/* arena_own() and arena_release() of a descriptor: it is closed.  Negative ones are not owned. */
void arena_own_file(struct arena *a, int fd);
void arena_release_file(struct arena *a, int fd);

/* arena_new_below(ABOVE), owned by ABOVE; NULL when there is no memory. */
struct arena *arena_own_new(struct arena *above);

/* A part of the work that ends by itself when memory runs out; it can be within another one. */
struct arena_part {
	jmp_buf here, *outer;
	struct arena_part *within;
	unsigned long kept;
};

/*
 * Begins part P: false, and true when memory has run out, after what was owned since is released.
 * arena_leave() ends it, in both cases.  Only as the whole condition of an if (setjmp(3)).
 */
#define ARENA_ENTER(a, p) setjmp(*arena_enter((a), (p)))
jmp_buf *arena_enter(struct arena *a, struct arena_part *p);
void arena_leave(struct arena *a, const struct arena_part *p);

/*
 * The value of CALL, or FAILURE, if memory runs out in it.  Locals of this function that CALL has
 * changed are then undefined (setjmp(3)).
 */
#define ARENA_TRY(a, call, failure)           \
	__extension__({                       \
		__typeof__(call) result_;     \
		struct arena_part part_;      \
                                              \
		if (ARENA_ENTER((a), &part_)) \
			result_ = failure;    \
		else                          \
			result_ = call;       \
		arena_leave((a), &part_);     \
		result_;                      \
	})

/* As arena_enter(), with a buffer that others jump to as well; P's is not used. */
void arena_enter_to(struct arena *a, struct arena_part *p, jmp_buf *to);

/*
 * Returns fn(arg), or -ENOMEM if the arena runs out of memory in it.  For callbacks, so that the
 * jump does not pass over their caller: it returns, and then calls arena_fail().
 */
int arena_try(struct arena *a, int (*fn)(void *arg), void *arg);

/* Do what the arena does without memory. */
__attribute__((noreturn)) void arena_fail(struct arena *a);

void *arena_alloc(struct arena *a, size_t size);
char *arena_strdup(struct arena *a, const char *s);
/* Copies LEN bytes, and adds a NUL: unlike strndup(3) it does not end at one. */
char *arena_strndup(struct arena *a, const char *s, size_t len);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0), nonnull(2)));

/* Returns the number of bytes handed out so far. */
size_t arena_used(const struct arena *a);

#define arena_new_obj(a, type)	    ((type *)arena_alloc((a), sizeof(type)))
#define arena_new_array(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (size_t)(n)))

#endif
