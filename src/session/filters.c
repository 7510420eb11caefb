// SPDX-License-Identifier: Apache-2.0
/* Finds the control group and pid namespace that options name, and tells the programs. */
#include "session/filters.h"

#include <dtrace/script.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "abi/kernel.h"
#include "base/arena.h"
#include "base/report.h"
#include "compile/pidns.h"
#include "ir/target.h"
#include "load/load.h"
#include "session/groups.h"
#include "session/options.h"
#include "session/session.h"

static int resolve_pidns(struct dtrace *d, struct target *t)
{
	int64_t pid = options_number(d->opts, OPT_pidns);
	char process[24];
	int err;

	if (!options_given(d->opts, OPT_pidns))
		return 0;
	snprintf(process, sizeof(process), "%lld", (long long)pid);
	err = pid > 0 ? pidns_of(process, &t->in_pidns) : -ENOENT;
	if (err == -ENOENT)
		return report_error(
			&d->report, -ESRCH, "option pidns: there is no process %s", process);
	if (err)
		return report_error(&d->report, err,
			"option pidns: cannot tell process %s's pid namespace: %s", process,
			strerror(-err));
	return 0;
}

/* ---- control groups ---- */

/* Returns a descriptor of directory PATH if it is a cgroup of version 2, else -1. */
static int open_group(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statfs fs;

	if (fd < 0 || (!fstatfs(fd, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC))
		return fd;
	close(fd);
	return -1;
}

static void close_mounts(void *mounts)
{
	fclose(mounts);
}

/* Opens NAME below a mount of a part of the file system, as containers have them. -1: not found. */
static int open_in_part(struct dtrace *d, const char *name)
{
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	char dir[PATH_MAX];
	bool whole;
	int fd = -1;

	arena_own(d->arena, close_mounts, mounts);
	while (mounts && fd < 0 && groups_next(mounts, dir, &whole))
		if (!whole)
			fd = open_group(arena_printf(d->arena, "%s/%s", dir, name));
	arena_release(d->arena, mounts);
	return fd;
}

/* Opens NAME below the root of control groups, *AT, which is NULL if it is mounted nowhere. */
static int open_mounted(struct dtrace *d, const char *name, const char **at)
{
	char *main = dtrace_cgroup_folder();
	int fd;

	if (!main)
		return open_in_part(d, name);
	arena_own(d->arena, free, main);
	*at = arena_strdup(d->arena, main);
	arena_release(d->arena, main);
	fd = open_group(arena_printf(d->arena, "%s/%s", *at, name));
	return fd < 0 ? open_in_part(d, name) : fd;
}

int filters_open_group(struct dtrace *d, const char *what, const char *name)
{
	const char *at = NULL;
	int fd = open_group(name);

	if (fd < 0)
		fd = open_mounted(d, name + strspn(name, "/"), &at);
	if (fd >= 0)
		return fd;
	if (!access(name, F_OK) && at)
		return report_error(&d->report, -ENOTDIR,
			"%s: %s is not a control group's directory (of cgroup2)", what, name);
	if (!at)
		return report_error(&d->report, -ENOENT,
			"%s: %s is no control group: no cgroup2 file system is mounted (mount -t cgroup2 none /sys/fs/cgroup)",
			what, name);
	return report_error(&d->report, -ENOENT,
		"%s: there is no control group %s: neither this directory nor %s/%s", what, name,
		at, name + strspn(name, "/"));
}

/*
 * Returns a descriptor of the cgroup that the option names; -1 = none is set, or a negative errno.
 */
static int option_group(struct dtrace *d)
{
	const char *name = options_string(d->opts, OPT_cgroup);

	return name ? filters_open_group(d, "option cgroup", name) : -1;
}

int filters_resolve(struct dtrace *d, struct target *t)
{
	int fd = option_group(d);
	struct stat st;

	t->self = (uint32_t)getpid();
	t->own_pidns = pidns_own();
	if (fd < -1)
		return fd;
	if (fd >= 0) {
		t->in_cgroup = fstat(fd, &st) ? 0 : st.st_ino;
		close(fd);
	}
	return resolve_pidns(d, t);
}

int filters_install(struct dtrace *d)
{
	int fd, err;

	if (load_map_fd(d->tracing.load, DT_MAP_CGROUP) < 0) /* no program looks */
		return 0;
	fd = option_group(d);
	if (fd < -1)
		return fd;
	err = load_map_put(d->tracing.load, DT_MAP_CGROUP, 0, &fd, sizeof(fd));
	close(fd);
	return err ? report_error(&d->report, err, "option cgroup: %s", strerror(-err)) : 0;
}
