// SPDX-License-Identifier: Apache-2.0
/*
 * A library for LD_PRELOAD: the allocation with the number in SCARCE_AT fails, counted from 1; 0:
 * none does.  At the end the number of allocations is written to the file SCARCE_OUT.  Only those
 * that the program itself asks for count, not those of libraries, nor those of processes that it
 * starts.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void *__libc_memalign(size_t align, size_t size);

static unsigned long n, at;
static uintptr_t from, to; /* the program's code */
static pid_t self;

/* The first one is the program. */
static int note_code(struct dl_phdr_info *o, size_t size, void *arg)
{
	for (int i = 0; i < o->dlpi_phnum; i++) {
		if (o->dlpi_phdr[i].p_type == PT_LOAD && o->dlpi_phdr[i].p_flags & PF_X) {
			from = o->dlpi_addr + o->dlpi_phdr[i].p_vaddr;
			to = from + o->dlpi_phdr[i].p_memsz;
		}
	}
	return 1;
}

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("SCARCE_AT");

	at = text ? strtoul(text, NULL, 10) : 0;
	dl_iterate_phdr(note_code, NULL);
	n = 0;
	self = getpid();
	unsetenv("SCARCE_AT");
	unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("SCARCE_OUT");
	int fd = path && getpid() == self ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;

	if (fd >= 0) {
		dprintf(fd, "%lu\n", n);
		close(fd);
	}
}

static int fails(void *caller)
{
	if (!self || (uintptr_t)caller < from || (uintptr_t)caller >= to ||
		__atomic_add_fetch(&n, 1, __ATOMIC_RELAXED) != at || getpid() != self)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, size);
}

void *aligned_alloc(size_t align, size_t size)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(align, size);
}

int posix_memalign(void **p, size_t align, size_t size)
{
	void *got = fails(__builtin_return_address(0)) ? NULL : __libc_memalign(align, size);

	if (!got)
		return ENOMEM;
	*p = got;
	return 0;
}

char *strdup(const char *s)
{
	size_t len = strlen(s) + 1;
	char *p = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(len);

	return p ? memcpy(p, s, len) : NULL;
}

char *strndup(const char *s, size_t most)
{
	size_t len = strnlen(s, most);
	char *p = fails(__builtin_return_address(0)) ? NULL : __libc_malloc(len + 1);

	if (!p)
		return NULL;
	p[len] = '\0';
	return memcpy(p, s, len);
}
