// SPDX-License-Identifier: Apache-2.0
/* Prepares the maps and programs of an object and loads them into the kernel. */
#define _GNU_SOURCE /* memmem */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <bpf/bpf.h>
#include <unistd.h>

#include "abi/function.h"
#include "abi/kernel.h"
#include "abi/managed.h"
#include "abi/runtime.h"
#include "abi/stacks.h"
#include "abi/unwind.h"
#include "abi/returns.h"
#include "abi/usdt.h"
#include "load/feature.h"
#include "load/internal.h"
#include "probe/attach.h"
#include "rt/conf.h"
#include "types/type.h"
#include "types/types.h"

/* When the verifier is asked for its log. */
enum log_mode {
	LOG_NEVER,
	LOG_ON_FAILURE,
	LOG_ALWAYS,
};

/* Bits of a program's log_level (include/linux/bpf_verifier.h): every path, and a summary. */
#define LOG_VERBOSE (2 | 4)

static bool is_loaded(const struct load_prog *p)
{
	return p->plan.kind != ATTACH_ERROR;
}

/* ---- before opening: what the programs attach to ---- */

static int no_types(struct load *l, const struct load_prog *p, int err)
{
	return load_fail(l, err,
		"cannot enable '%s': no kernel type information (/sys/kernel/btf/vmlinux: %s); it needs a kernel with CONFIG_DEBUG_INFO_BTF",
		p->label, strerror(-err));
}

/* True if the kernel wants to be told by its type information what P is attached to. */
static bool attaches_by_type(const struct load_prog *p)
{
	return p->plan.kind == ATTACH_TP_BTF || p->plan.kind == ATTACH_FENTRY ||
		p->plan.kind == ATTACH_FEXIT;
}

static uint32_t hook_id(struct load *l, const struct attach_plan *plan)
{
	const struct type *f;

	if (!l->types)
		return 0;
	if (plan->kind == ATTACH_TP_BTF)
		return types_tracepoint(l->types, plan->hook, NULL);
	f = types_function(l->types, plan->hook);
	return f ? f->id : 0;
}

static int find_hook(struct load *l, const struct load_prog *p, uint32_t *id)
{
	int err;

	*id = hook_id(l, &p->plan);
	if (*id)
		return 0;
	err = l->types ? types_error(l->types) : -EINVAL;
	if (err)
		return no_types(l, p, err);
	return load_fail(l, -ENOENT, "cannot enable '%s': this kernel has no %s '%s'", p->label,
		p->plan.kind == ATTACH_TP_BTF ? "tracepoint" : "function", p->plan.hook);
}

static int find_hooks(struct load *l)
{
	int err = 0;

	for (uint32_t i = 0; i < l->image.nprogs && !err; i++)
		if (attaches_by_type(&l->image.progs[i]))
			err = find_hook(l, &l->image.progs[i], &l->slots[i].btf_id);
	return err;
}

/* ---- the object: maps, constants, which programs ---- */

static struct bpf_map *find_map(struct load *l, const char *name)
{
	return bpf_object__find_map_by_name(l->obj, name);
}

/* True if the image uses part R of the run-time library. */
static bool reads(const struct load *l, enum rt_reads r)
{
	return l->image.rt_reads & r;
}

/* Maps of the run-time library that no program uses are not created: each costs start-up time. */
static int choose_maps(struct load *l)
{
	int err = 0;

	for (unsigned i = 0; i < RT_MAP_MAX && !err; i++) {
		struct bpf_map *map = find_map(l, rt_map_name(i));

		if (map)
			err = bpf_map__set_autocreate(map, reads(l, 1u << i));
	}
	return err;
}

static int set_scratch(struct load *l)
{
	uint64_t size = dt_slot_size(l->image.strsize, l->image.scratch_size);
	struct bpf_map *map = find_map(l, DT_MAP_SCRATCH);
	int cpus = libbpf_num_possible_cpus();
	int err;

	if (cpus < 0)
		return load_fail(l, cpus, "cannot count the CPUs: %s", strerror(-cpus));
	if (!map || !reads(l, RT_SCRATCH))
		return 0;
	if (size > INT32_MAX)
		return load_fail(l, -EFBIG, "strings and scratch of this size do not fit a map");
	err = bpf_map__set_value_size(map, (uint32_t)size);
	return err ? err : bpf_map__set_max_entries(map, (uint32_t)cpus * DT_SCRATCH_SLOTS);
}

