// SPDX-License-Identifier: Apache-2.0
/*
 * Attaches programs to a netfilter hook.  A link belongs to one network namespace, so there is one
 * for each that a process is in or that has a name where ip(8) and Docker put it.  New ones are
 * looked for now and then: their first packets are not seen.
 */
#define _GNU_SOURCE /* setns */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "base/vec.h"
#include "load/internal.h"
#include "probe/attach.h"

/*
 * Late, after the filters: what they drop is neither sent nor received.  Two programs at one
 * hook need different priorities (net/netfilter/core.c).
 */
#define PRIORITY      1000
#define PRIORITY_MOST 2000

/* In the calling thread's network namespace, whose number is NET. */
static int link_here(struct load *l, int prog, const struct attach_plan *plan, uint64_t net)
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

		if (link >= 0) {
			int err = load_hook_add(l, (int)link, -1);

			if (!err)
				vec_last(&l->hooks).net = net;
			return err;
		}
		if (errno != EBUSY)
			return -errno;
	}
	return -EBUSY;
}

/* ---- network namespaces ---- */

/* Returns the one with this number, made if it is not known; NULL: no memory. */
static struct load_net *net_of(struct load *l, uint64_t number, bool *is_new)
{
	struct load_net *net;

	*is_new = false;
	vec_for (known, &l->nets)
		if (known->number == number)
			return known;
	net = heapvec_add(&l->nets);
	if (!net)
		return NULL;
	*is_new = true;
	net->number = number;
	return net;
}

/*
 * Attaches all netfilter programs in the namespace FD and returns to OWN; does nothing if FD cannot
 * be entered.
 */
static int attach_in(struct load *l, int own, int fd, uint64_t number)
{
	if (setns(fd, CLONE_NEWNET))
		return 0; /* gone, or not ours to enter */
	for (uint32_t i = 0; i < l->image.nprogs; i++) {
		const struct load_prog *p = &l->image.progs[i];

		if (p->plan.kind == ATTACH_NETFILTER && !p->piece && l->slots[i].prog)
			link_here(l, bpf_program__fd(l->slots[i].prog), &p->plan, number);
	}
	return setns(own, CLONE_NEWNET) ? -errno : 0;
}

/* The namespace that the file at PATH stands for. */
static int visit_namespace(struct load *l, int own, const char *path)
{
	struct load_net *net;
	struct stat st;
	bool is_new;
	int fd, err;

	if (stat(path, &st))
		return 0;
	net = net_of(l, st.st_ino, &is_new);
	if (!net)
		return -ENOMEM;
	net->present = true;
	fd = is_new ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return 0;
	err = attach_in(l, own, fd, st.st_ino);
	close(fd);
	return err;
}

/*
 * Visits the file BELOW of each entry of FOLDER whose name begins with a digit; ALL: of each entry.
 */
static int visit_folder(struct load *l, int own, const char *folder, const char *below, bool all)
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	char path[512];
	int err = 0;

	while (dir && !err && (e = readdir(dir))) {
		if (e->d_name[0] == '.' || !(all || isdigit((unsigned char)e->d_name[0])))
			continue;
		snprintf(path, sizeof(path), "%s/%s%s", folder, e->d_name, below);
		err = visit_namespace(l, own, path);
	}
	if (dir)
		closedir(dir);
	return err;
}

/*
 * Closes the links of namespaces that only we keep: a link keeps its namespace, and the devices in
 * it, alive.
 */
static void leave_absent(struct load *l)
{
	for (uint32_t i = l->nets.len; i-- > 1;) {
		uint64_t number = l->nets.data[i].number;

		if (l->nets.data[i].present)
			continue;
		l->nets.data[i] = l->nets.data[--l->nets.len];
		for (uint32_t k = l->hooks.len; k-- > 0;) {
			if (l->hooks.data[k].net != number)
				continue;
			close(l->hooks.data[k].link);
			l->hooks.data[k] = l->hooks.data[--l->hooks.len];
		}
	}
}

int load_attach_netfilter(struct load *l, int prog, const struct attach_plan *plan)
{
	struct stat st = {0};
	bool is_new;

	if (stat("/proc/thread-self/ns/net", &st))
		return link_here(l, prog, plan, 0);
	if (!net_of(l, st.st_ino, &is_new))
		return -ENOMEM;
	return link_here(l, prog, plan, st.st_ino);
}

int load_follow(struct load *l)
{
	int own, err;

	if (!l->nets.len)
		return 0;
	own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	if (own < 0)
		return -errno;
	vec_for (net, &l->nets)
		net->present = false;
	err = visit_folder(l, own, "/proc", "/ns/net", false);
	if (!err)
		err = visit_folder(l, own, "/run/netns", "", true);
	if (!err)
		err = visit_folder(l, own, "/run/docker/netns", "", true);
	if (!err)
		leave_absent(l);
	close(own);
	return err;
}
