// SPDX-License-Identifier: Apache-2.0
/*
 * Finds the mounts of control groups of version 2.  There may be many: containers mount groups
 * below the root, under which a name means another group.
 */
#include "session/groups.h"

#include <dtrace/script.h>
#include <errno.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

/* Replaces the sequences \OOO of proc_pid_mountinfo(5), in place. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		unsigned c;

		if (*text == '\\' && sscanf(text + 1, "%3o", &c) == 1) {
			*to++ = (char)c;
			text += 3;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

/* The word of LINE with number N from 0, ended by a 0; NULL: there is none. */
static char *word(char *line, unsigned n)
{
	char *save = NULL, *w = strtok_r(line, " ", &save);

	while (w && n--)
		w = strtok_r(NULL, " ", &save);
	return w;
}

bool groups_next(FILE *mounts, char *dir, bool *whole)
{
	char *line = NULL, *type, *root, *at;
	size_t size = 0;
	bool found = false;
	struct statfs fs;

	while (!found && getline(&line, &size, mounts) > 0) {
		type = strstr(line, " - ");
		if (!type || strncmp(type, " - cgroup2 ", 11) != 0)
			continue;
		*type = '\0';
		root = word(line, 3);
		at = root ? word(root + strlen(root) + 1, 0) : NULL;
		if (!at || strlen(at) >= PATH_MAX)
			continue;
		*whole = !strcmp(root, "/");
		strcpy(dir, at);
		unescape(dir);
		/* another mount may hide it */
		found = !statfs(dir, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC;
	}
	free(line);
	return found;
}

char *dtrace_cgroup_folder(void)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	char dir[PATH_MAX];
	bool whole = false;

	while (mounts && !whole && groups_next(mounts, dir, &whole))
		;
	if (mounts)
		fclose(mounts);
	errno = whole ? ENOMEM : ENOENT;
	return whole ? strdup(dir) : NULL;
}
