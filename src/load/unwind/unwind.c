// SPDX-License-Identifier: Apache-2.0
/*
 * Runs the thread that answers the walker of user stacks, and keeps the lists of processes'
 * mappings.
 *
 * A list is made complete before the walker can see it, but for the tables of files that were not
 * read yet: these come in one by one, a mapping's word at a time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "abi/managed.h"
#include "abi/unwind.h"
#include "base/intmap.h"
#include "base/invariant.h"
#include "base/living.h"
#include "base/transfer.h"
#include "base/vec.h"
#include "confine/privilege.h"
#include "load/internal.h"
#include "load/load.h"
#include "load/unwind/unwind.h"
#include "load/unwind/unwind_int.h"
#include "managed/managed.h"
#include "probe/attach.h"
#include "sym/sym_priv.h"

#define SWEEP	      5000000000ull  /* ns between looks for processes that have ended */
#define KEEP	      60000000000ull /* ns that an object is kept when no process maps it */
#define LONGEST_QUIET 1000000000ull  /* ns between answers to a process that brings nothing new */
#define MAX_MAPPINGS  (DT_LIST_ENTRIES * DT_LIST_ENTRIES)

/* One executable mapping. */
struct mapping {
	uint64_t start, end, off;
	struct unwind_object *object; /* NULL: it has no file, or it cannot be read */
	bool code;		      /* it has no file */
};

HEAPVEC_STRUCT(mappings, struct mapping);

struct proc {
	pid_t pid;
	uint64_t start_stack;
	struct mappings maps;
	struct pages pages; /* of the list */
	uint64_t quiet;	    /* ns that its next request waits */
	uint64_t read;	    /* when its mappings were read last */
	uint64_t files;	    /* in which its language was looked for (struct proc_reading) */
};

struct unwind {
	int procs_fd, stop_fd;
	int managed_fd; /* of DT_MAP_MANAGED; negative: no program calls dt_jstack() */
	struct ring_buffer *asked;
	pthread_t thread;
	bool over;	      /* the thread is to end */
	pthread_mutex_t lock; /* of everything below */
	struct pool pool;
	struct unwind_objects objects;
	struct intmap procs;			   /* struct proc by pid */
	HEAPVEC(const struct attach_file *) files; /* that have been attached to */
	uint32_t nrequests;
	uint64_t swept;
	bool has_tables; /* false: a program wants to know of languages only */
	bool common;	 /* the C library has a table */
	bool told;
	struct {
		pthread_cond_t done;
		uint64_t caps;
		bool asked;
		int err;
	} keep;	       /* unwind_keep() */
	char why[160]; /* a language of a process was refused */
	char message[160];
};

uint64_t unwind_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* ---- what the system says of a process ---- */

/* Field 28 of /proc/PID/stat (proc_pid_stat(5)); false: there is no such process, or no user stack.
 */
static bool read_start_stack(pid_t pid, uint64_t *out)
{
	char path[64], text[1024], *p;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", living_thread(pid));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = transfer_read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	p = strrchr(text, ')'); /* the name may have blanks and brackets */
	for (int field = 2; p && field < 28; field++) {
		p = strchr(p, ' ');
		p = p ? p + 1 : NULL;
	}
	*out = p ? strtoull(p, NULL, 10) : 0;
	return *out != 0;
}

struct proc_reading {
	struct unwind *u;
	pid_t pid;
	struct mappings maps;
	uint64_t files; /* of MAPS, a number that others hardly have; not 0 */
};

static struct unwind_object *object_of(struct proc_reading *r, const struct map_line *m)
{
	struct dt_unwind_file id = file_id(m);
	int fd;

	if (!strcmp(m->path, "[vdso]") && r->u->has_tables)
		return objects_vdso(&r->u->objects);
	if (!m->ino || !r->u->has_tables)
		return NULL;
	fd = maps_open(r->pid, m);
	return fd < 0 ? NULL : objects_find(&r->u->objects, fd, &id);
}

