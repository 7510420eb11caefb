// SPDX-License-Identifier: Apache-2.0
/*
 * Attaches programs to instructions of programs and libraries, and to the returns of their
 * functions: by one link for the places in a file and process if the kernel has uprobe.multi, else
 * by a uprobe each (perf_event_open(2), the "uprobe" PMU).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include <bpf/bpf.h>

#include "base/vec.h"
#include "load/internal.h"
#include "load/unwind.h"
#include "probe/attach.h"

#define FILE_PATH 32 /* "/proc/self/fd/N" */

/* The very file, whatever is found by its name meanwhile or in another mount namespace. */
static void name_file(char *path, const struct attach_file *file)
{
	snprintf(path, FILE_PATH, "/proc/self/fd/%d", file->fd);
}

/* True for the errors of an instruction that the kernel does not probe; 524 is its own ENOTSUPP. */
static bool is_refusal(int err)
{
	return err == -EINVAL || err == -EIO || err == -EOPNOTSUPP || err == -524;
}

#define RETRIES	 20
#define RETRY_NS 2000000

/*
 * True for errors that do not stay: the kernel gives up when one of the processes that map the file
 * goes through an exec or its end just then (register_for_each_vma(), kernel/events/uprobes.c).
 */
static bool is_passing(int err)
{
	return err == -EFAULT || err == -EAGAIN || err == -EBUSY || err == -ENOENT;
}

/* ---- one link for many ---- */

/* union bpf_attr's link_create with its uprobe_multi (linux/bpf.h since 6.6) */
struct link_attr {
	uint32_t prog_fd, target_fd, attach_type, flags;
	uint64_t path, offsets, ref_ctr_offsets, cookies;
	uint32_t cnt, multi_flags, pid, pad;
};

#define MULTI_RETURN 1 /* BPF_F_UPROBE_MULTI_RETURN */

struct multi {
	struct load *l;
	const struct load_prog *p;
	int prog;
	const struct attach_site *sites; /* of one file and process */
	uint64_t *offsets, *semaphores, *cookies;
	bool counted; /* some have a semaphore */
	uint32_t skipped;
};

static int link_multi(struct multi *m, uint32_t first, uint32_t n)
{
	char path[FILE_PATH];
	struct link_attr attr = {
		.prog_fd = (uint32_t)m->prog,
		.attach_type = UPROBE_MULTI,
		.path = (uintptr_t)path,
		.offsets = (uintptr_t)(m->offsets + first),
		.cookies = (uintptr_t)(m->cookies + first),
		.cnt = n,
		.multi_flags = m->p->plan.kind == ATTACH_URETPROBES ? MULTI_RETURN : 0,
		.pid = (uint32_t)m->sites->pid,
	};
	long link;

	name_file(path, m->sites->file);
	if (m->counted)
		attr.ref_ctr_offsets = (uintptr_t)(m->semaphores + first);
	link = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
	return link < 0 ? -errno : load_hook_add_user(m->l, (int)link, -1, m->sites->pid, n);
}

/*
 * One instruction that cannot be probed makes the kernel refuse the whole link: halves are tried
 * until it stands alone.
 */
static int attach_range(struct multi *m, uint32_t first, uint32_t n)
{
	int err = link_multi(m, first, n);

	for (int i = 0; i < RETRIES && is_passing(err); i++) {
		nanosleep(&(struct timespec){.tv_nsec = RETRY_NS}, NULL);
		err = link_multi(m, first, n);
	}
	/* ESRCH: the process has ended */
	if (err && !is_refusal(err))
		return err;
	if (err && n > 1) {
		err = attach_range(m, first, n / 2);
		return err ? err : attach_range(m, first + n / 2, n - n / 2);
	}
	m->skipped += err != 0;
	return load_progressed(m->l, n);
}

static int attach_multi(struct multi *m, uint32_t n)
{
	int err = 0;

	m->offsets = calloc(n, sizeof(*m->offsets));
	m->semaphores = calloc(n, sizeof(*m->semaphores));
	m->cookies = calloc(n, sizeof(*m->cookies));
	if (!m->offsets || !m->semaphores || !m->cookies)
		err = -ENOMEM;
	m->counted = false;
	for (uint32_t i = 0; !err && i < n; i++) {
		m->offsets[i] = m->sites[i].addr;
		m->semaphores[i] = m->sites[i].semaphore;
		m->cookies[i] = m->sites[i].cookie;
		m->counted |= m->sites[i].semaphore != 0;
	}
	if (!err)
		err = attach_range(m, 0, n);
	free(m->offsets);
	free(m->semaphores);
	free(m->cookies);
	return err;
}

