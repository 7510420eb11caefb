// SPDX-License-Identifier: Apache-2.0
/* Gives the parameters of scripts their values. */
#include <dtrace/script.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/report.h"
#include "base/transfer.h"
#include "base/units.h"
#include "base/vec.h"
#include "compile/libdir.h"
#include "lang/source.h"
#include "lang/tool.h"
#include "session/filters.h"
#include "session/params.h"
#include "session/session.h"

/* ---- what a script declares ---- */

/* A script and the memory that it has. */
struct script {
	struct dtrace_script s; /* first: a pointer to it is one to the whole */
	struct arena *arena;
};

/* Longer ones are no scripts; only the time to read them would show it. */
#define SCRIPT_MAX (4 << 20)

static void *no_memory(void)
{
	errno = ENOMEM;
	return NULL;
}

/* Returns the text of PATH, if that is a regular file; NULL and errno. */
static char *read_text(struct arena *a, const char *path, size_t *len)
{
	char *text = NULL;
	struct stat st;
	ssize_t n;
	int fd;

	if (stat(path, &st))
		return NULL;
	/* to open a FIFO would wake its writer, who would lose what the compiler is meant to get */
	fd = S_ISREG(st.st_mode) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) : -1;
	arena_own_file(a, fd);
	*len = 0;
	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > SCRIPT_MAX) {
		errno = EINVAL;
	} else {
		text = arena_alloc(a, (size_t)st.st_size + 1);
		n = transfer_pread(fd, text, (size_t)st.st_size, 0);
		*len = n > 0 ? (size_t)n : 0;
	}
	arena_release_file(a, fd);
	return text;
}

/* Returns NULL and errno if it cannot be read. */
static struct dtrace_script *read_script(struct arena *a, const char *path)
{
	struct dtrace_param *params;
	struct script *s;
	struct tool tool;
	size_t len, mark;
	char *text = read_text(a, path, &len);

	if (!text)
		return NULL;
	mark = source_mark(text, len);
	tool_scan(a, text + mark, len - mark, &tool);
	s = arena_new_obj(a, struct script);
	params = arena_new_array(a, struct dtrace_param, tool.params.len + 1);
	for (uint32_t i = 0; i < tool.params.len; i++) {
		const struct script_param *p = &tool.params.data[i];
		const struct param_type *t = tool_param_type(p->kind);

		params[i] = (struct dtrace_param){p->name, t->name, t->word, p->help, p->initial};
	}
	*s = (struct script){
		{tool.usage, params, tool.params.len, tool.targets, tool.error, tool.line},
		a,
	};
	return &s->s;
}

struct dtrace_script *dtrace_script_read(const char *path)
{
	struct arena *a = arena_new();
	struct dtrace_script *s = a ? ARENA_TRY(a, read_script(a, path), no_memory()) : NULL;
	int err = errno;

	if (!s)
		arena_free(a);
	errno = err;
	return s;
}

void dtrace_script_free(struct dtrace_script *s)
{
	if (s)
		arena_free(((struct script *)s)->arena);
}

/* ---- values ---- */

static int set_integer(const char *text, int64_t *n)
{
	char *end;

	errno = 0;
	*n = strtoll(text, &end, 0);
	return end == text || *end || errno ? -EINVAL : 0;
}

/*
 * True if there is no such process, or nothing of it but its status.  kill(2) would be seen by
 * those who trace it.
 */
static bool is_gone(pid_t pid)
{
	struct pollfd p = {.fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN};
	bool gone;

	if (p.fd < 0)
		return errno == ESRCH;
	gone = poll(&p, 1, 0) > 0;
	close(p.fd);
	return gone;
}

const struct param_value *params_gone(const struct dtrace *d)
{
	vec_for (v, &d->compiling.params)
		if (v->is_process && is_gone((pid_t)v->number))
			return v;
	return NULL;
}

static int set_process(const char *text, int64_t *n)
{
	if (set_integer(text, n) || *n <= 0 || *n > INT_MAX)
		return -EINVAL;
	return is_gone((pid_t)*n) ? -ESRCH : 0;
}

