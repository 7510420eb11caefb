// SPDX-License-Identifier: Apache-2.0
/* Appends bytes and text to buffers that grow on the heap. */
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/invariant.h"

void buf_free(struct buf *b)
{
	free(b->data);
	*b = (struct buf){0};
}

static void release(void *b)
{
	buf_free(b);
}

void buf_own(struct buf *b, struct arena *a)
{
	arena_own(a, release, b);
}

static bool grow(struct buf *b, size_t more)
{
	size_t cap = b->cap ? b->cap : 256;
	char *p;

	if (b->failed)
		return false;
	while (cap - b->len <= more)
		cap *= 2;
	if (cap == b->cap)
		return true;
	p = realloc(b->data, cap);
	if (!p) {
		b->failed = true;
		return false;
	}
	b->data = p;
	b->cap = cap;
	return true;
}

/* One byte stays free for the NUL. */
static inline bool reserve(struct buf *b, size_t more)
{
	INVARIANT(b->len <= b->cap);
	return (b->cap - b->len > more && !b->failed) || grow(b, more);
}

void buf_put(struct buf *b, const void *data, size_t len)
{
	if (!reserve(b, len))
		return;
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void buf_puts(struct buf *b, const char *s)
{
	buf_put(b, s, strlen(s));
}

void buf_putc(struct buf *b, char c)
{
	if (!reserve(b, 1))
		return;
	b->data[b->len++] = c;
	b->data[b->len] = '\0';
}

void buf_fill(struct buf *b, char c, size_t n)
{
	if (!reserve(b, n))
		return;
	memset(b->data + b->len, c, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	size_t room = b->cap - b->len;
	va_list again;
	int n;

	if (b->failed)
		return;
	/* mostly there is room already, and the text need not be measured first */
	va_copy(again, ap);
	n = vsnprintf(room ? b->data + b->len : NULL, room, fmt, again);
	va_end(again);
	if (n < 0)
		b->failed = true;
	else if ((size_t)n < room)
		b->len += (size_t)n;
	else if (reserve(b, (size_t)n))
		b->len += (size_t)vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
	if (b->cap)
		b->data[b->len] = '\0';
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void buf_align(struct buf *b, size_t align)
{
	while (!b->failed && (b->len & (align - 1)))
		buf_putc(b, '\0');
}
