// SPDX-License-Identifier: Apache-2.0
/* Makes the links of programs to places in user code. */
#define _GNU_SOURCE /* syscall() */
#include "load/uprobe.h"

#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include <bpf/bpf.h>

#include "load/internal.h"

#define FILE_PATH 32 /* "/proc/self/fd/N" */

/* The very file, whatever is found by its name meanwhile or in another mount namespace. */
static void name_file(char *path, int file)
{
	snprintf(path, FILE_PATH, "/proc/self/fd/%d", file);
}

/* union bpf_attr's link_create with its uprobe_multi (linux/bpf.h since 6.6) */
struct link_attr {
	uint32_t prog_fd, target_fd, attach_type, flags;
	uint64_t path, offsets, ref_ctr_offsets, cookies;
	uint32_t cnt, multi_flags, pid, pad;
};

#define MULTI_RETURN 1 /* BPF_F_UPROBE_MULTI_RETURN */

int uprobe_link(int prog, const struct uprobe_places *p)
{
	char path[FILE_PATH];
	struct link_attr attr = {
		.prog_fd = (uint32_t)prog,
		.attach_type = UPROBE_MULTI,
		.path = (uintptr_t)path,
		.offsets = (uintptr_t)p->offsets,
		.ref_ctr_offsets = (uintptr_t)p->semaphores,
		.cookies = (uintptr_t)p->cookies,
		.cnt = p->n,
		.multi_flags = p->ret ? MULTI_RETURN : 0,
		.pid = (uint32_t)p->pid,
	};
	long link;

	name_file(path, p->file);
	link = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
	return link < 0 ? -errno : (int)link;
}

#define PMU "/sys/bus/event_source/devices/uprobe/"

/* The position of the semaphore's offset in perf_event_attr.config (kernel/events/core.c) */
#define SEMAPHORE_SHIFT 32

int uprobe_pmu(struct uprobe_pmu *pmu)
{
	int err = load_pmu_number(PMU "type", "%u", &pmu->type);

	return err ? err : load_pmu_number(PMU "format/retprobe", "config:%u", &pmu->return_bit);
}

int uprobe_event(int prog, const struct uprobe_pmu *pmu, const struct uprobe_places *p, int *event)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .perf_event.bpf_cookie = p->cookies[0]);
	char path[FILE_PATH];
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = pmu->type,
		.config = p->ret ? 1ULL << pmu->return_bit : 0,
		.sample_period = 1,
		.wakeup_events = 1,
		.uprobe_path = (uintptr_t)path,
		.probe_offset = p->offsets[0],
	};
	pid_t pid = p->pid ? p->pid : -1;
	int link, err;

	name_file(path, p->file);
	if (p->semaphores)
		attr.config |= p->semaphores[0] << SEMAPHORE_SHIFT;
	/* the program runs in all threads of the process, though the event belongs to one */
	*event = (int)syscall(
		SYS_perf_event_open, &attr, pid, pid < 0 ? 0 : -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (*event < 0)
		return -errno;
	link = bpf_link_create(prog, *event, BPF_PERF_EVENT, &opts);
	if (link == -EINVAL && !ioctl(*event, PERF_EVENT_IOC_SET_BPF, prog)) {
		/* before Linux 5.15 the event itself keeps the program, and there is no cookie */
		link = *event;
		*event = -1;
	}
	err = link < 0 ? link
		: ioctl(*event < 0 ? link : *event, PERF_EVENT_IOC_ENABLE, 0) ? -errno
									      : 0;
	if (!err)
		return link;
	if (link >= 0)
		close(link);
	if (*event >= 0)
		close(*event);
	return err;
}
