// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE /* openat */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "load/functions.h"

/* Documentation/trace/ftrace.rst: "name" or "name [module]", with the address in front since 6.5 */
#define WITH_ADDRESSES "available_filter_functions_addrs"
#define WITHOUT	       "available_filter_functions"

static int read_all(int dir, const char *name, struct buf *out)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	char *chunk;
	ssize_t n;

	if (fd < 0)
		return -errno;
	chunk = malloc(1 << 16);
	while (chunk && (n = read(fd, chunk, 1 << 16)) > 0)
		buf_put(out, chunk, (size_t)n);
	if (!chunk || n < 0 || out->failed)
		n = chunk && n < 0 ? -errno : -ENOMEM;
	free(chunk);
	close(fd);
	return (int)n;
}

/* One line, ended by a NUL. */
static void line(struct arena *a, char *p, bool addresses,
	void (*visit)(void *arg, const char *module, const char *name, uint64_t addr), void *arg)
{
	const char *module = "vmlinux";
	uint64_t addr = addresses ? strtoull(p, &p, 16) : 0;
	char *name = p + strspn(p, " \t"), *end = strpbrk(name, " \t"), *open;

	if (end) {
		*end++ = '\0';
		open = strchr(end, '[');
		if (open) {
			open[1 + strcspn(open + 1, "]")] = '\0';
			module = arena_strdup(a, open + 1);
		}
	}
	if (*name)
		visit(arg, module, arena_strdup(a, name), addr);
}

int load_functions(struct features *f, struct arena *a,
	void (*visit)(void *arg, const char *module, const char *name, uint64_t addr), void *arg)
{
	int dir = features_tracefs(f), err;
	bool addresses = true;
	struct buf b = {0};
	char *p, *next;

	if (dir < 0)
		return dir;
	err = read_all(dir, WITH_ADDRESSES, &b);
	if (err == -ENOENT) {
		addresses = false;
		err = read_all(dir, WITHOUT, &b);
	}
	buf_put(&b, "", 1);
	for (p = b.data; !err && !b.failed && p && *p; p = next) {
		next = p + strcspn(p, "\n");
		if (*next)
			*next++ = '\0';
		line(a, p, addresses, visit, arg);
	}
	buf_free(&b);
	return err;
}
