// SPDX-License-Identifier: Apache-2.0
/*
 * Attaches programs to perf events that interrupt a CPU, and counts the firings of clocks that the
 * kernel has stopped.
 *
 * The kernel lets an event interrupt a CPU kernel.perf_event_max_sample_rate / HZ times from one
 * timer tick to the next.  An idle CPU has no tick, so a clock reaches this limit there at any
 * rate; the kernel stops it until the next tick, be that seconds later (kernel/events/core.c,
 * __perf_event_account_interrupt()).  It writes a record to the event's buffer when it stops and
 * starts a clock.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include <bpf/bpf.h>

#include "base/vec.h"
#include "load/internal.h"
#include "probe/attach.h"

/* ---- stopped clocks ---- */

#define PAGE 4096

static bool is_clock(const struct attach_plan *plan)
{
	return plan->kind == ATTACH_CPU_CLOCK ||
		(plan->event_type == PERF_TYPE_SOFTWARE &&
			plan->event_config == PERF_COUNT_SW_CPU_CLOCK);
}

/* Adds EVENT to the clocks that are watched; without memory for its records it is not. */
static void watch_clock(struct load *l, int event, uint64_t period)
{
	void *page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);

	if (page != MAP_FAILED &&
		heapvec_push(&l->clocks,
			(struct load_clock){.event = event, .page = page, .period = period}))
		munmap(page, 2 * PAGE);
}

struct stop_record {
	struct perf_event_header header;
	uint64_t time, id, stream;
};

static uint64_t missed_until(const struct load_clock *c, uint64_t now)
{
	return c->stopped && now > c->stopped ? (now - c->stopped) / c->period : 0;
}

/* Copies LEN bytes of the records at position AT. */
static void copy_out(const char *data, uint64_t at, void *to, size_t len)
{
	size_t first = PAGE - at % PAGE;

	if (first > len)
		first = len;
	memcpy(to, data + at % PAGE, first);
	memcpy((char *)to + first, data, len - first);
}

static void use_record(struct load_clock *c, const struct stop_record *r)
{
	switch (r->header.type) {
	case PERF_RECORD_THROTTLE:
		c->stopped = r->time;
		break;
	case PERF_RECORD_UNTHROTTLE:
		c->missed += missed_until(c, r->time);
		c->stopped = 0;
		break;
	case PERF_RECORD_LOST: /* there was no room: count less rather than too much */
		c->stopped = 0;
		break;
	}
}

/* Read the records that came since the last time. */
static void read_clock(struct load_clock *c)
{
	struct perf_event_mmap_page *page = c->page;
	const char *data = (const char *)c->page + PAGE;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), at = page->data_tail;

	while (at < head) {
		struct stop_record r = {0};

		copy_out(data, at, &r.header, sizeof(r.header));
		if (!r.header.size)
			break;
		copy_out(data, at, &r, r.header.size < sizeof(r) ? r.header.size : sizeof(r));
		use_record(c, &r);
		at += r.header.size;
	}
	__atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
}

static uint64_t monotonic(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

void load_start_clocks(struct load *l)
{
	vec_for (c, &l->clocks) {
		read_clock(c);
		/* a new period starts it again, even the same one */
		if (c->stopped)
			ioctl(c->event, PERF_EVENT_IOC_PERIOD, &c->period);
		read_clock(c);
	}
}

uint64_t load_clocks_missed(struct load *l)
{
	uint64_t sum = l->clocks_missed;

	vec_for (c, &l->clocks) {
		read_clock(c);
		sum += c->missed;
	}
	return sum;
}

void load_close_clocks(struct load *l)
{
	uint64_t now = monotonic();

	vec_for (c, &l->clocks) {
		read_clock(c);
		l->clocks_missed += c->missed + missed_until(c, now);
		munmap(c->page, 2 * PAGE); /* which holds the event, too */
	}
	heapvec_free(&l->clocks);
}

/* ---- attaching ---- */

static int event_open(const struct attach_plan *plan, uint32_t cpu)
{
	bool clock = plan->kind == ATTACH_CPU_CLOCK;
	struct perf_event_attr attr = {
		.type = clock ? PERF_TYPE_SOFTWARE : plan->event_type,
		.size = sizeof(attr),
		.config = clock ? PERF_COUNT_SW_CPU_CLOCK : plan->event_config,
		.sample_period = plan->period,
		.exclude_user = plan->only_kernel,
		.exclude_kernel = plan->only_user,
		.disabled = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	long fd = syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int load_attach_event(struct load *l, int prog, uint32_t cpu, const struct attach_plan *plan)
{
	int event = event_open(plan, cpu);
	int link, err;

	if (event < 0)
		return event;
	/* links for perf events are there from 5.15 on */
	link = bpf_link_create(prog, event, BPF_PERF_EVENT, NULL);
	if (link < 0 && ioctl(event, PERF_EVENT_IOC_SET_BPF, prog)) {
		err = -errno;
		close(event);
		return err;
	}
	err = load_hook_add(l, link < 0 ? -1 : link, event);
	if (!err && is_clock(plan))
		watch_clock(l, event, plan->period);
	if (!err && ioctl(event, PERF_EVENT_IOC_ENABLE, 0))
		err = -errno;
	return err;
}
