// SPDX-License-Identifier: Apache-2.0
/*
 * Attaches programs to a netfilter hook.  A link belongs to one network namespace, so there is one
 * for each that a process is in or that has a name where ip(8) and Docker put it.  The kernel tells
 * of new ones, but not before they are there: those are counted whose first packets may have been
 * missed.
 */
#define _GNU_SOURCE /* setns */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>

#include "base/living.h"
#include "base/vec.h"
#include "load/internal.h"
#include "probe/attach.h"
#include "sym/mapwatch.h"

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

static struct load_net *find_net(struct load *l, uint64_t number)
{
	vec_for (known, &l->nets)
		if (known->number == number)
			return known;
	return NULL;
}

/* Returns the one with this number, made if it is not known; NULL: no memory. */
static struct load_net *net_of(struct load *l, uint64_t number, bool *is_new)
{
	struct load_net *net = find_net(l, number);

	*is_new = false;
	if (net)
		return net;
	net = heapvec_add(&l->nets);
	if (!net)
		return NULL;
	*is_new = true;
	net->number = number;
	return net;
}

/* ---- packets of before ---- */

/*
 * Adds what the file at PATH says of NAME: a line of names that begins with HEAD and one of numbers
 * ("Ip: Forwarding ..", "Ip: 1 .."), or with HEAD NULL a line for each name.  False: nothing.
 */
static bool add_counter(const char *path, const char *head, const char *name, uint64_t *sum)
{
	char line[4096], names[4096] = "", *p, *save, *q, *at;
	FILE *file = fopen(path, "re");
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file)) {
		p = strtok_r(line, " \t\n", &save);
		if (!p)
			continue;
		if (!head && !strcmp(p, name)) {
			p = strtok_r(NULL, " \t\n", &save);
			*sum += p ? strtoull(p, NULL, 10) : 0;
			found = p != NULL;
		} else if (head && !strcmp(p, head) && !*names) {
			snprintf(names, sizeof(names), "%s", save);
		} else if (head && !strcmp(p, head)) {
			for (q = strtok_r(names, " \n", &at); q && !found;
				q = strtok_r(NULL, " \n", &at)) {
				p = strtok_r(NULL, " \n", &save);
				found = p && !strcmp(q, name);
			}
			*sum += found ? strtoull(p, NULL, 10) : 0;
			break;
		}
	}
	if (file)
		fclose(file);
	return found;
}

#define OWN_NET "/proc/thread-self/net/"

/*
 * True if the calling thread's network namespace has had packets, or cannot tell.  They are counted
 * before the hooks run: if there were none when programs are attached, none was missed.
 */
static bool has_traffic(void)
{
	uint64_t n = 0;
	bool v4 = add_counter(OWN_NET "snmp", "Ip:", "InReceives", &n) &&
		add_counter(OWN_NET "snmp", "Ip:", "OutRequests", &n);

	if (!access(OWN_NET "snmp6", F_OK) && /* no IPv6, no packets of it */
		!(add_counter(OWN_NET "snmp6", NULL, "Ip6InReceives", &n) &&
			add_counter(OWN_NET "snmp6", NULL, "Ip6OutRequests", &n)))
		return true;
	return !v4 || n;
}

/* ---- attaching in all ---- */

/*
 * Attaches all netfilter programs in the namespace FD and returns to OWN; does nothing if FD cannot
 * be entered.
 */