static int add_mapping(void *arg, const struct map_line *m)
{
	struct proc_reading *r = arg;
	struct mapping *last = r->maps.len ? &vec_last(&r->maps) : NULL, e;

	if (!(m->prot & PROT_EXEC) || m->start >= DT_LIST_NONE)
		return 0;
	if (m->ino)
		r->files += (m->ino ^ m->dev << 40 ^ m->start << 20) * 0x9e3779b97f4a7c15ull | 1;
	e = (struct mapping){
		.start = m->start, .end = m->end, .off = m->off, .object = object_of(r, m)};
	e.code = !e.object && !m->ino;
	if (last && last->code && e.code && last->end == e.start) {
		last->end = e.end; /* what a JIT compiler has made, piece by piece */
		return 0;
	}
	return r->maps.len == MAX_MAPPINGS ? -ENOMEM : heapvec_push(&r->maps, e);
}

/* ---- a process's list ---- */

static struct dt_mapping mapping_of(const struct mapping *e)
{
	struct dt_mapping m = {.end = e->end, .info = e->code ? DT_MAPPING_CODE : DT_MAPPING_NONE};

	uint64_t bias;

	if (e->object && unwind_bias(&e->object->table, e->start, e->off, &bias)) {
		m.bias = bias;
		m.info = object_info(e->object);
	}
	return m;
}

static void clear_list(struct dt_list *list)
{
	memset(list, 0, sizeof(*list));
	for (unsigned i = 0; i < DT_LIST_ENTRIES; i++)
		list->start[i] = DT_LIST_NONE;
}

/* Of one page, entries FROM and on; the page's number, 0: there is none left. */
static uint32_t write_page(struct unwind *u, struct proc *p, uint32_t from)
{
	uint32_t page = pool_take(&u->pool, &p->pages);
	struct dt_list *list;

	if (!page)
		return 0;
	list = pool_page(&u->pool, page);
	clear_list(list);
	for (uint32_t i = 0; i < DT_LIST_ENTRIES && from + i < p->maps.len; i++) {
		list->start[i] = p->maps.data[from + i].start;
		list->map[i] = mapping_of(&p->maps.data[from + i]);
	}
	return page;
}

/* Writes the list to new pages; returns the number of its first page. */
static uint32_t write_list(struct unwind *u, struct proc *p)
{
	struct dt_list *index;
	uint32_t top, n = p->maps.len, page;

	if (n <= DT_LIST_ENTRIES)
		return write_page(u, p, 0);
	top = pool_take(&u->pool, &p->pages);
	if (!top)
		return 0;
	index = pool_page(&u->pool, top);
	clear_list(index);
	for (uint32_t i = 0; i * DT_LIST_ENTRIES < n; i++) {
		page = write_page(u, p, i * DT_LIST_ENTRIES);
		if (!page)
			return 0;
		index->start[i] = p->maps.data[i * DT_LIST_ENTRIES].start;
		index->map[i].info = DT_MAPPING_INDEX | (uint64_t)page << 32;
	}
	return top;
}

/* Returns entry I of P's list. */
static struct dt_mapping *listed(struct unwind *u, struct proc *p, uint32_t i)
{
	uint32_t page = p->pages.data[p->maps.len <= DT_LIST_ENTRIES ? 0 : 1 + i / DT_LIST_ENTRIES];
	struct dt_list *list = pool_page(&u->pool, page);

	return &list->map[i % DT_LIST_ENTRIES];
}

/* Builds the tables of files that P maps and that were not read before. */
static void build_objects(struct unwind *u, struct proc *p)
{
	for (uint32_t i = 0; i < p->maps.len; i++) {
		struct unwind_object *o = p->maps.data[i].object;

		if (!o)
			continue;
		if (o->fd < 0) { /* it may be at another place, too */
			object_show(&u->objects, o);
			continue;
		}
		object_build(o, &u->pool);
		object_show(&u->objects, o);
		/* it may be mapped in pieces */
		for (uint32_t k = i; k < p->maps.len; k++) {
			struct dt_mapping m, *to;

			if (p->maps.data[k].object != o)
				continue;
			m = mapping_of(&p->maps.data[k]);
			to = listed(u, p, k);
			to->bias = m.bias;
			atomic_thread_fence(memory_order_release);
			*(volatile __u64 *)&to->info = m.info;
		}
	}
}

