// SPDX-License-Identifier: Apache-2.0
#include "session/filters.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <mntent.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define INITIAL_PIDNS 0xEFFFFFFCu /* PROC_PID_INIT_INO of the kernel's linux/proc_ns.h */

/* ---- pid namespaces ---- */

/* The inode number of PROCESS's ("self", "123"), or 0 and errno. */
static uint32_t pidns_of(const char *process)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%s/ns/pid", process);
	return stat(path, &st) ? 0 : (uint32_t)st.st_ino;
}

uint32_t pidns_own(void)
{
	uint32_t ns = pidns_of("self");

	return ns == INITIAL_PIDNS ? 0 : ns;
}

static int resolve_pidns(struct dtrace *d, struct target *t)
{
	int64_t pid = options_number(d->opts, OPT_pidns);
	char process[24];
	uint32_t ns;

	if (!options_given(d->opts, OPT_pidns))
		return 0;
	snprintf(process, sizeof(process), "%lld", (long long)pid);
	errno = 0;
	ns = pid > 0 ? pidns_of(process) : 0;
	if (!ns && pid > 0 && errno && errno != ENOENT)
		return handle_error(d, -errno,
			"option pidns: cannot tell process %s's pid "
			"namespace: %s",
			process, strerror(errno));
	if (!ns)
		return handle_error(d, -ESRCH, "option pidns: there is no process %s", process);
	t->in_pidns = ns == INITIAL_PIDNS ? 0 : ns; /* which has all tasks */
	return 0;
}

/* By enum dt_pid_which. */
const char *pidns_text(bool inner)
{
	if (inner)
		return "inline pid_t _task_tid[struct task_struct *t] = _task_id(t, 0);\n"
		       "inline pid_t _task_tgid[struct task_struct *t] = _task_id(t, 1);\n"
		       "inline pid_t _task_pgid[struct task_struct *t] = _task_id(t, 2);\n"
		       "inline pid_t _task_sid[struct task_struct *t] = _task_id(t, 3);\n";
	/* a task that has been reaped has no signal_struct */
	return "inline pid_t _task_tid[struct task_struct *t] = t->pid;\n"
	       "inline pid_t _task_tgid[struct task_struct *t] = t->tgid;\n"
	       "inline pid_t _task_pgid[struct task_struct *t] =\n"
	       "\tt->signal ? t->signal->pids[2]->numbers[0].nr : 0;\n"
	       "inline pid_t _task_sid[struct task_struct *t] =\n"
	       "\tt->signal ? t->signal->pids[3]->numbers[0].nr : 0;\n";
}

/* ---- control groups ---- */

/* A descriptor of the directory PATH if it is a cgroup of version 2, else -1. */
static int open_group(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statfs fs;

	if (fd < 0 || (!fstatfs(fd, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC))
		return fd;
	close(fd);
	return -1;
}

/* NAME below where cgroup2 is mounted, *AT the last such place; -1: it is nowhere. */
static int open_mounted(struct dtrace *d, const char *name, const char **at)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *m;
	int fd = -1;

	while (mounts && fd < 0 && (m = getmntent(mounts))) {
		if (strcmp(m->mnt_type, "cgroup2"))
			continue;
		*at = arena_strdup(d->arena, m->mnt_dir);
		fd = open_group(arena_printf(d->arena, "%s/%s", *at, name));
	}
	if (mounts)
		endmntent(mounts);
	return fd;
}

/* The cgroup that the option names; -1 = none is, or a negative errno. */
static int option_group(struct dtrace *d)
{
	const char *name = options_string(d->opts, OPT_cgroup), *at = NULL;
	int fd;

	if (!name)
		return -1;
	fd = open_group(name);
	if (fd < 0)
		fd = open_mounted(d, name + strspn(name, "/"), &at);
	if (fd >= 0)
		return fd;
	if (!access(name, F_OK))
		return handle_error(d, -ENOTDIR,
			"option cgroup: %s is not a control group's directory (of cgroup2)", name);
	if (!at)
		return handle_error(d, -ENOENT,
			"option cgroup: there is no directory %s, and no cgroup2 file system is "
			"mounted in which to look for it",
			name);
	return handle_error(d, -ENOENT,
		"option cgroup: there is no control group %s: neither this directory nor %s/%s",
		name, at, name + strspn(name, "/"));
}

int filters_resolve(struct dtrace *d, struct target *t)
{
	int fd = option_group(d);
	struct stat st;

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
	int map = load_map_fd(d->load, DT_MAP_CGROUP), fd, err;
	uint32_t zero = 0;

	if (map < 0) /* no program looks */
		return 0;
	fd = option_group(d);
	if (fd < -1)
		return fd;
	err = bpf_map_update_elem(map, &zero, &fd, BPF_ANY);
	close(fd);
	return err ? handle_error(d, err, "option cgroup: %s", strerror(-err)) : 0;
}
