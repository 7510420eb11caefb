/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buf: a growing byte buffer on the heap, for building text and binary images.
 *
 * A zeroed buf is empty.  The owner calls buf_free().  A failed allocation sets `failed` and
 * makes every later call do nothing, so that one test at the end is enough.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct buf {
	char *data; /* NUL-terminated after buf_printf/buf_puts; not counted in len */
	size_t len, cap;
	bool failed;
};

struct arena;

void buf_free(struct buf *b);
/* arena_own() of B's memory, which arena_release(A, B) frees.  B stays where it is meanwhile. */
void buf_own(struct buf *b, struct arena *a);
void buf_put(struct buf *b, const void *data, size_t len);
void buf_puts(struct buf *b, const char *s);
void buf_putc(struct buf *b, char c);
void buf_fill(struct buf *b, char c, size_t n); /* C, N times */
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *b, const char *fmt, va_list ap);

/* Append zeros until the length is a multiple of ALIGN (a power of two). */
void buf_align(struct buf *b, size_t align);

#endif