static void use_objects(struct mappings *maps, int by)
{
	vec_for (m, maps)
		if (m->object) {
			INVARIANT(by > 0 || m->object->users);
			m->object->users += (uint32_t)by;
			m->object->unused = unwind_now();
		}
}

static bool same_maps(const struct mappings *a, const struct mappings *b)
{
	if (a->len != b->len)
		return false;
	for (uint32_t i = 0; i < a->len; i++) {
		const struct mapping *x = &a->data[i], *y = &b->data[i];

		if (x->start != y->start || x->end != y->end || x->off != y->off ||
			x->object != y->object || x->code != y->code)
			return false;
	}
	return true;
}

/* ---- processes ---- */

/* Frees P, which is in the map no longer, and what the walker sees of it. */
static void drop_proc(struct unwind *u, struct proc *p)
{
	uint32_t key = (uint32_t)p->pid;

	bpf_map_delete_elem(u->procs_fd, &key);
	if (u->managed_fd >= 0)
		bpf_map_delete_elem(u->managed_fd, &key);
	use_objects(&p->maps, -1);
	pool_give(&u->pool, &p->pages);
	heapvec_free(&p->maps);
	free(p);
}

/* Shows P to the walker; PAGE 0: it uses frame pointers. */
static int show_proc(struct unwind *u, const struct proc *p, uint32_t page)
{
	struct dt_unwind_proc v = {
		.start_stack = p->start_stack,
		.asked = unwind_now() + p->quiet,
		.page = page,
		.tgid = (uint32_t)p->pid,
	};
	uint32_t key = v.tgid;
	int err;

	/* without preallocation there may be no element at hand for a moment */
	for (int i = 0; i < 10; i++) {
		err = bpf_map_update_elem(u->procs_fd, &key, &v, BPF_ANY) ? -errno : 0;
		if (err != -ENOMEM)
			break;
		usleep(1000);
	}
	return err;
}

static void quieter(struct proc *p)
{
	p->quiet = p->quiet ? 2 * p->quiet : DT_UNWIND_ASK;
	if (p->quiet > LONGEST_QUIET)
		p->quiet = LONGEST_QUIET;
}

/* Lets jstack() know what P runs, before the walker has its list; once for the same files. */
static void show_language(struct unwind *u, struct proc *p, uint64_t files)
{
	struct dt_managed_proc v = {0};
	uint32_t key = (uint32_t)p->pid;

	if (u->managed_fd < 0 || p->files == (files ^ p->start_stack))
		return;
	p->files = files ^ p->start_stack;
	switch (managed_find(p->pid, &v, u->why, sizeof(u->why))) {
	case MANAGED_FOUND:
		v.start_stack = p->start_stack;
		bpf_map_update_elem(u->managed_fd, &key, &v, BPF_ANY);
		break;
	case MANAGED_REFUSED:
		if (!u->message[0])
			snprintf(u->message, sizeof(u->message), "%s", u->why);
		break;
	case MANAGED_NONE:
		bpf_map_delete_elem(u->managed_fd, &key);
		break;
	}
}

/* P has these mappings now. */
static int replace_list(struct unwind *u, struct proc *p, struct mappings *maps, uint64_t files)
{
	struct pages old = p->pages;
	uint32_t page;
	int err;

	use_objects(maps, 1);
	use_objects(&p->maps, -1);
	heapvec_free(&p->maps);
	p->maps = *maps;
	p->pages = (struct pages){0};
	p->quiet = 0;
	page = u->has_tables ? write_list(u, p) : 0;
	if (!page) /* there may be room later */
		p->quiet = LONGEST_QUIET;
	show_language(u, p, files);
	err = show_proc(u, p, page);
	if (!u->has_tables)
		return err;
	pool_give(&u->pool, &old);
	if (!page)
		return err ? err : -ENOSPC;
	build_objects(u, p);
	return err;
}

