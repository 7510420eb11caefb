// SPDX-License-Identifier: Apache-2.0
/* Follows the executable mappings and network namespaces of processes through perf events. */
#include "sym/mapwatch.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/heapvec.h"
#include "base/vec.h"

#define MOST_BYTES  (16u << 20) /* of all CPUs' rings */
#define RING_BYTES  (256u << 10)
#define WAKES_BYTES (1u << 20) /* of who must not miss any, though it may be busy attaching */
#define LEAST_BYTES (16u << 10)
#define MAX_RECORD  (4096 + 256) /* with a path */

struct event_ring {
	int fd;
	uint64_t lost; /* as the kernel has told so far */
	struct perf_event_mmap_page *head;
	const char *data;
};

/* An event in the queue; its path follows. */
struct queued {
	uint64_t time;
	uint64_t order; /* among those of one CPU */
	struct mapwatch_event e;
	char path[];
};

struct mapwatch {
	struct event_ring *rings;
	int nrings;
	int epoll;   /* -1: nobody waits */
	bool nets;   /* about network namespaces alone */
	size_t size; /* of a ring's data */
	HEAPVEC(struct queued *) queue;
	struct queued *told; /* that the caller was told last; NULL: none was */
	uint64_t count;
	bool tells_lost; /* reading an event tells how many of its records did not fit */
	uint64_t lost;	 /* since the last time */
};

#define TELL_LOST (1u << 4) /* PERF_FORMAT_LOST, since Linux 6.0 */

static int open_event(int cpu, const struct mapwatch *w)
{
	bool wakes = w->epoll >= 0;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.read_format = w->tells_lost ? TELL_LOST : 0,
		.mmap = !w->nets,
		.mmap2 = !w->nets,
		.comm = !w->nets,
		.comm_exec = !w->nets,
		.task = !w->nets,
		.namespaces = w->nets,
		/* which alone the kernel does not count as of the side band: a rare one with it */
		.bpf_event = w->nets,
		.exclude_kernel = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = wakes ? 1 : RING_BYTES,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool open_ring(struct mapwatch *w, int cpu)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct event_ring *r = &w->rings[w->nrings];
	char *p;

	struct epoll_event ev = {.events = EPOLLIN};

	r->fd = open_event(cpu, w);
	if (r->fd < 0 && errno == EINVAL && w->tells_lost && !w->nrings) {
		w->tells_lost = false;
		r->fd = open_event(cpu, w);
	}
	if (r->fd < 0)
		return false;
	p = mmap(NULL, page + w->size, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
	if (p == MAP_FAILED) {
		close(r->fd);
		return false;
	}
	r->head = (struct perf_event_mmap_page *)p;
	r->data = p + page;
	w->nrings++;
	if (w->epoll >= 0)
		epoll_ctl(w->epoll, EPOLL_CTL_ADD, r->fd, &ev);
	return true;
}

static struct mapwatch *watch_new(bool wakes, bool nets)
{
	struct mapwatch *w = calloc(1, sizeof(*w));
	int ncpus = (int)sysconf(_SC_NPROCESSORS_CONF);

	if (!w || ncpus <= 0) {
		free(w);
		return NULL;
	}
	w->tells_lost = true;
	w->nets = nets;
	w->epoll = wakes ? epoll_create1(EPOLL_CLOEXEC) : -1;
	w->rings = calloc((size_t)ncpus, sizeof(*w->rings));
	for (w->size = wakes ? WAKES_BYTES : RING_BYTES;
		w->size > LEAST_BYTES && w->size * ncpus > MOST_BYTES;)
		w->size /= 2;
	for (int i = 0; w->rings && i < ncpus; i++)
		open_ring(w, i); /* not every one need be there */
	if (w->nrings && wakes == (w->epoll >= 0))
		return w;
	mapwatch_free(w);
	return NULL;
}

struct mapwatch *mapwatch_new(bool wakes)
{
	return watch_new(wakes, false);
}

struct mapwatch *mapwatch_new_nets(void)
{
	return watch_new(true, true);
}

void mapwatch_free(struct mapwatch *w)
{
	if (!w)
		return;
	for (int i = 0; i < w->nrings; i++) {
		munmap(w->rings[i].head, (size_t)sysconf(_SC_PAGESIZE) + w->size);
		close(w->rings[i].fd);
	}
	if (w->epoll >= 0)
		close(w->epoll);
	vec_for (q, &w->queue)
		free(*q);
	heapvec_free(&w->queue);
	free(w->told);
	free(w->rings);
	free(w);
}

int mapwatch_fd(const struct mapwatch *w)
{
	return w->epoll;
}

/* ---- records ---- */

static void enqueue(
	struct mapwatch *w, uint64_t time, const struct mapwatch_event *e, const char *path)
{
	size_t len = strlen(path) + 1;
	struct queued *new = malloc(sizeof(*new) + len);

	if (!new || heapvec_push(&w->queue, new)) {
		free(new);
		w->lost++;
		return;
	}
	new->time = time;
	new->order = w->count++;
	new->e = *e;
	new->e.time = time;
	memcpy(new->path, path, len);
	new->e.map.path = new->path;
}

/* The layouts of perf_event_open(2), "MMAP layout", each with the time at the end. */
struct mmap2_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint32_t major, minor;
	uint64_t ino, generation;
	uint32_t prot, flags;
	char path[];
};

