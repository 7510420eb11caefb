// SPDX-License-Identifier: Apache-2.0
/*
 * Linked with dtrace and --wrap (make build/dtrace-scarce): the allocation with the number in
 * SCARCE_AT fails, counted from 1; 0: none does.  At the end the number of allocations is written
 * to the file SCARCE_OUT.  Only those that the program itself asks for count, and calls of the C
 * library that allocate for it; not those of other libraries, nor those of processes that it
 * starts.
 *
 * At the end it says which descriptors are open that were not open when it started; with
 * SCARCE_OPEN it leaves one itself.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGE	 (64u << 10) /* bytes: larger memory is given room to grow */
#define MOST_FDS 1024	     /* those above are not looked at */

static unsigned long n, at;
static pid_t self;
static bool inherited[MOST_FDS];

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

__attribute__((constructor)) static void begin(void)
{
	const char *text = getenv("SCARCE_AT");

	at = text ? strtoul(text, NULL, 10) : 0;
	self = getpid();
	for (int fd = 0; fd < MOST_FDS; fd++)
		inherited[fd] = is_open(fd);
	if (getenv("SCARCE_OPEN"))
		open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* Says what is left open.  No descriptor is made for it: there may be no more. */
static void show_open(void)
{
	char link[64], path[256];
	ssize_t len;

	for (int fd = STDERR_FILENO + 1; fd < MOST_FDS; fd++) {
		if (inherited[fd] || !is_open(fd))
			continue;
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		len = readlink(link, path, sizeof(path));
		dprintf(STDERR_FILENO, "scarce: left open: %d %.*s\n", fd, len > 0 ? (int)len : 0,
			path);
	}
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("SCARCE_OUT");
	int fd;

	if (getpid() != self)
		return;
	show_open();
	fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
	if (fd >= 0) {
		dprintf(fd, "%lu\n", n);
		close(fd);
	}
}

static int fails(void)
{
	if (__atomic_add_fetch(&n, 1, __ATOMIC_RELAXED) != at || getpid() != self)
		return 0;
	errno = ENOMEM;
	return 1;
}

/* WRAP(TYPE, NAME, FAILURE, (PARAMETERS), ARGUMENTS): NAME fails, or is the C library's. */
#define WRAP(type, name, failure, parameters, ...)                     \
	extern type __real_##name parameters;                          \
	extern type __wrap_##name parameters;                          \
	type __wrap_##name parameters                                  \
	{                                                              \
		return fails() ? failure : __real_##name(__VA_ARGS__); \
	}

WRAP(void *, malloc, NULL, (size_t size), size)
WRAP(void *, calloc, NULL, (size_t count, size_t size), count, size)
WRAP(void *, realloc, NULL, (void *p, size_t size), p, size)
WRAP(char *, strdup, NULL, (const char *s), s)
WRAP(char *, strndup, NULL, (const char *s, size_t most), s, most)
WRAP(char *, realpath, NULL, (const char *path, char *to), path, to)
WRAP(FILE *, fopen, NULL, (const char *path, const char *mode), path, mode)
WRAP(FILE *, fdopen, NULL, (int fd, const char *mode), fd, mode)
WRAP(FILE *, fmemopen, NULL, (void *p, size_t size, const char *mode), p, size, mode)
WRAP(FILE *, open_memstream, NULL, (char **p, size_t *len), p, len)
WRAP(DIR *, opendir, NULL, (const char *path), path)
WRAP(DIR *, fdopendir, NULL, (int fd), fd)
WRAP(ssize_t, getline, -1, (char **line, size_t *size, FILE *in), line, size, in)

extern int __wrap_asprintf(char **to, const char *format, ...);

int __wrap_asprintf(char **to, const char *format, ...)
{
	va_list ap;
	int len;

	if (fails())
		return -1;
	va_start(ap, format);
	len = vasprintf(to, format, ap);
	va_end(ap);
	return len;
}

/*
 * For the libraries as well.  LeakSanitizer's copies each time, and libbpf's linker asks a thousand
 * times for a few bytes more: that took four seconds of five.
 */
__attribute__((visibility("default"))) void *realloc(void *p, size_t size)
{
	size_t had = p ? malloc_usable_size(p) : 0;
	size_t room = size > LARGE && size < SIZE_MAX / 2 ? size + size / 2 : size;
	void *to;

	if (p && size <= had && size > had / 2)
		return p;
	to = size || !p ? __real_malloc(room) : NULL;
	if (size && !to)
		return NULL;
	if (p && to)
		memcpy(to, p, had < size ? had : size);
	free(p);
	return to;
}