/* Bytes of the ring of kept stacks: some stacks, and what a map's value can be. */
#define STACK_RING_LEAST (16u << 10)
#define STACK_RING_MOST	 (256u << 20)

#define MAX_SPECS (1u << 23) /* what one bpf_loop() goes through */

static int set_specs(struct load *l)
{
	struct bpf_map *map = find_map(l, DT_MAP_SPECS);

	if (!map || !reads(l, RT_SPECS))
		return 0;
	if (!l->image.nspec || l->image.nspec > MAX_SPECS)
		return load_fail(l, -EINVAL, "failed to create BPF map 'specs': %s",
			strerror(l->image.nspec ? E2BIG : EINVAL));
	return bpf_map__set_max_entries(map, l->image.nspec);
}

uint32_t load_stack_ring(uint64_t size, uint32_t frames)
{
	uint32_t ring = STACK_RING_LEAST;

	while (ring < STACK_RING_MOST && (ring * 2 <= size || ring < DT_STACK_ENTRY(frames)))
		ring *= 2;
	return ring;
}

static int set_stacks(struct load *l)
{
	uint32_t ring = load_stack_ring(l->image.stacksize, l->image.stack_frames);
	struct bpf_map *map = find_map(l, DT_MAP_STACKS);

	if (!map || !reads(l, RT_STACKS))
		return 0;
	return bpf_map__set_value_size(map, (uint32_t)DT_STACK_TABLE(ring, l->image.stack_frames));
}

static int set_conf(struct load *l)
{
	struct dt_conf conf = {
		.strsize = l->image.strsize,
		.scratch_size = l->image.scratch_size,
		.nspec = l->image.nspec,
		.stack_frames = l->image.stack_frames,
		.stack_ring = load_stack_ring(l->image.stacksize, l->image.stack_frames),
		.page = (__u32)sysconf(_SC_PAGESIZE),
	};
	struct bpf_map *map = find_map(l, DT_SEC_CONF);
	int err;

	if (!map || !reads(l, RT_CONF))
		return 0;
	/* only for those that need it: it may mean reading the kernel's types */
	err = load_offsets(l, reads(l, RT_OFFSETS) ? l->types : NULL, &conf.at);
	return err ? err : bpf_map__set_initial_value(map, &conf, sizeof(conf));
}

#define SLAB_SIZE (DT_UNWIND_PAGE * DT_SLAB_PAGES)
#define MAX_SLABS 65536

uint32_t load_unwind_slabs(const struct load *l)
{
	uint64_t n = (l->opts.unwindsize ? l->opts.unwindsize : LOAD_UNWINDSIZE) / SLAB_SIZE;

	return n < 1 ? 1 : n > MAX_SLABS ? MAX_SLABS : (uint32_t)n;
}

/* The walker of user stacks has memory of its own in addition to each scratch slot. */
static int set_unwind(struct load *l)
{
	struct bpf_map *slabs = find_map(l, DT_MAP_SLABS), *walks = find_map(l, DT_MAP_WALKS),
		       *scratch = find_map(l, DT_MAP_SCRATCH),
		       *managed = find_map(l, DT_MAP_MANAGED_WALK);
	int err;

	if (!slabs || !walks || !scratch || !reads(l, RT_WALKS))
		return 0;
	err = bpf_map__set_max_entries(walks, bpf_map__max_entries(scratch));
	if (!err && managed && reads(l, RT_MWALKS))
		err = bpf_map__set_max_entries(managed, bpf_map__max_entries(scratch));
	return err ? err : bpf_map__set_max_entries(slabs, load_unwind_slabs(l));
}

/* Makes sections mappable: libbpf leaves one without global symbols unmappable. */
static int set_mappable(struct load *l)
{
	struct bpf_map *map = find_map(l, DT_SEC_STATE);

	if (!map)
		return 0;
	return bpf_map__set_map_flags(map, bpf_map__map_flags(map) | BPF_F_MMAPABLE);
}

/* Writes the argument table of static probes; places that are not known yet have no arguments. */
static int set_usdt(struct load *l)
{
	struct bpf_map *map = find_map(l, DT_MAP_USDT_SITES);

	return map && reads(l, RT_SITES) ? bpf_map__set_max_entries(map, l->image.nplaces) : 0;
}

