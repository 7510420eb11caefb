// SPDX-License-Identifier: Apache-2.0
/*
 * Attaches programs to the entry or return of many kernel functions: by one link if the kernel has
 * kprobe.multi, else by a kprobe each (perf_event_open(2), the "kprobe" PMU).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include <bpf/bpf.h>

#include "load/internal.h"
#include "probe/attach.h"
#include "sym/sym.h"

/* ---- one link for many ---- */

struct multi {
	struct load *l;
	const struct load_prog *p;
	int prog;
	const char **syms; /* one of these: by name where an address is not known */
	unsigned long *addrs;
	__u64 *cookies;
};

static void skip(struct load *l, const struct load_prog *p, uint32_t site, int err)
{
	load_skip(l, (uint32_t)(p - l->image.progs), p->sites[site].cookie, err);
}

static int link_multi(struct multi *m, uint32_t first, uint32_t n)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .kprobe_multi.cnt = n,
		.kprobe_multi.cookies = m->cookies + first);
	int link;

	if (m->p->plan.kind == ATTACH_KRETPROBES)
		opts.kprobe_multi.flags = BPF_F_KPROBE_MULTI_RETURN;
	if (m->syms)
		opts.kprobe_multi.syms = m->syms + first;
	else
		opts.kprobe_multi.addrs = m->addrs + first;
	link = bpf_link_create(m->prog, 0, KPROBE_MULTI, &opts);
	return link < 0 ? link : load_hook_add(m->l, link, -1);
}

/*
 * One function that cannot be traced after all makes the kernel refuse the whole link: halves are
 * tried until it stands alone.
 */
static int attach_range(struct multi *m, uint32_t first, uint32_t n)
{
	int err = link_multi(m, first, n);

	/* ESRCH: the kernel does not find the function */
	if (err && err != -ESRCH && !load_is_refusal(err))
		return err;
	if (err && n > 1) {
		err = attach_range(m, first, n / 2);
		return err ? err : attach_range(m, first + n / 2, n - n / 2);
	}
	if (err)
		skip(m->l, m->p, first, err);
	return load_progressed(m->l, n);
}

static bool addresses_known(const struct load_prog *p)
{
	for (uint32_t i = 0; i < p->nsites; i++)
		if (!p->sites[i].addr)
			return false;
	return true;
}

/*
 * ftrace lists where in a function it can be instrumented, after the instruction that an indirect
 * branch must meet; by that address the kernel would not find the function's cookie.
 */
static unsigned long entry_of(struct symtab *syms, uint64_t addr)
{
	struct sym_info s = {0};

	if (syms)
		sym_kernel(syms, addr, &s);
	return s.start ? s.start : addr;
}

static int attach_multi(struct load *l, int prog, const struct load_prog *p)
{
	struct multi m = {.l = l, .p = p, .prog = prog};
	bool known = addresses_known(p);
	struct symtab *syms;
	int err = 0;

	m.cookies = calloc(p->nsites, sizeof(*m.cookies));
	m.addrs = known ? calloc(p->nsites, sizeof(*m.addrs)) : NULL;
	m.syms = known ? NULL : calloc(p->nsites, sizeof(*m.syms));
	if (!m.cookies || (known ? !m.addrs : !m.syms))
		err = -ENOMEM;
	syms = known ? symtab_new() : NULL;
	for (uint32_t i = 0; !err && i < p->nsites; i++) {
		m.cookies[i] = p->sites[i].cookie;
		if (known)
			m.addrs[i] = entry_of(syms, p->sites[i].addr);
		else
			m.syms[i] = p->sites[i].hook;
	}
	/* one link, for a function that has several costs more each time it is called */
	if (!err)
		err = attach_range(&m, 0, p->nsites);
	if (syms)
		symtab_free(syms);
	free(m.cookies);
	free(m.addrs);
	free(m.syms);
	return err;
}

/* ---- a kprobe each ---- */

#define PMU "/sys/bus/event_source/devices/kprobe/"

int load_pmu_number(const char *file, const char *format, unsigned *out)
{
	FILE *f = fopen(file, "re");
	int n;

	if (!f)
		return -errno;
	n = fscanf(f, format, out);
	fclose(f);
	return n == 1 ? 0 : -EINVAL;
}

static int attach_one(struct load *l, int prog, const struct attach_site *site,
	const struct perf_event_attr *model)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .perf_event.bpf_cookie = site->cookie);
	struct perf_event_attr attr = *model;
	int link, err;
	long event;

	/* by address where it is known: names of static functions repeat */
	attr.kprobe_func = site->addr ? 0 : (uintptr_t)site->hook;
	attr.kprobe_addr = site->addr;
	event = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (event < 0)
		return -errno;
	link = bpf_link_create(prog, (int)event, BPF_PERF_EVENT, &opts);
	/* before Linux 5.15 the event itself keeps the program, and there is no cookie */
	if (link < 0 && (link != -EINVAL || ioctl((int)event, PERF_EVENT_IOC_SET_BPF, prog))) {
		close((int)event);
		return link;
	}
	err = load_hook_add(l, link < 0 ? -1 : link, (int)event);
	if (!err && ioctl((int)event, PERF_EVENT_IOC_ENABLE, 0))
		err = -errno;
	return err;
}

static int attach_each(struct load *l, int prog, const struct load_prog *p)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .sample_period = 1, .wakeup_events = 1};
	unsigned type, bit = 0;
	int err = load_pmu_number(PMU "type", "%u", &type);

	if (!err && p->plan.kind == ATTACH_KRETPROBES) {
		err = load_pmu_number(PMU "format/retprobe", "config:%u", &bit);
		attr.config = 1ULL << bit;
	}
	attr.type = type;
	for (uint32_t i = 0; !err && i < p->nsites; i++) {
		err = attach_one(l, prog, &p->sites[i], &attr);
		/* the kernel's own list of what must not be probed is longer than what it shows */
		if (load_is_refusal(err)) {
			skip(l, p, i, err);
			err = 0;
		}
		if (!err)
			err = load_progressed(l, 1);
	}
	return err;
}

int load_attach_kprobes(struct load *l, int prog, const struct load_prog *p)
{
	return p->plan.multi ? attach_multi(l, prog, p) : attach_each(l, prog, p);
}
