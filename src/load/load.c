// SPDX-License-Identifier: Apache-2.0
/* Opens, runs and closes a load: the compiled object and its maps in the kernel. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "abi/kernel.h"
#include "base/vec.h"
#include "load/deputy/deputy.h"
#include "load/internal.h"
#include "probe/attach.h"

/* The default of the option bpflogsize; touched only when a log is written. */
#define LOG_SIZE 16777215

int load_fail(struct load *l, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(l->error, sizeof(l->error), fmt, ap);
	va_end(ap);
	return err;
}

const char *load_complaint(struct load *l, char *buf, size_t size)
{
	const char *text = l->messages.data;
	size_t len;

	buf[0] = '\0';
	if (!text || !l->messages.len)
		return buf;
	if (!strncmp(text, "libbpf: ", 8))
		text += 8;
	len = strcspn(text, "\n");
	snprintf(buf, size, " (%.*s)", (int)len, text);
	return buf;
}

static int set_lockmem(struct load *l)
{
	struct rlimit lim = {.rlim_cur = l->opts.lockmem, .rlim_max = l->opts.lockmem};

	if (!l->opts.lockmem)
		return 0;
	if (l->opts.lockmem == UINT64_MAX)
		lim.rlim_cur = lim.rlim_max = RLIM_INFINITY;
	if (!setrlimit(RLIMIT_MEMLOCK, &lim))
		return 0;
	return load_fail(
		l, -errno, "cannot set the locked-memory limit (lockmem): %s", strerror(errno));
}

#define OTHER_FILES 256	   /* maps, consumers, what the process has open */
#define LATE_FILES  200000 /* of places in files that processes map while tracing */

static bool is_of_user(const struct attach_plan *p)
{
	return p->kind == ATTACH_UPROBES || p->kind == ATTACH_URETPROBES;
}

/*
 * A program takes a descriptor, and each place that it is attached to up to two, unless one link is
 * for all of them.
 */
static uint64_t files_needed(const struct load *l)
{
	uint64_t n = OTHER_FILES, late = 0;

	for (uint32_t i = 0; i < l->image.nprogs; i++) {
		const struct load_prog *p = &l->image.progs[i];

		n += 3 + (p->plan.multi ? 0 : 2 * (uint64_t)p->nsites);
		if (is_of_user(&p->plan) && !p->plan.multi)
			late = LATE_FILES;
	}
	return n + late;
}

/* More than most programs are allowed to have open: only then is the limit touched (getrlimit(2)).
 */
static void raise_files(const struct load *l)
{
	uint64_t need = files_needed(l);
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur >= need)
		return;
	lim.rlim_cur = need;
	if (lim.rlim_max < need)
		lim.rlim_max = need; /* root may */
	if (setrlimit(RLIMIT_NOFILE, &lim) && !getrlimit(RLIMIT_NOFILE, &lim)) {
		lim.rlim_cur = lim.rlim_max;
		setrlimit(RLIMIT_NOFILE, &lim);
	}
}

