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

/* Where they are installed or, in a build tree, beside the program. */
static const char *directory(struct dtrace *d)
{
	char exe[4096];
	ssize_t n;
	char *slash;

	if (!access(DTRACE_LIBDIR, R_OK))
		return DTRACE_LIBDIR;
	n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	if (n <= 0)
		return NULL;
	exe[n] = '\0';
	slash = strrchr(exe, '/');
	if (!slash)
		return NULL;
	*slash = '\0';
	return arena_printf(d->arena, "%s/dlib", exe);
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

bool library_load(void *arg)
{
	struct dtrace *d = arg;
	const char *dir = directory(d);
	struct dirent **list;
	int n = dir ? scandir(dir, &list, is_library, alphasort) : -1;
	bool ok = n > 0;

	for (int i = 0; i < n; i++) {
		ok = ok && compile_one(d, dir, list[i]->d_name);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return ok;
}