static int attach_in(struct load *l, int own, int fd, uint64_t number)
{
	if (setns(fd, CLONE_NEWNET)) {
		l->nets_late += l->nets_begun;
		return 0; /* gone, or not ours to enter */
	}
	for (uint32_t i = 0; i < l->image.nprogs; i++) {
		const struct load_prog *p = &l->image.progs[i];

		if (p->plan.kind != ATTACH_NETFILTER || p->piece || !l->slots[i].prog ||
			l->slots[i].left_out)
			continue;
		l->attaching = bpf_program__fd(l->slots[i].prog);
		link_here(l, l->attaching, &p->plan, number);
	}
	l->nets_late += l->nets_begun && has_traffic();
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
	net = find_net(l, st.st_ino);
	if (net) {
		net->present = true;
		return 0;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) { /* its process has ended; another may be in it */
		if (fd >= 0)
			close(fd);
		return 0;
	}
	net = net_of(l, st.st_ino, &is_new);
	if (net)
		net->present = true;
	err = !net ? -ENOMEM : is_new ? attach_in(l, own, fd, st.st_ino) : 0;
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
		if (*below && access(path, F_OK)) /* of a process, whose first thread has ended */
			snprintf(path, sizeof(path), "%s/%d%s", folder,
				living_thread((pid_t)strtol(e->d_name, NULL, 10)), below);
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

/* Looks for all namespaces that are there. */
static int look_for_nets(struct load *l)
{
	int own, err;

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

int load_follow(struct load *l)
{
	l->gone_nets.len = 0;
	return l->nets.len ? look_for_nets(l) : 0;
}

/* ---- new ones ---- */

void load_watch_nets(struct load *l)
{
	for (uint32_t i = 0; i < l->image.nprogs && !l->net_watch; i++)
		if (l->image.progs[i].plan.kind == ATTACH_NETFILTER)
			l->net_watch = mapwatch_new_nets();
}

void load_leave_nets(struct load *l)
{
	mapwatch_free(l->net_watch);
	l->net_watch = NULL;
	heapvec_free(&l->nets);
	heapvec_free(&l->new_nets);
	heapvec_free(&l->gone_nets);
}

int load_net_fd(const struct load *l)
{
	return l->net_watch ? mapwatch_fd(l->net_watch) : -1;
}

uint64_t load_nets_late(const struct load *l)
{
	return l->nets_late;
}

/* Notes a namespace that is new. */
static void on_net(void *arg, const struct mapwatch_event *e)
{
	struct load *l = arg;

	if (e->kind == MAPWATCH_LOST)
		l->nets_lost = true;
	if (e->kind != MAPWATCH_NET || find_net(l, e->net))
		return;
	vec_for (n, &l->new_nets)
		if (n->number == e->net && n->pid == e->pid)
			return;
	if (heapvec_push(&l->new_nets, (struct load_new_net){e->pid, e->net}))
		l->nets_lost = true;
}

/* Attaches in the namespace of process N->pid, if it still is the one that was told of. */
static void attach_in_process(struct load *l, int own, const struct load_new_net *n)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/ns/net", living_thread(n->pid));
	if (!find_net(l, n->number) && !stat(path, &st) && st.st_ino == n->number)
		visit_namespace(l, own, path);
}

/* Counts a namespace that was gone before it was found: what happened in it is unknown. */
static void count_gone(struct load *l, uint64_t number)
{
	vec_for (gone, &l->gone_nets)
		if (*gone == number)
			return;
	l->nets_late++;
	(void)heapvec_push(&l->gone_nets, number);
}

static bool all_found(struct load *l)
{
	vec_for (n, &l->new_nets)
		if (!find_net(l, n->number))
			return false;
	return true;
}

int load_follow_new(struct load *l)
{
	int own, err = 0;

	if (!l->net_watch)
		return 0;
	mapwatch_drain(l->net_watch, on_net, l);
	if (!l->new_nets.len && !l->nets_lost)
		return 0;
	own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	if (own < 0)
		return -errno;
	vec_for (n, &l->new_nets)
		attach_in_process(l, own, n);
	close(own);
	/* the process may have ended and left a name, as ip(8) does */
	if (!all_found(l) || l->nets_lost)
		err = look_for_nets(l);
	vec_for (n, &l->new_nets)
		if (!find_net(l, n->number))
			count_gone(l, n->number);
	l->new_nets.len = 0;
	/* at least one, for all that is known */
	l->nets_late += l->nets_lost;
	l->nets_lost = false;
	return err;
}