/* Makes room for the instructions with which functions return. */
static int set_returns(struct load *l)
{
	struct bpf_map *map = find_map(l, DT_MAP_RETURN_SITES);

	return map && reads(l, RT_RETURNS) ? bpf_map__set_max_entries(map, l->image.nplaces) : 0;
}

/* Each function has an element for each of two places, of 3.9 and 3.10 also a third. */
static int set_functions(struct load *l)
{
	struct bpf_map *map = find_map(l, DT_MAP_FUNCTIONS);

	return map && reads(l, RT_FUNCTIONS) ? bpf_map__set_max_entries(map, 2 * l->image.nplaces)
					     : 0;
}

/*
 * Allocates hashes in advance on kernels where a program must not make their elements.  That takes
 * memory and a start that is longer; sizes are as they are.
 */
static int set_growth(struct load *l)
{
	struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_map(map, l->obj)
	{
		enum bpf_map_type type = bpf_map__type(map);
		uint32_t flags = bpf_map__map_flags(map);

		if ((type == BPF_MAP_TYPE_HASH || type == BPF_MAP_TYPE_PERCPU_HASH) &&
			flags & BPF_F_NO_PREALLOC && bpf_map__autocreate(map) && l->opts.features &&
			!err && !features_has(l->opts.features, FEATURE_GROWING_HASHES))
			err = bpf_map__set_map_flags(map, flags & ~(uint32_t)BPF_F_NO_PREALLOC);
	}
	return err;
}

/* True for what a firing, or an image, has for itself. */
static bool is_own(const char *name)
{
	static const char *const own[] = {DT_MAP_SCRATCH, DT_MAP_SCRATCH_BUSY, DT_MAP_SCRATCH_KEPT,
		DT_MAP_WALKS, DT_MAP_MANAGED_WALK};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (!strcmp(name, own[i]))
			return true;
	return !strncmp(name, ".rodata", 7);
}

/* load_more(): the maps that there are. */
static int share_maps(struct load *l)
{
	struct bpf_map *map;
	int err = 0;

	if (!l->base)
		return 0;
	bpf_object__for_each_map(map, l->obj)
	{
		const char *name = bpf_map__name(map);
		struct bpf_map *have =
			is_own(name) || !bpf_map__autocreate(map) ? NULL : load_map(l->base, name);

		if (have && !err)
			err = bpf_map__reuse_fd(map, bpf_map__fd(have));
	}
	return err;
}

static int set_maps(struct load *l)
{
	int err = choose_maps(l);

	if (!err)
		err = set_scratch(l);
	if (!err)
		err = set_specs(l);
	if (!err)
		err = set_stacks(l);
	if (!err)
		err = set_usdt(l);
	if (!err)
		err = set_returns(l);
	if (!err)
		err = set_functions(l);
	if (!err)
		err = set_conf(l);
	if (!err)
		err = set_unwind(l);
	if (!err)
		err = set_mappable(l);
	if (!err)
		err = share_maps(l);
	if (!err)
		err = set_growth(l);
	if (!err)
		err = load_check_memory(l);
	if (err && !l->error[0])
		load_fail(l, err, "cannot set up BPF maps: %s", strerror(-err));
	return err;
}

/* Loads only the programs that are in the image's list. */
static int set_programs(struct load *l)
{
	struct bpf_program *prog;

	bpf_object__for_each_program(prog, l->obj) bpf_program__set_autoload(prog, false);
	for (uint32_t i = 0; i < l->image.nprogs; i++) {
		const struct load_prog *p = &l->image.progs[i];

		l->slots[i].prog = NULL;
		if (!is_loaded(p))
			continue;
		prog = bpf_object__find_program_by_name(l->obj, p->name);
		if (!prog)
			return load_fail(
				l, -EINVAL, "BPF program for '%s' is not in the object", p->label);
		bpf_program__set_autoload(prog, true);
		l->slots[i].prog = prog;
	}
	return 0;
}

/* ---- logs ---- */

/* Kernels before 6.4 refuse a log of less (kernel/bpf/verifier.c). */
#define LOG_LEAST 128

static uint32_t log_room(const struct load *l)
{
	return l->log_size < LOG_LEAST ? LOG_LEAST : l->log_size;
}

static char *log_buffer(struct load *l, struct load_slot *slot, enum log_mode mode)
{
	char **log = mode == LOG_ALWAYS ? &slot->log : &l->shared_log;

	if (!*log)
		*log = malloc(log_room(l));
	if (*log)
		**log = '\0';
	return *log;
}

