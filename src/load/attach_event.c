// SPDX-License-Identifier: Apache-2.0
/*
 * Attaches programs to perf events that interrupt a CPU, and counts the firings of clocks that the
 * kernel has stopped, and the time in which hardware events were not counted.
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

/* ---- stopped clocks and counters ---- */

#define RECORD_PAGES 4 /* at least: two a tick, 250 ticks a second, until statusrate */

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t record_bytes(void)
{
	return RECORD_PAGES * page_size();
}

/* Bytes of an event's mapping: a page that describes it, and the records (perf_event_open(2)). */
static size_t event_bytes(void)
{
	return page_size() + record_bytes();
}

/* On a CPU the clock of its tasks runs always, too. */
static bool is_clock(const struct attach_plan *plan)
{
	return plan->kind == ATTACH_CPU_CLOCK ||
		(plan->event_type == PERF_TYPE_SOFTWARE &&
			(plan->event_config == PERF_COUNT_SW_CPU_CLOCK ||
				plan->event_config == PERF_COUNT_SW_TASK_CLOCK));
}

/*
 * Other software events come one at a time, and the kernel does not stop these
 * (perf_swevent_overflow(), kernel/events/core.c).
 */
static bool is_hardware(const struct attach_plan *plan)
{
	return plan->kind != ATTACH_CPU_CLOCK && plan->event_type != PERF_TYPE_SOFTWARE;
}

/*
 * Adds EVENT of CPU, for PLAN, to the clocks and counters that are watched; without memory for its
 * records it is not.
 */
static void watch_event(struct load *l, int event, uint32_t cpu, const struct attach_plan *plan)
{
	void *page = mmap(NULL, event_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);

	if (page != MAP_FAILED &&
		heapvec_push(&l->clocks,
			(struct load_clock){.event = event,
				.page = page,
				.cpu = cpu,
				.counted = plan->counted,
				.period = is_clock(plan) ? plan->period : 0}))
		munmap(page, event_bytes());
}

struct stop_record {
	struct perf_event_header header;
	uint64_t time, id, stream;
};

static uint64_t stopped_for(const struct load_clock *c, uint64_t now)
{
	return c->stopped && now > c->stopped ? now - c->stopped : 0;
}

/* Copies LEN bytes of the records at position AT. */
static void copy_out(const char *data, uint64_t at, void *to, size_t len)
{
	size_t size = record_bytes(), first = size - at % size;

	if (first > len)
		first = len;
	memcpy(to, data + at % size, first);
	memcpy((char *)to + first, data, len - first);
}

static void use_record(struct load_clock *c, const struct stop_record *r)
{
	switch (r->header.type) {
	case PERF_RECORD_THROTTLE:
		c->stopped = r->time;
		break;
	case PERF_RECORD_UNTHROTTLE:
		c->standstill += stopped_for(c, r->time);
		c->stopped = 0;
		break;
	case PERF_RECORD_LOST: /* there was no room for what comes before the next record */
		c->stopped = 0;
		break;
	}
}

/* Read the records that came since the last time. */
static void read_clock(struct load_clock *c)
{
	struct perf_event_mmap_page *page = c->page;
	const char *data = (const char *)c->page + page_size();
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), at = page->data_tail;
	bool full = head - at > record_bytes() - 2 * sizeof(struct stop_record);

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
	/* it may have been started since: count less rather than too much */
	if (full)
		c->stopped = 0;
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
		/* a new period starts it again, even the same one; counters start with the tick */
		if (c->stopped && c->period)
			ioctl(c->event, PERF_EVENT_IOC_PERIOD, &c->period);
		read_clock(c);
	}
}

uint64_t load_clocks_missed(struct load *l)
{
	uint64_t sum = l->clocks_missed;

	vec_for (c, &l->clocks) {
		read_clock(c);
		if (c->period)
			sum += c->standstill / c->period;
	}
	return sum;
}

/* As attr.read_format says. */
struct event_count {
	uint64_t value, enabled, running;
};

/* Returns for how many ns the event of C had no counter, or one that the kernel had stopped. */
static uint64_t uncounted(const struct load_clock *c, uint64_t now)
{
	struct event_count told;
	uint64_t ns = c->standstill + stopped_for(c, now);

	if (read(c->event, &told, sizeof(told)) == sizeof(told) && told.enabled > told.running)
		ns += told.enabled - told.running;
	return ns;
}

uint64_t load_uncounted(struct load *l)
{
	uint64_t sum = l->uncounted, now = monotonic();

	vec_for (c, &l->clocks) {
		if (c->period)
			continue;
		read_clock(c);
		sum += uncounted(c, now);
	}
	return sum / 1000000;
}

/* Returns how often counted clock C was to fire so far; when it was stopped it was not. */
static uint64_t firings_due(const struct load_clock *c, uint64_t now)
{
	uint64_t enabled = load_event_enabled(c->event), off = c->standstill + stopped_for(c, now);

	return enabled > off ? (enabled - off) / c->period : 0;
}

uint64_t load_firings_due(struct load *l, uint32_t cpu)
{
	uint64_t sum = cpu < l->due.len ? l->due.data[cpu] : 0, now = monotonic();

	vec_for (c, &l->clocks) {
		if (!c->counted || c->cpu != cpu)
			continue;
		read_clock(c);
		sum += firings_due(c, now);
	}
	return sum;
}

/* Remembers the firings of C, which is closed; without memory, there were none. */
static void keep_due(struct load *l, const struct load_clock *c, uint64_t now)
{
	while (c->counted && l->due.len <= c->cpu)
		if (heapvec_push(&l->due, 0))
			return;
	if (c->counted)
		l->due.data[c->cpu] += firings_due(c, now);
}

static void close_clock(struct load *l, struct load_clock *c)
{
	uint64_t now = monotonic();

	keep_due(l, c, now);

	if (c->period)
		l->clocks_missed += (c->standstill + stopped_for(c, now)) / c->period;
	else
		l->uncounted += uncounted(c, now);
	munmap(c->page, event_bytes()); /* which holds the event, too */
}

void load_close_clocks(struct load *l)
{
	vec_for (c, &l->clocks) {
		read_clock(c);
		close_clock(l, c);
	}
	heapvec_free(&l->clocks);
}

uint64_t load_event_enabled(int event)
{
	struct event_count told;

	return read(event, &told, sizeof(told)) == sizeof(told) ? told.enabled : 0;
}

void load_close_clock(struct load *l, int event, bool gone)
{
	for (uint32_t i = l->clocks.len; i-- > 0;) {
		struct load_clock *c = &l->clocks.data[i];

		if (c->event != event)
			continue;
		read_clock(c);
		if (gone) /* nobody knows when */
			c->stopped = 0;
		close_clock(l, c);
		*c = l->clocks.data[--l->clocks.len];
	}
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
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
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
	if (!err && (is_clock(plan) || is_hardware(plan)))
		watch_event(l, event, cpu, plan);
	if (!err && ioctl(event, PERF_EVENT_IOC_ENABLE, 0))
		err = -errno;
	return err;
}