/* The kernel's array map is the same memory as what the programs use. */
static int map_state(struct load *l)
{
	int fd = load_map_fd(l, DT_SEC_STATE);

	if (fd < 0)
		return 0;
	l->state_len = (sizeof(struct dt_state) + (size_t)getpagesize() - 1) &
		~((size_t)getpagesize() - 1);
	l->state = mmap(NULL, l->state_len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (l->state != MAP_FAILED)
		return 0;
	l->state = NULL;
	return load_fail(l, -errno, "cannot map the shared state: %s", strerror(errno));
}

/* Links the image with the run-time library, creates maps and loads the programs. */
static int open_object(struct load *l)
{
	int err = load_libbpf_enter(l);

	if (err)
		return err;
	if (l->image.needs_rt)
		err = load_link(l);
	if (!err)
		err = load_object(l);
	load_libbpf_leave();
	if (!err)
		load_make_room(l);
	return err;
}

static int open_all(struct load *l)
{
	int err = set_lockmem(l);

	raise_files(l);
	if (!err)
		err = open_object(l);
	return err ? err : map_state(l);
}

int load_open(const struct load_image *image, struct types *types, const struct load_options *opts,
	struct load **out)
{
	struct load *l = calloc(1, sizeof(*l));
	int err;

	*out = l;
	if (!l)
		return -ENOMEM;
	l->image = *image;
	l->opts = *opts;
	l->types = types;
	l->log_size = opts->log_size ? opts->log_size : LOG_SIZE;
	l->slots = calloc(image->nprogs + 1, sizeof(*l->slots));
	if (!l->slots)
		return load_fail(l, -ENOMEM, "out of memory");
	err = load_plan_places(l, NULL);
	return err ? err : open_all(l);
}

void load_close(struct load *l)
{
	if (!l)
		return;
	load_detach(l);
	load_close_functions(l);
	deputy_free(l->deputy);
	unwind_stop(l);
	if (l->state)
		munmap(l->state, l->state_len);
	bpf_object__close(l->obj);
	if (l->linked)
		munmap(l->linked, l->linked_len);
	vec_for (o, &l->more) {
		bpf_object__close(o->obj);
		if (o->linked)
			munmap(o->linked, o->linked_len);
	}
	heapvec_free(&l->due);
	heapvec_free(&l->more);
	for (uint32_t i = 0; l->slots && i < l->image.nprogs; i++)
		free(l->slots[i].log);
	free(l->slots);
	free(l->progs);
	free(l->shared_log);
	buf_free(&l->messages);
	buf_free(&l->log);
	free(l);
}

/* ---- more programs ---- */

/* Makes room for what N has. */
static int grow(struct load *l, const struct load *n)
{
	uint32_t all = l->image.nprogs + n->image.nprogs;
	struct load_slot *slots = realloc(l->slots, (all + 1) * sizeof(*slots));
	struct load_prog *progs;

	if (!slots)
		return -ENOMEM;
	l->slots = slots;
	progs = malloc((all + 1) * sizeof(*progs));
	if (!progs)
		return -ENOMEM;
	memcpy(progs, l->image.progs, l->image.nprogs * sizeof(*progs));
	free(l->progs);
	l->image.progs = l->progs = progs;
	for (uint32_t i = 0; i < n->hooks.len; i++)
		if (heapvec_push(&l->hooks, n->hooks.data[i])) {
			l->hooks.len -= i;
			return -ENOMEM;
		}
	if (!heapvec_push(&l->more, (struct load_object){n->obj, n->linked, n->linked_len}))
		return 0;
	l->hooks.len -= n->hooks.len;
	return -ENOMEM;
}

/* Hands all that N has loaded and attached over to L. */
static int merge(struct load *l, struct load *n)
{
	uint32_t had = l->image.nprogs;
	int err = grow(l, n);

	if (err)
		return err;
	for (uint32_t i = 0; i < n->image.nprogs; i++) {
		l->progs[had + i] = n->image.progs[i];
		l->slots[had + i] = n->slots[i];
		n->slots[i] = (struct load_slot){0};
	}
	l->image.nprogs += n->image.nprogs;
	if (!l->skipped.n)
		l->skipped = (struct load_skipped){
			.prog = had + n->skipped.prog, .cookie = n->skipped.cookie};
	l->skipped.n += n->skipped.n;
	l->places += n->places;
	l->memory += n->memory;
	if (n->log.len)
		buf_put(&l->log, n->log.data, n->log.len);
	heapvec_free(&n->hooks);
	n->obj = NULL;
	n->linked = NULL;
	return 0;
}

static int open_more(struct load *n, struct load *l)
{
	int err;

	n->slots = calloc(n->image.nprogs + 1, sizeof(*n->slots));
	if (!n->slots)
		return load_fail(n, -ENOMEM, "out of memory");
	err = load_plan_places(n, l);
	if (!err)
		err = open_object(n);
	if (!err)
		err = load_attach(n);
	return err ? err : merge(l, n);
}

int load_more(struct load *l, const struct load_image *img, struct types *types)
{
	struct load *n = calloc(1, sizeof(*n));
	int err;

	l->error[0] = '\0';
	l->refusal.limit = LIMIT_NONE;
	if (!n)
		return load_fail(l, -ENOMEM, "out of memory");
	n->image = *img;
	n->opts = l->opts;
	n->opts.progress = NULL;
	n->types = types;
	n->log_size = l->log_size;
	n->base = l;
	err = open_more(n, l);
	if (err) {
		memcpy(l->error, n->error, sizeof(l->error));
		l->refusal = n->refusal;
	}
	load_close(n);
	return err;
}

/* ---- running ---- */

static int run_all(struct load *l, enum attach_kind kind)
{
	/* the arguments of a raw tracepoint, of which there are none */
	__u64 ctx[12] = {0};

	for (uint32_t i = 0; i < l->image.nprogs; i++) {
		LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = ctx, .ctx_size_in = sizeof(ctx));
		const struct load_prog *p = &l->image.progs[i];
		int err;

		if (p->plan.kind != kind || p->piece || !l->slots[i].prog)
			continue;
		err = bpf_prog_test_run_opts(bpf_program__fd(l->slots[i].prog), &opts);
		if (err)
			return load_fail(l, err, "cannot run '%s': %s", p->label, strerror(-err));
	}
	return 0;
}

