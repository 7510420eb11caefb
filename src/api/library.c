// SPDX-License-Identifier: Apache-2.0
/*
 * D libraries: the *.d files of the library directory, compiled when a program uses a name that
 * is not known without them.  Most programs never do, and do not pay for them.
 */
#include "api/handle.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_library(const struct dirent *e)
{
	size_t n = strlen(e->d_name);

	return n > 2 && !strcmp(e->d_name + n - 2, ".d");
}

/* In a build tree, beside the program; else where they are installed. */
static const char *system_dir(struct dtrace *d)
{
	const char *set = options_string(d->opts, OPT_syslibdir);
	char exe[4096];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char *slash;
	const char *beside;

	if (set)
		return set;
	if (n > 0) {
		exe[n] = '\0';
		slash = strrchr(exe, '/');
		beside = arena_printf(d->arena, "%.*s/dlib", slash ? (int)(slash - exe) : 0, exe);
		if (slash && !access(beside, R_OK))
			return beside;
	}
	return DTRACE_LIBDIR;
}

static bool compile_one(struct dtrace *d, const char *dir, const char *name)
{
	const char *path = arena_printf(d->arena, "%s/%s", dir, name);
	FILE *in = fopen(path, "re");
	bool ok;

	if (!in) /* as DTrace does: what cannot be read is skipped */
		return true;
	ok = compile_library(d, path, in);
	fclose(in);
	return ok;
}

/* Directories and files that cannot be read are skipped. */
static bool compile_directory(struct dtrace *d, const char *dir, bool *any)
{
	struct dirent **list;
	int n = scandir(dir, &list, is_library, alphasort);
	bool ok = true;

	for (int i = 0; i < n; i++) {
		ok = ok && compile_one(d, dir, list[i]->d_name);
		*any = true;
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return ok;
}

bool library_load(void *arg)
{
	struct dtrace *d = arg;
	bool any = false, ok = compile_directory(d, system_dir(d), &any);
	const char *dir;

	for (uint32_t i = 0; ok && (dir = options_nth(d->opts, OPT_libdir, i)); i++)
		ok = compile_directory(d, dir, &any);
	return ok && any;
}
