// SPDX-License-Identifier: Apache-2.0
/*
 * Programs at a netfilter hook.  A link belongs to one network namespace, so there is one for
 * each that a process is in or that has a name where ip(8) and Docker put it; packets of namespaces
 * made later are not seen.
 */
#define _GNU_SOURCE /* setns */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "load/internal.h"

/*
 * Late, behind the filters: what they drop is neither sent nor received.  Two programs at one
 * hook need different priorities (net/netfilter/core.c).
 */
#define PRIORITY      1000
#define PRIORITY_MOST 2000

static int link_here(struct load *l, int prog, const struct attach_plan *plan)
{
	struct {
		uint32_t prog_fd, target_fd, attach_type, flags;
		uint32_t pf, hooknum;
		int32_t priority;
		uint32_t nf_flags;
	} attr = {
		/* BPF_LINK_CREATE of bpf(2), link_create.netfilter */
		.prog_fd = (uint32_t)prog,
		.attach_type = NETFILTER_ATTACH,
		.pf = plan->nf_family,
		.hooknum = plan->nf_hook,
	};

	for (attr.priority = PRIORITY; attr.priority < PRIORITY_MOST; attr.priority++) {
		long link = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));

		if (link >= 0)
			return load_hook_add(l, (int)link, -1);
		if (errno != EBUSY)
			return -errno;
	}
	return -EBUSY;
}

/* ---- network namespaces ---- */

struct namespaces {
	ino_t *seen;
	uint32_t n;
};

/* True the first time. */
static bool is_new(struct namespaces *ns, ino_t ino)
{
	ino_t *more;

	for (uint32_t i = 0; i < ns->n; i++)
		if (ns->seen[i] == ino)
			return false;
	more = realloc(ns->seen, (ns->n + 1) * sizeof(*more));
	if (!more)
		return false;
	ns->seen = more;
	ns->seen[ns->n++] = ino;
	return true;
}

static int enter(struct load *l, int prog, const struct attach_plan *plan, int own, int fd)
{
	int err;

	if (setns(fd, CLONE_NEWNET))
		return 0; /* gone, or not ours to enter */
	err = link_here(l, prog, plan);
	if (setns(own, CLONE_NEWNET) && !err)
		err = -errno;
	return err;
}

/* The namespace that the file at PATH stands for, unless it was seen before. */
static int visit(struct load *l, int prog, const struct attach_plan *plan, struct namespaces *ns,
	int own, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && is_new(ns, st.st_ino))
		err = enter(l, prog, plan, own, fd);
	close(fd);
	return err;
}

/* The file BELOW of each entry of FOLDER whose name begins with a digit; ALL: of each. */
static int visit_folder(struct load *l, int prog, const struct attach_plan *plan,
	struct namespaces *ns, int own, const char *folder, const char *below, bool all)
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	char path[512];
	int err = 0;

	while (dir && !err && (e = readdir(dir))) {
		if (e->d_name[0] == '.' || !(all || isdigit((unsigned char)e->d_name[0])))
			continue;
		snprintf(path, sizeof(path), "%s/%s%s", folder, e->d_name, below);
		err = visit(l, prog, plan, ns, own, path);
	}
	if (dir)
		closedir(dir);
	return err;
}

/* Those of processes, and those that have a name although no process may be in them now. */
static int visit_others(
	struct load *l, int prog, const struct attach_plan *plan, struct namespaces *ns, int own)
{
	int err = visit_folder(l, prog, plan, ns, own, "/proc", "/ns/net", false);

	if (!err)
		err = visit_folder(l, prog, plan, ns, own, "/run/netns", "", true);
	if (!err)
		err = visit_folder(l, prog, plan, ns, own, "/run/docker/netns", "", true);
	return err;
}

int load_attach_netfilter(struct load *l, int prog, const struct attach_plan *plan)
{
	struct namespaces ns = {0};
	struct stat st;
	int own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC), err;

	err = link_here(l, prog, plan);
	if (!err && own >= 0 && !fstat(own, &st) && is_new(&ns, st.st_ino))
		err = visit_others(l, prog, plan, &ns, own);
	if (own >= 0)
		close(own);
	free(ns.seen);
	return err;
}
