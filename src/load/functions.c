// SPDX-License-Identifier: Apache-2.0
/* Lists the functions and trace events that tracefs says can be traced. */
#define _GNU_SOURCE /* openat */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/transfer.h"
#include "base/vec.h"
#include "load/feature.h"
#include "load/functions.h"
#include "probe/provider_env.h"

static int read_all(int dir, const char *name, struct buf *out)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	char *chunk;
	ssize_t n = 0;

	if (fd < 0)
		return -errno;
	chunk = malloc(1 << 16);
	while (chunk && (n = transfer_read(fd, chunk, 1 << 16)) > 0)
		buf_put(out, chunk, (size_t)n);
	buf_put(out, "", 1);
	if (!chunk || out->failed)
		n = -ENOMEM;
	free(chunk);
	close(fd);
	return (int)n;
}

/* ---- functions ---- */

/* Documentation/trace/ftrace.rst: "name" or "name [module]", with the address in front since 6.5 */
#define WITH_ADDRESSES "available_filter_functions_addrs"
#define WITHOUT	       "available_filter_functions"

typedef VEC(struct kernel_function) functions_vec;

/* One line, ended by a NUL; TEXT lives as long as A. */
static void function_line(struct arena *a, char *p, bool addresses, functions_vec *out)
{
	struct kernel_function f = {.module = "vmlinux"};
	char *end, *open;

	f.addr = addresses ? strtoull(p, &p, 16) : 0;
	f.name = p += strspn(p, " \t");
	end = strpbrk(p, " \t");
	if (end) {
		*end++ = '\0';
		open = strchr(end, '[');
		if (open) {
			open[1 + strcspn(open + 1, "]")] = '\0';
			f.module = open + 1;
		}
	}
	if (*f.name)
		vec_push(a, out, f);
}

const struct kernel_function *load_functions(struct features *f, struct arena *a, uint32_t *n)
{
	int dir = features_tracefs(f), err;
	functions_vec out = {0};
	bool addresses = true;
	struct buf b = {0};
	char *p, *next;

	if (dir < 0)
		return NULL;
	err = read_all(dir, WITH_ADDRESSES, &b);
	if (err == -ENOENT) {
		addresses = false;
		err = read_all(dir, WITHOUT, &b);
	}
	buf_own(&b, a);
	p = err ? NULL : arena_strndup(a, b.data, b.len);
	arena_release(a, &b);
	for (; p && *p; p = next) {
		next = p + strcspn(p, "\n");
		if (*next)
			*next++ = '\0';
		function_line(a, p, addresses, &out);
	}
	*n = out.len;
	return out.data;
}

/* ---- events ---- */

typedef VEC(struct kernel_event) events_vec;

/* Groups that are not the kernel's own tracepoints, or have a provider of their own. */
static bool is_hidden(const char *group)
{
	static const char *const hidden[] = {".", "..", "syscalls", "kprobes", "uprobes",
		"synthetic", "ftrace", "eprobes", "fprobes"};

	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (!strcmp(group, hidden[i]))
			return true;
	return !strncmp(group, "dt_", 3);
}

static DIR *open_folder(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (!d && fd >= 0)
		close(fd);
	return d;
}

static void close_folder(void *d)
{
	closedir(d);
}

static void read_group(struct arena *a, int dir, const char *group, events_vec *out)
{
	DIR *d = open_folder(dir, group);
	struct dirent *e;

	arena_own(a, close_folder, d);
	while (d && (e = readdir(d)))
		if (e->d_type == DT_DIR && e->d_name[0] != '.')
			vec_push(
				a, out, ((struct kernel_event){group, arena_strdup(a, e->d_name)}));
	arena_release(a, d);
}

static int by_name(const void *x, const void *y)
{
	const struct kernel_event *a = x, *b = y;
	int d = strcmp(a->group, b->group);

	return d ? d : strcmp(a->name, b->name);
}

const struct kernel_event *load_events(struct features *f, struct arena *a, uint32_t *n)
{
	int dir = features_tracefs(f);
	DIR *d = dir < 0 ? NULL : open_folder(dir, "events");
	events_vec out = {0};
	struct dirent *e;

	arena_own(a, close_folder, d);
	while (d && (e = readdir(d)))
		if (e->d_type == DT_DIR && !is_hidden(e->d_name))
			read_group(a, dirfd(d), arena_strdup(a, e->d_name), &out);
	arena_release(a, d);
	if (out.len)
		qsort(out.data, out.len, sizeof(*out.data), by_name);
	*n = out.len;
	return out.data;
}

static int read_file(
	struct features *f, const struct kernel_event *e, const char *file, struct buf *out)
{
	int dir = features_tracefs(f);
	char path[256];

	snprintf(path, sizeof(path), "events/%s/%s/%s", e->group, e->name, file);
	return dir < 0 ? dir : read_all(dir, path, out);
}

const char *load_event_format(struct features *f, struct arena *a, const struct kernel_event *e)
{
	struct buf b = {0};
	int err = read_file(f, e, "format", &b);
	const char *text;

	buf_own(&b, a);
	text = err ? NULL : arena_strdup(a, b.data);
	arena_release(a, &b);
	return text;
}

int load_event_number(struct features *f, const struct kernel_event *e)
{
	struct buf b = {0};
	int n = read_file(f, e, "id", &b);

	if (!n)
		n = atoi(b.data);
	buf_free(&b);
	return n;
}