/* ---- a uprobe each ---- */

#define PMU "/sys/bus/event_source/devices/uprobe/"

/* The position of the semaphore's offset in perf_event_attr.config (kernel/events/core.c) */
#define SEMAPHORE_SHIFT 32

static int attach_one(struct load *l, int prog, const struct attach_site *site,
	const struct perf_event_attr *model)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .perf_event.bpf_cookie = site->cookie);
	struct perf_event_attr attr = *model;
	pid_t pid = site->pid ? site->pid : -1;
	char path[FILE_PATH];
	int link, err;
	long event;

	name_file(path, site->file);
	attr.uprobe_path = (uintptr_t)path;
	attr.probe_offset = site->addr;
	attr.config |= site->semaphore << SEMAPHORE_SHIFT;
	/* the program runs in all threads of the process, though the event belongs to one */
	event = syscall(
		SYS_perf_event_open, &attr, pid, pid < 0 ? 0 : -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (event < 0)
		return -errno;
	link = bpf_link_create(prog, (int)event, BPF_PERF_EVENT, &opts);
	if (link < 0) {
		close((int)event);
		return link;
	}
	err = load_hook_add_user(l, link, (int)event, site->pid, 1);
	if (!err && ioctl((int)event, PERF_EVENT_IOC_ENABLE, 0))
		err = -errno;
	return err;
}

static int attach_each(struct multi *m, uint32_t n)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .sample_period = 1, .wakeup_events = 1};
	unsigned bit = 0;
	int err = load_pmu_number(PMU "type", "%u", &attr.type);

	if (!err && m->p->plan.kind == ATTACH_URETPROBES) {
		err = load_pmu_number(PMU "format/retprobe", "config:%u", &bit);
		attr.config = 1ULL << bit;
	}
	for (uint32_t i = 0; !err && i < n; i++) {
		err = attach_one(m->l, m->prog, &m->sites[i], &attr);
		if (is_refusal(err)) {
			m->skipped++;
			err = 0;
		}
		if (!err)
			err = load_progressed(m->l, 1);
	}
	return err;
}

/* ---- all ---- */

static bool same_place(const struct attach_site *a, const struct attach_site *b)
{
	return a->file == b->file && a->pid == b->pid;
}

int load_attach_uprobes(struct load *l, int prog, const struct load_prog *p,
	const struct attach_site *sites, uint32_t n)
{
	struct multi m = {.l = l, .p = p, .prog = prog};
	uint32_t end;
	int err = 0;

	unwind_prepare(l, sites, n);
	load_cost_note(&l->slots[p - l->image.progs], sites, n);
	for (uint32_t i = 0; !err && i < n; i = end) {
		for (end = i + 1; end < n && same_place(&sites[i], &sites[end]); end++)
			;
		m.sites = &sites[i];
		err = p->plan.multi ? attach_multi(&m, end - i) : attach_each(&m, end - i);
		/* a process that has ended is none that cannot be traced */
		if (err == -ESRCH)
			err = 0;
	}
	l->skipped += m.skipped;
	l->places -= m.skipped;
	if (!err && n && m.skipped == n && !l->late)
		return load_fail(l, -EINVAL, "cannot attach '%s': the kernel lets %s be probed",
			p->label, n == 1 ? "this instruction not" : "none of these instructions");
	return err;
}

int load_attach_late(struct load *l, uint32_t prog, const struct attach_site *sites, uint32_t n)
{
	if (prog >= l->image.nprogs || !l->slots[prog].prog)
		return -EINVAL;
	if (l->slots[prog].left_out)
		return 0;
	l->late = true;
	l->attaching = bpf_program__fd(l->slots[prog].prog);
	l->places += n;
	return l->image.progs[prog].plan.by_function
		? load_attach_functions(l, l->attaching, &l->image.progs[prog], sites, n)
		: load_attach_uprobes(l, l->attaching, &l->image.progs[prog], sites, n);
}

void load_detach_process(struct load *l, pid_t pid)
{
	uint32_t n = 0;

	vec_for (h, &l->hooks) {
		if (h->pid != pid) {
			l->hooks.data[n++] = *h;
			continue;
		}
		l->places -= h->places;
		if (h->link >= 0)
			close(h->link);
		if (h->event >= 0)
			close(h->event);
	}
	l->hooks.len = n;
	load_forget_functions(l, pid);
}
