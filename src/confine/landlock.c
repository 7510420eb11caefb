// SPDX-License-Identifier: Apache-2.0
/* Makes rules of Landlock with as many kinds of access as the kernel knows, and applies them. */
#define _GNU_SOURCE /* O_PATH */
#include "confine/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/landlock.h>

/* Since versions 3 and 5 (linux/landlock.h of newer systems). */
#define TRUNCATE  (1ULL << 14)
#define IOCTL_DEV (1ULL << 15)

#define READING (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define WRITING                                                                     \
	(READING | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE | \
		LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |         \
		LANDLOCK_ACCESS_FS_REFER | TRUNCATE)
/* What a file can have that is no folder. */
#define OF_FILES (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE)

struct landlock {
	int fd;
	uint64_t handled;
};

int landlock_version(void)
{
	long v = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

	return v < 0 ? 0 : (int)v;
}

/* The kinds of access of version 1 are the bits up to MAKE_SYM. */
static uint64_t handled_by(int version)
{
	uint64_t all = LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1;

	if (version >= 2)
		all |= LANDLOCK_ACCESS_FS_REFER;
	if (version >= 3)
		all |= TRUNCATE;
	if (version >= 5)
		all |= IOCTL_DEV;
	return all;
}

int landlock_new(struct landlock **out)
{
	int version = landlock_version();
	struct landlock *l;
	uint64_t handled;

	*out = NULL;
	if (!version)
		return -EOPNOTSUPP;
	l = malloc(sizeof(*l));
	if (!l)
		return -ENOMEM;
	handled = l->handled = handled_by(version);
	/* the first member of struct landlock_ruleset_attr, which grows */
	l->fd = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0);
	if (l->fd < 0) {
		int err = -errno;

		free(l);
		return err;
	}
	*out = l;
	return 0;
}

void landlock_free(struct landlock *l)
{
	if (!l)
		return;
	close(l->fd);
	free(l);
}

int landlock_allow(struct landlock *l, const char *path, enum landlock_access access)
{
	struct landlock_path_beneath_attr rule = {
		.allowed_access = l->handled & (access == LANDLOCK_WRITE ? WRITING : READING),
		.parent_fd = open(path, O_PATH | O_CLOEXEC),
	};
	struct stat st;
	int err = 0;

	if (rule.parent_fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (fstat(rule.parent_fd, &st))
		err = -errno;
	else if (!S_ISDIR(st.st_mode))
		rule.allowed_access &= OF_FILES;
	if (!err && syscall(SYS_landlock_add_rule, l->fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0))
		err = -errno;
	close(rule.parent_fd);
	return err;
}

int landlock_allow_beside(struct landlock *l, const char *path)
{
	char real[PATH_MAX], copy[PATH_MAX];

	/* a link is followed to what it names, if that exists */
	if (!realpath(path, real) && snprintf(real, sizeof(real), "%s", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	strcpy(copy, real);
	return landlock_allow(l, dirname(copy), LANDLOCK_WRITE);
}

int landlock_restrict(struct landlock *l)
{
	int err = syscall(SYS_landlock_restrict_self, l->fd, 0) ? -errno : 0;

	landlock_free(l);
	return err;
}