static int read_proc(struct unwind *u, pid_t pid, struct proc_reading *r, uint64_t *start_stack)
{
	uint64_t before;

	/* the maps of a process in the midst of execve(2) are neither the old nor the new ones */
	for (int i = 0; i < 3; i++) {
		int err;

		*r = (struct proc_reading){.u = u, .pid = pid};
		if (!read_start_stack(pid, &before))
			return -ESRCH;
		err = maps_read(pid, add_mapping, r);
		if (err < 0)
			return err;
		if (read_start_stack(pid, start_stack) && *start_stack == before)
			return r->maps.len ? 0 : -ESRCH;
		heapvec_free(&r->maps);
	}
	return -EAGAIN;
}

static int update_proc(struct unwind *u, pid_t pid)
{
	struct proc *p = intmap_get_ptr(&u->procs, (uint64_t)pid);
	uint64_t start_stack;
	struct proc_reading r;
	int err = read_proc(u, pid, &r, &start_stack);

	if (err) {
		heapvec_free(&r.maps);
		if (p && err == -ESRCH)
			drop_proc(u, intmap_remove(&u->procs, (uint64_t)pid));
		return err;
	}
	if (p)
		p->read = unwind_now();
	if (p && p->start_stack == start_stack && p->pages.len && same_maps(&p->maps, &r.maps)) {
		heapvec_free(&r.maps);
		quieter(p);
		return show_proc(u, p, p->pages.data[0]);
	}
	if (!p) {
		p = calloc(1, sizeof(*p));
		if (!p || intmap_put_ptr(&u->procs, (uint64_t)pid, p)) {
			free(p);
			heapvec_free(&r.maps);
			return -ENOMEM;
		}
		p->pid = pid;
		p->read = unwind_now();
	}
	p->start_stack = start_stack;
	return replace_list(u, p, &r.maps, r.files);
}

static bool is_alive(pid_t pid)
{
	return !kill(pid, 0) || errno != ESRCH;
}

static bool keep_proc(void *arg, const struct intmap_slot *s)
{
	struct proc *p = s->ptr;

	if (is_alive(p->pid))
		return true;
	drop_proc(arg, p);
	return false;
}

/* Give back what ended processes had, and objects that are unused for AGE ns. */
static void sweep(struct unwind *u, uint64_t age)
{
	uint64_t now = unwind_now();

	u->swept = now;
	intmap_filter(&u->procs, keep_proc, u);
	/* the clock begins with the machine */
	objects_drop(&u->objects, &u->pool, now > age ? now - age : 0);
}

/* The pool is full: what nobody needs goes now; the message, once. */
static void check_full(struct unwind *u)
{
	if (!u->pool.full)
		return;
	u->pool.full = false;
	sweep(u, 0);
	if (u->message[0])
		return;
	snprintf(u->message, sizeof(u->message),
		"tables for user stacks have reached %llu MB (option unwindsize): stacks through further programs may be short",
		(unsigned long long)u->pool.max_slabs * DT_SLAB_PAGES * DT_UNWIND_PAGE >> 20);
}

/* ---- before anybody asks ---- */

/* Make the table of O, which stays until the end. */
static void keep_object(struct unwind *u, struct unwind_object *o)
{
	if (!o)
		return;
	object_build(o, &u->pool);
	object_show(&u->objects, o);
	o->users++;
}

static int add_common(void *arg, const struct map_line *m)
{
	struct proc_reading *r = arg;

	if (file_is_common(m))
		keep_object(r->u, object_of(r, m));
	return 0;
}

/* Make the tables of the C library: ours, or that of the first process if we have none. */
static void prepare_common(struct unwind *u)
{
	struct proc_reading ours = {.u = u, .pid = getpid()}, first = {.u = u, .pid = 1};
	uint32_t before = u->objects.n;

	if (u->common || !u->has_tables)
		return;
	u->common = true;
	maps_read(ours.pid, add_common, &ours);
	if (u->objects.n == before)
		maps_read(first.pid, add_common, &first);
	keep_object(u, objects_vdso(&u->objects));
}

/* Makes the table of FILE; false: that was done, or cannot be done. */
static bool prepare_file(
	struct unwind *u, const struct attach_file *file, struct dt_unwind_file *id)
{
	struct unwind_object *o;
	int fd;