/*
 * A log costs verification time, so the first try is made without; libbpf tries again with the
 * buffer when the kernel refuses (libbpf.h, bpf_object_open_opts.kernel_log_level).
 */
static int set_logs(struct load *l, enum log_mode mode)
{
	for (uint32_t i = 0; i < l->image.nprogs && mode != LOG_NEVER; i++) {
		struct load_slot *slot = &l->slots[i];
		char *log;

		if (!slot->prog)
			continue;
		log = log_buffer(l, slot, mode);
		if (!log)
			return load_fail(l, -ENOMEM, "out of memory for the verifier's log");
		bpf_program__set_log_buf(slot->prog, log, log_room(l));
		bpf_program__set_log_level(slot->prog, mode == LOG_ALWAYS ? LOG_VERBOSE : 0);
	}
	return 0;
}

static void keep_logs(struct load *l, enum log_mode mode)
{
	if (mode == LOG_ON_FAILURE && l->shared_log)
		buf_puts(&l->log, l->shared_log);
	for (uint32_t i = 0; mode == LOG_ALWAYS && i < l->image.nprogs; i++)
		if (l->slots[i].log && l->slots[i].log[0])
			buf_printf(&l->log, "%s:\n%s", l->image.progs[i].label, l->slots[i].log);
	/* there was more room than was asked for */
	if (log_room(l) > l->log_size && l->log.len >= l->log_size) {
		l->log_lost = l->log_size;
		buf_free(&l->log);
	}
}

/* ---- loading ---- */

static const struct load_prog *prog_of(struct load *l, struct bpf_program *prog, uint32_t *btf_id)
{
	for (uint32_t i = 0; i < l->image.nprogs; i++) {
		if (l->slots[i].prog != prog)
			continue;
		*btf_id = l->slots[i].btf_id;
		return &l->image.progs[i];
	}
	return NULL;
}

static enum bpf_attach_type tracing_type(enum attach_kind kind)
{
	return kind == ATTACH_TP_BTF	? BPF_TRACE_RAW_TP
		: kind == ATTACH_FENTRY ? BPF_TRACE_FENTRY
					: BPF_TRACE_FEXIT;
}

/*
 * The types are set only now: to an object that has a BPF_PROG_TYPE_TRACING program from the
 * start libbpf adds reading all of the kernel's types, 11-15 ms and 6-11 MB.
 */
int load_prepare(struct load *l, struct bpf_program *prog, struct bpf_prog_load_opts *opts)
{
	uint32_t btf_id;

	l->preparing = prog_of(l, prog, &btf_id);
	if (!l->preparing)
		return -EINVAL;
	switch (l->preparing->plan.kind) {
	case ATTACH_TP_BTF:
	case ATTACH_FENTRY:
	case ATTACH_FEXIT:
		opts->expected_attach_type = tracing_type(l->preparing->plan.kind);
		opts->attach_btf_id = btf_id;
		return bpf_program__set_type(prog, BPF_PROG_TYPE_TRACING);
	case ATTACH_KPROBES:
	case ATTACH_KRETPROBES:
		if (l->preparing->plan.multi)
			opts->expected_attach_type = KPROBE_MULTI;
		return bpf_program__set_type(prog, BPF_PROG_TYPE_KPROBE);
	case ATTACH_UPROBES:
	case ATTACH_URETPROBES:
		if (l->preparing->plan.sleepable)
			opts->prog_flags |= BPF_F_SLEEPABLE;
		if (l->preparing->plan.multi)
			opts->expected_attach_type = UPROBE_MULTI;
		return bpf_program__set_type(prog, BPF_PROG_TYPE_KPROBE);
	case ATTACH_NETFILTER:
		opts->expected_attach_type = NETFILTER_ATTACH;
		return bpf_program__set_type(prog, NETFILTER_PROG);
	case ATTACH_EVENT_RECORD:
		return bpf_program__set_type(prog, BPF_PROG_TYPE_TRACEPOINT);
	case ATTACH_CPU_CLOCK:
	case ATTACH_EVENT:
		return bpf_program__set_type(prog, BPF_PROG_TYPE_PERF_EVENT);
	default:
		return bpf_program__set_type(prog, BPF_PROG_TYPE_RAW_TRACEPOINT);
	}
}

#define WRITE_USER "cannot use helper bpf_probe_write_user"

