/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fail_alloc: memory that runs out when a test wants it.  The Makefile links the tests that include
 * this with --wrap, so that the allocations of the code under test come here.
 */
#ifndef FAIL_ALLOC_H
#define FAIL_ALLOC_H

#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);

static int allocs_left = -1; /* before they fail; negative: they do not */

static int alloc_fails(void)
{
	if (allocs_left < 0)
		return 0;
	if (!allocs_left)
		return 1;
	allocs_left--;
	return 0;
}

void *__wrap_malloc(size_t size)
{
	return alloc_fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return alloc_fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return alloc_fails() ? NULL : __real_realloc(p, size);
}

#endif