struct task_record {
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

struct comm_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	char comm[];
};

struct lost_record {
	struct perf_event_header header;
	uint64_t id, lost;
};

struct namespaces_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t n;
	struct perf_ns_link_info info[]; /* by NET_NS_INDEX and the like */
};

static void take_namespaces(struct mapwatch *w, uint64_t time, const struct namespaces_record *r)
{
	struct mapwatch_event e = {.kind = MAPWATCH_NET, .pid = (pid_t)r->pid};

	if (r->n <= NET_NS_INDEX ||
		r->header.size < sizeof(*r) + (NET_NS_INDEX + 1) * sizeof(r->info[0]))
		return;
	e.net = r->info[NET_NS_INDEX].ino;
	enqueue(w, time, &e, "");
}

static void take_mmap(struct mapwatch *w, uint64_t time, const struct mmap2_record *r)
{
	struct mapwatch_event e = {
		.kind = MAPWATCH_MAP,
		.pid = (pid_t)r->pid,
		.generation = r->generation,
		.map =
			{
				.start = r->addr,
				.end = r->addr + r->len,
				.off = r->pgoff,
				.dev = (uint64_t)r->major << 32 | r->minor,
				.ino = r->ino,
				.prot = (int)r->prot,
			},
	};

	/* "//anon" is what maps has no name for */
	enqueue(w, time, &e, r->path[0] == '/' && r->path[1] == '/' ? "" : r->path);
}

static void take_record(struct mapwatch *w, const struct perf_event_header *h)
{
	struct mapwatch_event e = {.kind = MAPWATCH_FORK};
	uint64_t time;

	if (h->size < sizeof(*h) + sizeof(time))
		return;
	memcpy(&time, (const char *)h + h->size - sizeof(time), sizeof(time));
	if (h->type == PERF_RECORD_MMAP2 && h->size > sizeof(struct mmap2_record)) {
		take_mmap(w, time, (const void *)h);
	} else if (h->type == PERF_RECORD_FORK && h->size >= sizeof(struct task_record)) {
		const struct task_record *r = (const void *)h;

		e.pid = (pid_t)r->pid;
		e.parent = (pid_t)r->ppid;
		if (r->pid == r->tid && r->pid != r->ppid)
			enqueue(w, time, &e, "");
	} else if (h->type == PERF_RECORD_COMM && h->misc & PERF_RECORD_MISC_COMM_EXEC) {
		e.kind = MAPWATCH_EXEC;
		e.pid = (pid_t)((const struct comm_record *)h)->pid;
		enqueue(w, time, &e, "");
	} else if (h->type == PERF_RECORD_EXIT && h->size >= sizeof(struct task_record)) {
		const struct task_record *r = (const void *)h;

		e.kind = MAPWATCH_EXIT;
		e.pid = (pid_t)r->pid;
		e.first = r->pid == r->tid;
		enqueue(w, time, &e, "");
	} else if (h->type == PERF_RECORD_NAMESPACES) {
		take_namespaces(w, time, (const void *)h);
	} else if (h->type == PERF_RECORD_LOST && !w->tells_lost) {
		w->lost += ((const struct lost_record *)h)->lost;
	}
}

