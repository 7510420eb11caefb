// SPDX-License-Identifier: Apache-2.0
/* Finds the folder of the system's D libraries, relative to the file with this code. */
#include "compile/libdir.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"

/* ---- the file that this code was loaded from ---- */

/* Returns the path in a line of /proc/PID/maps whose addresses include ADDR, else NULL. */
static char *mapped_file(char *line, uintptr_t addr)
{
	unsigned long start, end;
	int path = 0;
	size_t len;

	if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &start, &end, &path) < 2 || !path ||
		addr < start || addr >= end || line[path] != '/')
		return NULL;
	len = strcspn(line + path, "\n");
	line[path + len] = '\0';
	return line + path;
}

/* An upgrade may have replaced the file; the new one is at the same path (proc_pid_maps(5)). */
static void drop_deleted(char *path)
{
	static const char mark[] = " (deleted)";
	size_t len = strlen(path), n = sizeof(mark) - 1;

	if (len > n && !strcmp(path + len - n, mark))
		path[len - n] = '\0';
}

static bool is_executable_of_process(const char *path)
{
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (n < 0)
		return false;
	exe[n] = '\0';
	return !strcmp(exe, path);
}

const char *libdir_code_file(struct arena *a, bool *is_program)
{
	char line[PATH_MAX + 256], *path = NULL;
	FILE *maps = fopen("/proc/self/maps", "re");

	*is_program = false;
	while (maps && !path && fgets(line, sizeof(line), maps))
		path = mapped_file(line, (uintptr_t)libdir_code_file);
	if (maps)
		fclose(maps);
	if (!path)
		return NULL;
	*is_program = is_executable_of_process(path);
	drop_deleted(path);
	return arena_strdup(a, path);
}

/* ---- the search ---- */

/* The folders of libraries in a prefix, as distributions name them. */
static const char *const lib_folders[] = {
#ifdef DTRACE_MULTIARCH
	("lib/" DTRACE_MULTIARCH),
#endif
	"lib64",
	"lib",
};

/* True if the search ends at PATH: it exists, though it may not be readable. */
static bool try_folder(struct arena *a, struct libdir *l, const char *path)
{
	DIR *dir = opendir(path);

	l->path = path;
	l->err = dir ? 0 : errno;
	if (dir)
		closedir(dir);
	if (l->err != ENOENT && l->err != ENOTDIR)
		return true;
	vec_push(a, &l->missing, path);
	return false;
}

/* The command is in PREFIX/sbin, the libraries are in a folder of PREFIX. */
static bool try_prefix(struct arena *a, struct libdir *l, const char *dir)
{
	const char *slash = strrchr(dir, '/');
	int len = slash ? (int)(slash - dir) : 0;

	for (size_t i = 0; i < sizeof(lib_folders) / sizeof(lib_folders[0]); i++)
		if (try_folder(a, l, arena_printf(a, "%.*s/%s/dtrace", len, dir, lib_folders[i])))
			return true;
	return false;
}

struct libdir libdir_search(
	struct arena *a, const char *file, bool is_program, const char *built_for)
{
	const char *slash = file ? strrchr(file, '/') : NULL;
	struct libdir l = {0};

	if (slash) {
		const char *dir = arena_strndup(a, file, (size_t)(slash - file));

		/* in a build tree the Makefile puts a link beside the command and the library */
		if (try_folder(a, &l, arena_printf(a, "%s/dlib", dir)))
			return l;
		l.missing.len = 0; /* no installation has it */
		if (is_program ? try_prefix(a, &l, dir)
			       : try_folder(a, &l, arena_printf(a, "%s/dtrace", dir)))
			return l;
	}
	try_folder(a, &l, built_for);
	return l;
}

struct libdir libdir_find(struct arena *a, const char *set)
{
	struct libdir l = {0};
	const char *file;
	bool is_program;

	if (set) {
		try_folder(a, &l, set);
		return l;
	}
	file = libdir_code_file(a, &is_program);
	l = libdir_search(a, file, is_program, DTRACE_LIBDIR);
	if (l.err == ENOENT && libdir_embedded)
		l = (struct libdir){.path = LIBDIR_EMBEDDED};
	return l;
}

const char *libdir_embedded_text(const char *path)
{
	size_t n = strlen(LIBDIR_EMBEDDED "/");

	if (!libdir_embedded || strncmp(path, LIBDIR_EMBEDDED "/", n) != 0)
		return NULL;
	for (const struct libdir_file *f = libdir_embedded; f->name; f++)
		if (!strcmp(f->name, path + n))
			return f->text;
	return NULL;
}

const char *libdir_message(struct arena *a, const struct libdir *l)
{
	bool none = l->err == ENOENT || l->err == ENOTDIR;
	const char *list = l->path;

	for (uint32_t i = none ? l->missing.len : 0; i-- > 0;)
		if (strcmp(l->missing.data[i], l->path) != 0)
			list = arena_printf(a, "%s, %s", l->missing.data[i], list);
	return arena_printf(a, "cannot read the D libraries in %s: %s", list, strerror(l->err));
}
