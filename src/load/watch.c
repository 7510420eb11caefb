// SPDX-License-Identifier: Apache-2.0
#include "load/watch.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/perf_event.h>

#define DATA_SIZE (256 * 1024) /* a power of two: of one CPU's buffer, bytes */

struct cpu_buffer {
	int fd;
	struct perf_event_mmap_page *page; /* the data follow it */
};

struct watch {
	struct cpu_buffer *cpus;
	int n, epoll;
	size_t page_size;
};

static int open_event(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.watermark = 1,
		.wakeup_watermark = 1, /* byte: wake for each record */
	};
	long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

static int add_cpu(struct watch *w, int cpu)
{
	struct cpu_buffer *b = &w->cpus[w->n];
	struct epoll_event ev = {.events = EPOLLIN};
	int fd = open_event(cpu);

	if (fd == -ENODEV) /* offline */
		return 0;
	if (fd < 0)
		return fd;
	b->fd = fd;
	b->page = mmap(NULL, w->page_size + DATA_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (b->page == MAP_FAILED) {
		close(fd);
		return -errno;
	}
	w->n++;
	if (epoll_ctl(w->epoll, EPOLL_CTL_ADD, fd, &ev) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return -errno;
	return 0;
}

struct watch *watch_open(int *err)
{
	int ncpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	struct watch *w = calloc(1, sizeof(*w));

	*err = -ENOMEM;
	if (!w)
		return NULL;
	w->page_size = (size_t)sysconf(_SC_PAGESIZE);
	w->epoll = epoll_create1(EPOLL_CLOEXEC);
	w->cpus = calloc((size_t)ncpus, sizeof(*w->cpus));
	if (w->epoll >= 0 && w->cpus)
		*err = 0;
	for (int cpu = 0; !*err && cpu < ncpus; cpu++)
		*err = add_cpu(w, cpu);
	if (!*err)
		return w;
	watch_close(w);
	return NULL;
}

void watch_close(struct watch *w)
{
	if (!w)
		return;
	for (int i = 0; i < w->n; i++) {
		munmap(w->cpus[i].page, w->page_size + DATA_SIZE);
		close(w->cpus[i].fd);
	}
	if (w->epoll >= 0)
		close(w->epoll);
	free(w->cpus);
	free(w);
}

int watch_fd(const struct watch *w)
{
	return w->epoll;
}

/* What records begin with that are of use here (perf_event_open(2), "PERF_RECORD_..."). */
struct record {
	struct perf_event_header header;
	uint32_t pid, other; /* COMM and MMAP2: the thread; FORK and EXIT: the parent */
	uint32_t tid;	     /* FORK and EXIT */
};

static void tell(const struct record *r,
	void (*fn)(void *arg, enum watch_what what, pid_t pid, pid_t parent), void *arg)
{
	pid_t pid = (pid_t)r->pid;

	switch (r->header.type) {
	case PERF_RECORD_FORK:
		if (r->pid == r->tid) /* else a thread */
			fn(arg, WATCH_FORK, pid, (pid_t)r->other);
		break;
	case PERF_RECORD_COMM:
		if (r->header.misc & PERF_RECORD_MISC_COMM_EXEC)
			fn(arg, WATCH_EXEC, pid, 0);
		break;
	case PERF_RECORD_MMAP2:
		fn(arg, WATCH_MAP, pid, 0);
		break;
	case PERF_RECORD_EXIT:
		fn(arg, WATCH_EXIT, pid, 0);
		break;
	case PERF_RECORD_LOST:
		fn(arg, WATCH_LOST, 0, 0);
		break;
	default:
		break;
	}
}

static void copy_out(void *to, const char *data, uint64_t pos, size_t len)
{
	size_t at = pos & (DATA_SIZE - 1), first = DATA_SIZE - at;

	if (first > len)
		first = len;
	memcpy(to, data + at, first);
	memcpy((char *)to + first, data, len - first);
}

static void read_cpu(const struct watch *w, struct cpu_buffer *b,
	void (*fn)(void *arg, enum watch_what what, pid_t pid, pid_t parent), void *arg)
{
	const char *data = (const char *)b->page + w->page_size;
	uint64_t head = __atomic_load_n(&b->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = b->page->data_tail;

	while (tail < head) {
		struct record r = {0};
		size_t len;

		copy_out(&r.header, data, tail, sizeof(r.header));
		if (r.header.size < sizeof(r.header))
			break; /* never: what follows cannot be understood */
		len = r.header.size < sizeof(r) ? r.header.size : sizeof(r);
		copy_out(&r, data, tail, len);
		tail += r.header.size;
		tell(&r, fn, arg);
	}
	__atomic_store_n(&b->page->data_tail, head, __ATOMIC_RELEASE);
}

void watch_read(struct watch *w,
	void (*fn)(void *arg, enum watch_what what, pid_t pid, pid_t parent), void *arg)
{
	for (int i = 0; i < w->n; i++)
		read_cpu(w, &w->cpus[i], fn, arg);
}