	vec_for (f, &u->files)
		if (*f == file)
			return false;
	if (heapvec_push(&u->files, file) || !file_find_id(file->fd, id))
		return false;
	fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
	o = fd < 0 ? NULL : objects_find(&u->objects, fd, id);
	keep_object(u, o);
	return o != NULL;
}

#define FRESH 10000000ull /* ns for which a process's mappings are not read again */

static void prepare_process(void *arg, pid_t pid)
{
	struct unwind *u = arg;
	const struct proc *p = intmap_get_ptr(&u->procs, (uint64_t)pid);

	if (!p || unwind_now() - p->read > FRESH)
		update_proc(u, pid);
}

void unwind_prepare(struct load *l, const struct attach_site *sites, uint32_t n)
{
	HEAPVEC(struct dt_unwind_file) everywhere = {0};
	struct unwind *u = l->unwind;

	if (!u)
		return;
	pthread_mutex_lock(&u->lock);
	prepare_common(u);
	for (uint32_t i = 0; i < n; i++) {
		const struct attach_site *s = &sites[i];
		struct dt_unwind_file id;

		if (i && s->file == s[-1].file && s->pid == s[-1].pid)
			continue;
		if (prepare_file(u, s->file, &id) && s->pid <= 0)
			(void)heapvec_push(&everywhere, id);
		if (s->pid > 0)
			prepare_process(u, s->pid);
	}
	if (everywhere.len)
		files_users(everywhere.data, everywhere.len, prepare_process, u);
	check_full(u);
	pthread_mutex_unlock(&u->lock);
	heapvec_free(&everywhere);
}

/* ---- the thread ---- */

/* ring_buffer_sample_fn */
static int on_request(void *arg, void *data, size_t size)
{
	const struct dt_unwind_request *request = data;
	struct unwind *u = arg;
	uint32_t key;

	if (size < sizeof(*request))
		return 0;
	key = request->tgid;
	pthread_mutex_lock(&u->lock);
	u->nrequests++;
	/* what ended before its first answer leaves only the walker's own note */
	if (update_proc(u, (pid_t)key) == -ESRCH)
		bpf_map_delete_elem(u->procs_fd, &key);
	check_full(u);
	pthread_mutex_unlock(&u->lock);
	return 0;
}

/* False: nobody asked for it, so the thread is to end. */
static bool give_up(struct unwind *u)
{
	uint64_t count;
	ssize_t n;
	bool asked;

	pthread_mutex_lock(&u->lock);
	asked = u->keep.asked;
	if (asked) {
		n = read(u->stop_fd, &count, sizeof(count));
		(void)n;
		u->keep.err = privilege_keep(u->keep.caps);
		u->keep.asked = false;
		pthread_cond_signal(&u->keep.done);
	}
	pthread_mutex_unlock(&u->lock);
	return asked;
}

static void *answer(void *arg)
{
	struct unwind *u = arg;
	struct pollfd fds[2] = {{.fd = u->stop_fd, .events = POLLIN},
		{.fd = ring_buffer__epoll_fd(u->asked), .events = POLLIN}};

	pthread_mutex_lock(&u->lock);
	prepare_common(u);
	pthread_mutex_unlock(&u->lock);
	for (;;) {
		poll(fds, 2, SWEEP / 1000000);
		if (__atomic_load_n(&u->over, __ATOMIC_RELAXED) || (fds[0].revents && !give_up(u)))
			return NULL;
		ring_buffer__consume(u->asked);
		pthread_mutex_lock(&u->lock);
		if (unwind_now() - u->swept > SWEEP)
			sweep(u, KEEP);
		pthread_mutex_unlock(&u->lock);
	}
}

static int start_thread(struct unwind *u)
{
	sigset_t all, before;
	int err;

	/* signals are for the program that uses the library */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&u->thread, NULL, answer, u);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

static void free_all(struct unwind *u)
{
	intmap_for (s, &u->procs)
		drop_proc(u, s->ptr);
	intmap_free(&u->procs);
	heapvec_free(&u->files);
	objects_free(&u->objects, &u->pool);
	pool_fini(&u->pool);
	ring_buffer__free(u->asked);
	if (u->stop_fd >= 0)
		close(u->stop_fd);
	pthread_cond_destroy(&u->keep.done);
	pthread_mutex_destroy(&u->lock);
	free(u);
}