/* The path of a control group below the root of its file system, as in /proc/PID/cgroup. */
static const char *group_path(struct dtrace *d, int fd)
{
	char link[32], path[PATH_MAX];
	struct stat root, st;
	const char *top = path;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	if (fstat(fd, &st))
		return "";
	/* the shortest head that is on the same file system is where that is mounted */
	for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL;) {
		*slash = '\0';
		if (!stat(path, &root) && root.st_dev == st.st_dev) {
			*slash = '/';
			top = slash;
			break;
		}
		*slash = '/';
	}
	if (top == path) /* the root itself */
		return "/";
	return arena_strdup(d->arena, top);
}

static int set_group(struct dtrace *d, const char *name, const char *text, struct param_value *v)
{
	int fd = filters_open_group(d, name, text);
	struct stat st;

	if (fd < 0)
		return fd;
	v->number = fstat(fd, &st) ? 0 : (int64_t)st.st_ino;
	v->text = group_path(d, fd);
	close(fd);
	return 0;
}

static enum param_kind kind_of(const struct dtrace_param *p)
{
	unsigned kind = 0;

	while (kind < PARAM_KINDS &&
		strcmp(tool_param_type((enum param_kind)kind)->name, p->type) != 0)
		kind++;
	return (enum param_kind)kind;
}

/* Reads TEXT into V; 0 or a negative errno.  -ECANCELED: the error was reported. */
static int read_value(struct dtrace *d, enum param_kind kind, const char *name, const char *text,
	struct param_value *v)
{
	switch (kind) {
	case PARAM_KIND_int:
		return set_integer(text, &v->number);
	case PARAM_KIND_string:
		v->text = arena_strdup(d->arena, text);
		return 0;
	case PARAM_KIND_time:
		return units_parse_time(text, UNITS_DECIMAL, "ns", &v->number);
	case PARAM_KIND_size:
		return units_parse_size(text, &v->number);
	case PARAM_KIND_pid:
		return set_process(text, &v->number);
	case PARAM_KIND_cgroup:
		return set_group(d, name, text, v) ? -ECANCELED : 0;
	case PARAM_KIND_flag:
		v->number = 1;
		return 0;
	case PARAM_KINDS:
		break;
	}
	return -EINVAL;
}

static int set_param(struct dtrace *d, const struct dtrace_param *p, const char *text)
{
	enum param_kind kind = kind_of(p);
	struct param_value v = {
		.name = arena_strdup(d->arena, p->name), .is_process = kind == PARAM_KIND_pid};
	const char *option = arena_printf(d->arena, "%s%s", p->name[1] ? "--" : "-", p->name);
	int err = read_value(d, kind, option, text, &v);

	if (err == -ECANCELED)
		return -EINVAL;
	if (err == -ESRCH)
		return report_error(
			&d->report, -EINVAL, "%s: there is no process %s", option, text);
	if (err)
		return report_error(&d->report, -EINVAL, "%s: '%s' is not %s", option, text,
			kind < PARAM_KINDS ? tool_param_type(kind)->help : "of a known type");
	vec_push(d->arena, &d->compiling.params, v);
	return 0;
}

int dtrace_script_set(struct dtrace *d, const struct dtrace_param *p, const char *text)
{
	return SESSION_TRY(d, set_param(d, p, text));
}

/* ---- the tools ---- */

/* Returns NULL and errno if there is none. */
static char *find_tools(struct arena *a)
{
	/* beside the command in a build tree; below PREFIX of PREFIX/sbin, lib, lib/ARCHITECTURE */
	static const char *const places[] = {
		"tools", "../share/dtrace/tools", "../../share/dtrace/tools"};
	const char *file, *slash;
	char *found = NULL;
	bool is_program;
	int err;

	errno = 0;
	file = libdir_code_file(a, &is_program);
	slash = file ? strrchr(file, '/') : NULL;
	err = !file && errno == ENOMEM ? ENOMEM : ENOENT;
	for (size_t i = 0; slash && !found && i < sizeof(places) / sizeof(places[0]); i++) {
		found = realpath(
			arena_printf(a, "%.*s/%s", (int)(slash - file), file, places[i]), NULL);
		if (!found && errno == ENOMEM)
			err = ENOMEM;
	}
	errno = err;
	return found;
}

char *dtrace_tools_folder(void)
{
	struct arena *a = arena_new();
	char *found = a ? ARENA_TRY(a, find_tools(a), no_memory()) : NULL;
	int err = errno;

	arena_free(a);
	errno = err;
	return found;
}