/* Count the records of R that did not fit; USED bytes of it were in use. */
static void count_lost(struct mapwatch *w, struct event_ring *r, uint64_t used)
{
	struct {
		uint64_t value, lost;
	} told;

	/* reading interrupts the CPU, so it is done only if the next record might not have fit */
	if (!w->tells_lost || used + MAX_RECORD <= w->size ||
		read(r->fd, &told, sizeof(told)) != sizeof(told))
		return;
	w->lost += told.lost - r->lost;
	r->lost = told.lost;
}

static void read_ring(struct mapwatch *w, struct event_ring *r)
{
	uint64_t head = __atomic_load_n(&r->head->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = r->head->data_tail, before = tail;
	union {
		struct perf_event_header header;
		char bytes[MAX_RECORD];
	} copy;

	while (tail != head) {
		size_t at = tail & (w->size - 1), to_end = w->size - at, size;

		/* records are multiples of 8 bytes: a header never wraps */
		size = ((const struct perf_event_header *)(r->data + at))->size;
		if (!size || size > head - tail)
			break;
		if (size <= sizeof(copy)) {
			size_t first = size < to_end ? size : to_end;

			memcpy(copy.bytes, r->data + at, first);
			memcpy(copy.bytes + first, r->data, size - first);
			take_record(w, &copy.header);
		} else {
			w->lost++;
		}
		tail += size;
	}
	__atomic_store_n(&r->head->data_tail, head, __ATOMIC_RELEASE);
	/* what came while it was read had no more room than before */
	count_lost(w, r, __atomic_load_n(&r->head->data_head, __ATOMIC_ACQUIRE) - before);
}

static int by_time(const void *a, const void *b)
{
	const struct queued *x = *(struct queued *const *)a, *y = *(struct queued *const *)b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void tell_lost(
	struct mapwatch *w, void (*fn)(void *arg, const struct mapwatch_event *e), void *arg)
{
	const struct mapwatch_event e = {.kind = MAPWATCH_LOST, .count = w->lost};

	w->lost = 0;
	if (e.count)
		fn(arg, &e);
}

void mapwatch_drain(
	struct mapwatch *w, void (*fn)(void *arg, const struct mapwatch_event *e), void *arg)
{
	uint64_t until = now();
	uint32_t done = 0;

	for (int i = 0; i < w->nrings; i++)
		read_ring(w, &w->rings[i]);
	if (w->queue.len)
		qsort(w->queue.data, w->queue.len, sizeof(struct queued *), by_time);
	/* of what came while the rings were read, one may lack what another has */
	for (; done < w->queue.len && w->queue.data[done]->time <= until; done++) {
		free(w->told);
		w->told = w->queue.data[done];
		w->queue.data[done] = NULL; /* FN may not return, without memory */
		fn(arg, &w->told->e);
	}
	w->queue.len -= done;
	if (done)
		memmove(w->queue.data, w->queue.data + done,
			w->queue.len * sizeof(struct queued *));
	tell_lost(w, fn, arg);
}

int mapwatch_open(const struct looker *by, const struct mapwatch_event *e)
{
	return *e->map.path == '/' ? maps_open_by(by, e->pid, &e->map) : -1;
}