/* Returns advice if BPF memory was refused for its amount; "" if that is not the cause. */
static const char *lockmem_hint(int err)
{
	struct features *f;
	struct rlimit lim;
	bool charged;

	if (err != -EPERM || getrlimit(RLIMIT_MEMLOCK, &lim) || lim.rlim_cur == RLIM_INFINITY)
		return "";
	f = features_new(NULL);
	charged = !f || !features_has(f, FEATURE_CGROUP_MEMORY);
	features_free(f);
	if (!charged)
		return "";
	return "; the locked-memory limit may be too low (-xlockmem=N or ulimit -l N)";
}

/*
 * True if the verifier did not know the helper, which lockdown removes (kernel/trace/bpf_trace.c).
 */
static bool lacks_user_writes(struct load *l)
{
	return !l->log.failed && l->log.len &&
		memmem(l->log.data, l->log.len, WRITE_USER, sizeof(WRITE_USER) - 1);
}

static int load_failed(struct load *l, int err)
{
	const char *hint = lockmem_hint(err);
	char why[256], lacks[256];

	if (lacks_user_writes(l)) {
		if (!l->opts.log)
			buf_free(&l->log);
		return load_fail(l, -EPERM,
			"copyout( ) and copyoutstr( ) are not possible: this kernel does not let BPF programs write to user memory (lockdown, or built without it)");
	}

	if (load_find_limit(l, err)) {
		if (!l->opts.log)
			buf_free(&l->log);
		return load_fail(l, -E2BIG, "BPF program for '%s' exceeds a limit of the kernel",
			l->preparing->label);
	}
	if (!l->preparing) {
		load_complaint(l, why, sizeof(why));
		if (load_lacks_for_map(l, err, why, lacks, sizeof(lacks)))
			return load_fail(l, -EOPNOTSUPP, "%s", lacks);
		return load_fail(
			l, err, "cannot create BPF maps: %s%s%s", strerror(-err), hint, why);
	}
	if (load_lacks_for_program(l, lacks, sizeof(lacks))) {
		if (!l->opts.log)
			buf_free(&l->log);
		return load_fail(l, -EOPNOTSUPP, "BPF program load for '%s' failed: %s",
			l->preparing->label, lacks);
	}
	return load_fail(l, err, "BPF program load for '%s' failed: %s%s", l->preparing->label,
		strerror(-err), hint);
}

/* Tell programs that run one another where the next one is. */
static int join_pieces(struct load *l)
{
	for (uint32_t i = 0; i < l->image.nprogs; i++) {
		const struct load_prog *p = &l->image.progs[i];
		struct bpf_map *map = p->chain ? find_map(l, p->chain) : NULL;
		int fd = map ? bpf_program__fd(l->slots[i].prog) : -1, err;

		if (!map)
			continue;
		err = bpf_map_update_elem(bpf_map__fd(map), &p->piece, &fd, BPF_ANY);
		if (err)
			return load_fail(l, err, "cannot join the programs for '%s': %s", p->label,
				strerror(-err));
	}
	return 0;
}

static int try_object(struct load *l, enum log_mode mode)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "dtrace");
	const void *elf = l->linked ? l->linked : l->image.elf;
	char why[256];
	int err;

	l->preparing = NULL;
	l->obj = bpf_object__open_mem(elf, l->linked ? l->linked_len : l->image.elf_len, &opts);
	if (!l->obj)
		return load_fail(l, -errno, "BPF program content is invalid: %s%s", strerror(errno),
			load_complaint(l, why, sizeof(why)));
	err = set_programs(l);
	if (!err)
		err = set_maps(l);
	if (!err)
		err = set_logs(l, mode);
	if (err)
		return err;
	err = bpf_object__load(l->obj);
	if (err != -ENOSPC && (err || mode == LOG_ALWAYS))
		keep_logs(l, mode);
	return err ? load_failed(l, err) : join_pieces(l);
}

int load_object(struct load *l)
{
	int err = find_hooks(l);

	if (!err)
		err = try_object(l, l->opts.log ? LOG_ALWAYS : LOG_ON_FAILURE);
	if (err != -ENOSPC || !l->preparing)
		return err;
	/*
	 * Before 6.4 that is all one hears when the log does not fit; from then on the end of
	 * the log is given (kernel/bpf/log.c).
	 */
	l->log_lost = l->log_size;
	bpf_object__close(l->obj);
	l->obj = NULL;
	l->error[0] = '\0';
	return try_object(l, LOG_NEVER);
}
