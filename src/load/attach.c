// SPDX-License-Identifier: Apache-2.0
/* Attaches loaded programs: to tracepoints here, to the rest by attach_*.c. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include <bpf/bpf.h>

#include "base/invariant.h"
#include "base/vec.h"
#include "confine/privilege.h"
#include "load/functions.h"
#include "load/internal.h"
#include "probe/attach.h"
#include "probe/provider_env.h"

/* ---- attaching ---- */

int load_hook_add_user(struct load *l, int link, int event, pid_t pid, uint32_t places)
{
	const struct load_hook hook = {
		.link = link, .event = event, .pid = pid, .prog = l->attaching, .places = places};
	int err = heapvec_push(&l->hooks, hook);

	if (err && link >= 0)
		close(link);
	if (err && event >= 0)
		close(event);
	return err;
}

int load_hook_add(struct load *l, int link, int event)
{
	return load_hook_add_user(l, link, event, 0, 0);
}

static int attach_tracepoint(struct load *l, int prog)
{
	int link = bpf_raw_tracepoint_open(NULL, prog);

	return link < 0 ? link : load_hook_add(l, link, -1);
}

/* The same raw tracepoint program at several of them: BPF_RAW_TRACEPOINT_OPEN (bpf(2)). */
static int attach_raw(struct load *l, int prog, const struct load_prog *p)
{
	for (uint32_t i = 0; i < p->nsites; i++) {
		struct {
			uint64_t name;
			uint32_t prog_fd, pad;
			uint64_t cookie; /* since Linux 6.10 */
		} attr = {(uintptr_t)p->sites[i].hook, (uint32_t)prog, 0, p->sites[i].cookie};
		/* older kernels refuse what they do not know unless it is left out */
		size_t size = p->nsites > 1 ? sizeof(attr) : offsetof(typeof(attr), cookie);
		long link = syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attr, size);
		int err = link < 0 ? -errno : load_hook_add(l, (int)link, -1);

		if (load_is_refusal(err)) {
			load_skip(l, (uint32_t)(p - l->image.progs), p->sites[i].cookie, err);
			err = 0;
		}
		if (!err)
			err = load_progressed(l, 1);
		if (err)
			return err;
	}
	return 0;
}

/* A trace event: its program runs wherever it happens, though perf knows it by one CPU. */
static int attach_record(struct load *l, int prog, const struct attach_plan *plan)
{
	const struct kernel_event event = {.group = plan->module, .name = plan->hook};
	int number = l->opts.features ? load_event_number(l->opts.features, &event) : -ENOENT;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = (uint64_t)number,
		.sample_period = 1,
		.wakeup_events = 1,
	};
	long fd;
	int err;

	if (number < 0)
		return number;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = load_hook_add(l, -1, (int)fd);
	if (!err &&
		(ioctl((int)fd, PERF_EVENT_IOC_SET_BPF, prog) ||
			ioctl((int)fd, PERF_EVENT_IOC_ENABLE, 0)))
		err = -errno;
	return err;
}

/* ---- what the kernel refuses ---- */

bool load_is_refusal(int err)
{
	switch (err) {
	case 0:
	case -EINTR:
	case -ENOMEM:
	case -EPERM:
	case -EACCES:
	case -EMFILE:
	case -ENFILE:
	case -E2BIG: /* more places than a link may have */
	case -EPIPE: /* the deputy has ended */
	case -ESRCH: /* the process */
		return false;
	default:
		return true;
	}
}

void load_skip(struct load *l, uint32_t prog, uint64_t cookie, int err)
{
	if (!l->skipped.n++) {
		l->skipped.prog = prog;
		/* those of gates are about no probe */
		l->skipped.cookie = l->image.progs[prog].plan.by_function ? 0 : cookie;
	}
	l->slots[prog].refused++;
	l->slots[prog].refusal = err;
}

bool load_is_refused(const struct load *l, uint32_t prog)
{
	return l->slots[prog].refused && !load_is_attached(l, prog);
}

int load_fail_refused(struct load *l, uint32_t prog)
{
	const struct load_prog *p = &l->image.progs[prog];
	int err = l->slots[prog].refusal;

	if (attach_is_user(p->plan.kind))
		return load_fail(l, -EINVAL, "cannot attach '%s': the kernel lets %s be probed",
			p->label,
			p->nsites == 1 ? "this instruction not" : "none of these instructions");
	if (p->plan.kind == ATTACH_KPROBES || p->plan.kind == ATTACH_KRETPROBES)
		return load_fail(l, -EINVAL, "cannot attach '%s': the kernel lets %s be traced",
			p->label, p->nsites == 1 ? "this function not" : "none of these functions");
	return load_fail(l, err, "cannot attach '%s': %s", p->label, strerror(-err));
}

static int attach_failed(struct load *l, const struct load_prog *p, int err)
{
	if (err == -EINTR)
		return load_fail(l, err, "interrupted before all probes were enabled");
	if (l->error[0])
		return err;
	if (err == -ENODEV && l->opts.cpu != UINT32_MAX)
		return load_fail(
			l, err, "cannot attach '%s': CPU %u is not online", p->label, l->opts.cpu);
	if (err == -EACCES && attach_is_event(p->plan.kind) && privilege_event_level() > 2)
		return load_fail(l, err,
			"cannot attach '%s': Permission denied (kernel.perf_event_paranoid is %d: it takes %s or a level of 2)",
			p->label, privilege_event_level(), privilege_caps(PRIVILEGE_EVENTS));
	return load_fail(l, err, "cannot attach '%s': %s", p->label, strerror(-err));
}