int unwind_start(struct load *l)
{
	int slabs = load_map_fd(l, DT_MAP_SLABS), asked = load_map_fd(l, DT_MAP_ASKED), err;
	struct unwind *u;

	if (asked < 0 || l->unwind)
		return 0;
	u = calloc(1, sizeof(*u));
	if (!u)
		return -ENOMEM;
	pthread_mutex_init(&u->lock, NULL);
	pthread_cond_init(&u->keep.done, NULL);
	u->procs_fd = load_map_fd(l, DT_MAP_PROCS);
	u->managed_fd = load_map_fd(l, DT_MAP_MANAGED);
	u->objects.files_fd = load_map_fd(l, DT_MAP_FILES);
	u->stop_fd = eventfd(0, EFD_CLOEXEC);
	u->swept = unwind_now();
	u->has_tables = slabs >= 0;
	err = u->stop_fd < 0 ? -errno : 0;
	if (!err && u->has_tables)
		err = pool_init(&u->pool, slabs, load_unwind_slabs(l));
	if (!err) {
		u->asked = ring_buffer__new(asked, on_request, u, NULL);
		err = u->asked ? start_thread(u) : -errno;
	}
	if (err) {
		free_all(u);
		return err;
	}
	l->unwind = u;
	return 0;
}

int unwind_add(struct load *l, pid_t pid)
{
	struct unwind *u = l->unwind;
	int err;

	if (!u)
		return 0;
	pthread_mutex_lock(&u->lock);
	err = update_proc(u, pid);
	check_full(u);
	pthread_mutex_unlock(&u->lock);
	return err;
}

int unwind_keep(struct load *l, uint64_t keep)
{
	struct unwind *u = l->unwind;
	const uint64_t one = 1;
	int err;

	if (!u)
		return 0;
	pthread_mutex_lock(&u->lock);
	u->keep.caps = keep;
	u->keep.asked = true;
	err = transfer_write(u->stop_fd, &one, sizeof(one));
	while (!err && u->keep.asked)
		pthread_cond_wait(&u->keep.done, &u->lock);
	if (!err)
		err = u->keep.err;
	pthread_mutex_unlock(&u->lock);
	return err;
}

void unwind_stop(struct load *l)
{
	struct unwind *u = l->unwind;
	const uint64_t one = 1;

	if (!u)
		return;
	/* if it cannot be woken it looks at the next sweep */
	__atomic_store_n(&u->over, true, __ATOMIC_RELAXED);
	(void)transfer_write(u->stop_fd, &one, sizeof(one));
	pthread_join(u->thread, NULL);
	l->unwind = NULL;
	free_all(u);
}

uint64_t unwind_cpu_ns(const struct load *l)
{
	struct timespec t;
	clockid_t clock;

	if (!l->unwind || pthread_getcpuclockid(l->unwind->thread, &clock) ||
		clock_gettime(clock, &t))
		return 0;
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

bool unwind_is_used(const struct load *l)
{
	return l->unwind != NULL;
}

const char *unwind_message(struct load *l)
{
	struct unwind *u = l->unwind;
	const char *text = NULL;

	if (!u)
		return NULL;
	pthread_mutex_lock(&u->lock);
	if (u->message[0] && !u->told) {
		u->told = true;
		text = u->message;
	}
	pthread_mutex_unlock(&u->lock);
	return text;
}

void unwind_stats(struct load *l, struct unwind_stats *out)
{
	struct unwind *u = l->unwind;

	*out = (struct unwind_stats){0};
	if (!u)
		return;
	pthread_mutex_lock(&u->lock);
	out->pool = (uint64_t)u->pool.nslabs * DT_SLAB_PAGES * DT_UNWIND_PAGE;
	out->used = (uint64_t)u->pool.used * DT_UNWIND_PAGE;
	out->objects = u->objects.n;
	out->processes = u->procs.len;
	out->requests = u->nrequests;
	pthread_mutex_unlock(&u->lock);
}