/*
 * On the CPU that was asked for, by moving there: BPF_F_TEST_RUN_ON_CPU would run the program
 * in an interrupt of whatever task that CPU has.
 */
int load_run(struct load *l, enum attach_kind kind)
{
	cpu_set_t before, one;
	int err;

	if (l->opts.cpu == UINT32_MAX)
		return run_all(l, kind);
	CPU_ZERO(&one);
	if (l->opts.cpu < CPU_SETSIZE)
		CPU_SET(l->opts.cpu, &one);
	if (sched_getaffinity(0, sizeof(before), &before) ||
		sched_setaffinity(0, sizeof(one), &one))
		return load_fail(l, -errno, "cannot trace on CPU %u: %s", l->opts.cpu,
			errno == EINVAL ? "there is no such CPU" : strerror(errno));
	err = run_all(l, kind);
	sched_setaffinity(0, sizeof(before), &before);
	return err;
}

volatile struct dt_state *load_state(struct load *l)
{
	return l->state;
}

bool load_map_is_created(const struct bpf_map *map)
{
	return bpf_map__autocreate(map) && bpf_map__fd(map) >= 0;
}

static struct bpf_map *created_map(const struct bpf_object *obj, const char *name)
{
	struct bpf_map *map = obj ? bpf_object__find_map_by_name(obj, name) : NULL;

	return map && load_map_is_created(map) ? map : NULL;
}

struct bpf_map *load_map(const struct load *l, const char *name)
{
	struct bpf_map *map = created_map(l->obj, name);

	for (uint32_t i = 0; !map && i < l->more.len; i++)
		map = created_map(l->more.data[i].obj, name);
	return map;
}

int load_map_fd(struct load *l, const char *name)
{
	struct bpf_map *map = load_map(l, name);

	return map ? bpf_map__fd(map) : -1;
}

int load_map_put(struct load *l, const char *name, uint32_t key, const void *data, size_t len)
{
	struct bpf_map *map = load_map(l, name);

	if (!map || bpf_map__value_size(map) != len)
		return -ENOENT;
	return bpf_map_update_elem(bpf_map__fd(map), &key, data, BPF_ANY);
}

bool load_map_has(struct load *l, const char *name, uint32_t key)
{
	int fd = load_map_fd(l, name);
	uint32_t value;

	return fd >= 0 && !bpf_map_lookup_elem(fd, &key, &value);
}

int load_map_patch(struct load *l, const char *name, const struct load_patch *v, uint32_t n)
{
	struct bpf_map *map = load_map(l, name);
	size_t size = map ? bpf_map__value_size(map) : 0;
	char *value = malloc(size + 1);
	uint32_t key = 0;
	int err;

	if (!map || !value) {
		free(value);
		return map ? -ENOMEM : -ENOENT;
	}
	err = bpf_map_lookup_elem(bpf_map__fd(map), &key, value);
	for (uint32_t i = 0; !err && i < n; i++) {
		if (v[i].off > size || v[i].len > size - v[i].off)
			err = -ERANGE;
		else
			memcpy(value + v[i].off, v[i].data, v[i].len);
	}
	if (!err)
		err = bpf_map_update_elem(bpf_map__fd(map), &key, value, BPF_ANY);
	free(value);
	return err;
}

uint64_t load_missed(struct load *l)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < l->image.nprogs; i++) {
		struct bpf_prog_info info = {0};
		uint32_t len = sizeof(info);

		if (l->slots[i].prog &&
			!bpf_obj_get_info_by_fd(bpf_program__fd(l->slots[i].prog), &info, &len))
			sum += info.recursion_misses;
	}
	return sum;
}

struct load_skipped load_skipped(struct load *l)
{
	struct load_skipped since = l->skipped;

	l->skipped.n = 0;
	return since;
}

const char *load_label(const struct load *l, uint32_t prog)
{
	return l->image.progs[prog].label;
}

bool load_traces_functions(const struct load *l)
{
	for (uint32_t i = 0; i < l->image.nprogs; i++)
		if (l->image.progs[i].nsites > 1 &&
			(l->image.progs[i].plan.kind == ATTACH_KPROBES ||
				l->image.progs[i].plan.kind == ATTACH_KRETPROBES))
			return true;
	return false;
}

const char *load_error(const struct load *l)
{
	return l->error;
}

const char *load_log(const struct load *l)
{
	return l->log.data ? l->log.data : "";
}

uint32_t load_log_lost(const struct load *l)
{
	return l->log_lost;
}