int load_progressed(struct load *l, uint32_t n)
{
	l->attached += n;
	return l->opts.progress && l->opts.progress(l->opts.progress_arg, l->attached, l->nsites)
		? -EINTR
		: 0;
}

static uint32_t count_places(const struct load_prog *p)
{
	switch (p->plan.kind) {
	case ATTACH_RAW_TP:
	case ATTACH_KPROBES:
	case ATTACH_KRETPROBES:
	case ATTACH_UPROBES:
	case ATTACH_URETPROBES:
		return p->nsites;
	default:
		return 1;
	}
}

/* Option cpu is about all events: nothing else is left to attach to. */
static bool is_about_cpu(const struct load *l, int err)
{
	return err == -ENODEV && l->opts.cpu != UINT32_MAX;
}

static int attach(struct load *l, int prog, const struct load_prog *p)
{
	uint32_t number = (uint32_t)(p - l->image.progs);
	int err;

	l->attaching = prog;
	/* gates count theirs */
	l->slots[number].places = p->plan.by_function ? 0 : count_places(p);
	switch (p->plan.kind) {
	case ATTACH_TP_BTF:
	case ATTACH_FENTRY:
	case ATTACH_FEXIT:
		err = attach_tracepoint(l, prog);
		break;
	case ATTACH_EVENT_RECORD:
		err = attach_record(l, prog, &p->plan);
		break;
	case ATTACH_RAW_TP:
		return attach_raw(l, prog, p);
	case ATTACH_KPROBES:
	case ATTACH_KRETPROBES:
		return load_attach_kprobes(l, prog, p);
	case ATTACH_UPROBES:
	case ATTACH_URETPROBES:
		return p->plan.by_function ? load_attach_functions(l, prog, p, p->sites, p->nsites)
					   : load_attach_uprobes(l, prog, p, p->sites, p->nsites);
	case ATTACH_NETFILTER:
		err = load_attach_netfilter(l, prog, &p->plan);
		break;
	case ATTACH_CPU_CLOCK:
	case ATTACH_EVENT:
		err = load_attach_cpus(l, prog, &p->plan);
		break;
	default:
		return 0;
	}
	if (load_is_refusal(err) && !is_about_cpu(l, err)) {
		load_detach_program(l, prog); /* on other CPUs */
		load_skip(l, number, 0, err);
		err = 0;
	}
	return err ? err : load_progressed(l, 1);
}

static bool is_attachable(const struct load_prog *p)
{
	enum attach_kind kind = p->plan.kind;

	return !p->piece && kind != ATTACH_BEGIN && kind != ATTACH_END && kind != ATTACH_ERROR;
}

bool load_is_attached(const struct load *l, uint32_t prog)
{
	const struct load_prog *p = &l->image.progs[prog];

	return is_attachable(p) ? l->slots[prog].places > l->slots[prog].refused : !p->piece;
}

uint32_t load_count_places(const struct load_image *img)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < img->nprogs; i++)
		if (is_attachable(&img->progs[i]))
			n += count_places(&img->progs[i]);
	return n;
}

bool load_may_attach(const struct load *l, uint64_t n)
{
	return !l->opts.places.by || l->places + n <= l->opts.places.most;
}

int load_plan_places(struct load *l, const struct load *had)
{
	uint64_t n = load_count_places(&l->image);

	if (!load_may_attach(had ? had : l, n))
		return load_fail(l, -E2BIG,
			"the program attaches to %llu places, and %s allows %llu",
			(unsigned long long)(n + (had ? had->places : 0)), l->opts.places.by,
			(unsigned long long)l->opts.places.most);
	l->places = n;
	return 0;
}

/* Attaches the programs whose places are returns of functions, or the others. */
static int attach_progs(struct load *l, bool leaves)
{
	for (uint32_t i = 0; i < l->image.nprogs; i++) {
		const struct load_prog *p = &l->image.progs[i];
		int fd = l->slots[i].prog ? bpf_program__fd(l->slots[i].prog) : -1;
		int err = is_attachable(p) && p->plan.leaves == leaves ? attach(l, fd, p) : 0;

		if (err) {
			load_detach(l);
			return attach_failed(l, p, err);
		}
	}
	return 0;
}

int load_attach(struct load *l)
{
	int err;

	l->attached = 0;
	load_watch_nets(l);
	l->nsites = load_count_places(&l->image);
	/*
	 * A function of one instruction begins and returns at one place.  The kernel runs the
	 * program that was attached last first, and that is to be the entry's.
	 */
	err = attach_progs(l, true);
	if (!err)
		err = attach_progs(l, false);
	if (err)
		return err;
	load_follow(l);
	l->nets_begun = true;
	return 0;
}

void load_detach_program(struct load *l, int prog)
{
	uint32_t n = 0;

	vec_for (h, &l->hooks) {
		if (h->prog != prog) {
			l->hooks.data[n++] = *h;
			continue;
		}
		INVARIANT(l->places >= h->places);
		l->places -= h->places;
		if (h->event >= 0)
			load_close_clock(l, h->event, false);
		if (h->link >= 0)
			close(h->link);
		if (h->event >= 0)
			close(h->event);
	}
	l->hooks.len = n;
	load_forget_cpus(l, prog);
}

void load_detach(struct load *l)
{
	load_close_clocks(l);
	load_cost_stop(l);
	while (l->hooks.len) {
		struct load_hook *h = &l->hooks.data[--l->hooks.len];

		if (h->link >= 0)
			close(h->link);
		if (h->event >= 0)
			close(h->event);
	}
	heapvec_free(&l->hooks);
	load_close_shared(l);
	heapvec_free(&l->cpu_events);
	load_leave_nets(l);
}
