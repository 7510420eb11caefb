/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rt_run: call the run-time library's functions in the kernel, by way of test_rt.bpf.c, whose
 * object lies beside the test programs.  Strings lie in a scratch slot, of which `mem` is what it
 * holds before a call and `after` what it holds then.
 *
 *	load_privileges() || test_skip(); rt_start(wanted, n); rt_open(strsize, extra);
 *	run_string(...) ...; rt_close(); rt_end();
 */
#ifndef TESTS_UNIT_RT_RUN_H
#define TESTS_UNIT_RT_RUN_H

#include "abi/kernel.h"

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_setaffinity() */
#endif
#include "test.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "load/internal.h"
#include "rt/conf.h"

enum fn {
#define RT(name, nargs, reads, stack) FN_##name,
#include "abi/runtime.def"
	FN_MAX,
};

static const struct {
	const char *name;
} fns[] = {
#define RT(name, nargs, reads, stack) {#name},
#include "abi/runtime.def"
};

#ifndef RT_STACK_FRAMES
#define RT_STACK_FRAMES 1 /* of the deepest stack that can be kept */
#endif

/* The kernel's, for functions that read its structures. */
static struct types *rt_types;

#define RESULT 5 /* where test_rt.bpf.c leaves it */

static struct load_prog progs[FN_MAX];
static char *object;
static size_t object_len;

/* The load of this moment. */
static struct load *load;
static volatile uint64_t *call;
static int scratch_fd;
static uint32_t strsize, room, scratch_size, value_size;
static char *mem, *after;

static uint32_t cpu_slot; /* number of this CPU's first slot */

/* ---- setting up ---- */

static inline void read_object(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 16);
	FILE *f;

	if (n < 0)
		test_skip("no /proc");
	path[n] = '\0';
	strcpy(strrchr(path, '/') + 1, "test_rt.bpf.o");
	f = fopen(path, "re");
	if (!f) {
		printf("%s: %s\n", path, strerror(errno));
		exit(1);
	}
	object = malloc(1 << 20);
	object_len = fread(object, 1, 1 << 20, f);
	fclose(f);
}

static inline void report_cost(void)
{
	for (int i = 0; i < FN_MAX; i++) {
		struct bpf_prog_info info = {0};
		__u32 len = sizeof(info);
		int fd = load->slots[i].prog ? bpf_program__fd(load->slots[i].prog) : -1;

		if (fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &len))
			printf("strsize %u: %s: %u instructions verified\n", strsize, fns[i].name,
				info.verified_insns);
	}
}

/* Load them with strings of SIZE bytes; the slot has room for three and EXTRA bytes. */
static inline void rt_open(uint32_t size, uint32_t extra)
{
	struct load_options opts = {.cpu = UINT32_MAX};
	struct load_image image = {
		.elf = object,
		.elf_len = object_len,
		.needs_rt = RT_NEEDS_ALL,
		.rt_reads = ~0u,
		.progs = progs,
		.nprogs = FN_MAX,
		.strsize = size,
		.nspec = 4,
		.nplaces = 64,
		.stack_frames = RT_STACK_FRAMES,
	};
	int err;

	strsize = size;
	room = size + 1;
	scratch_size = image.scratch_size = 3 * room + extra;
	value_size = (uint32_t)dt_slot_size(strsize, scratch_size);
	err = load_open(&image, rt_types, &opts, &load);
	CHECK_INT(err, 0);
	if (err) {
		printf("%s\n%s\n", load_error(load), load_log(load));
		exit(test_done());
	}
	call = mmap(NULL, (size_t)getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED,
		load_map_fd(load, "call"), 0);
	CHECK(call != MAP_FAILED);
	scratch_fd = load_map_fd(load, DT_MAP_SCRATCH);
	mem = calloc(1, value_size);
	after = calloc(1, value_size);
	memset(mem + scratch_size, 0xa5, value_size - scratch_size);
	if (getenv("VERBOSE"))
		report_cost();
}

static inline void rt_close(void)
{
	munmap((void *)call, (size_t)getpagesize());
	load_close(load);
	free(mem);
	free(after);
}

/* ---- calling ---- */

static inline uint64_t run(enum fn fn, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
	uint64_t ctx[12] = {0};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = ctx, .ctx_size_in = sizeof(ctx));

	call[0] = a, call[1] = b, call[2] = c, call[3] = d, call[4] = e;
	call[RESULT] = 0xdead;
	CHECK_INT(bpf_prog_test_run_opts(bpf_program__fd(load->slots[fn].prog), &opts), 0);
	return call[RESULT];
}

/* Run a string function on slot 3 holding `mem`; `after` is what it left. */
static inline uint64_t run_string(enum fn fn, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
	uint32_t slot = cpu_slot + 3;
	uint64_t result;

	CHECK_INT(bpf_map_update_elem(scratch_fd, &slot, mem, BPF_ANY), 0);
	result = run(fn, slot, b, c, d, e);
	CHECK_INT(bpf_map_lookup_elem(scratch_fd, &slot, after), 0);
	return result;
}

/* The string at DST is WANT, its length was returned, and nothing else has changed. */
static inline void check_string(uint64_t result, uint32_t dst, const char *want)
{
	char *text = strndup(want, strsize);

	CHECK_INT(result, strlen(text));
	CHECK(memchr(after + dst, 0, room) != NULL);
	CHECK_STR(after + dst, text);
	CHECK(!memcmp(mem, after, dst));
	CHECK(!memcmp(mem + dst + room, after + dst + room, scratch_size - dst - room));
	free(text);
}

/* ---- inputs ---- */

static inline uint32_t any(uint32_t limit)
{
	static uint64_t x = 88172645463325252ull;

	x ^= x << 13, x ^= x >> 7, x ^= x << 17;
	return (uint32_t)((x >> 16) % limit);
}

/* A string of up to strsize of the letters of SET at OFF, garbage behind it. */
static inline const char *any_string(uint32_t off, const char *set)
{
	uint32_t n = (uint32_t)strlen(set), len = any(3) ? any(24) : any(strsize + 1);

	if (len > strsize)
		len = strsize;
	for (uint32_t i = 0; i < room; i++)
		mem[off + i] = i < len ? set[any(n)] : (char)any(256);
	mem[off + len] = '\0';
	return mem + off;
}

/* Three places in the slot, in any order. */
static inline void any_places(uint32_t *p)
{
	uint32_t first = any(3), step = 1 + any(2);

	for (uint32_t i = 0; i < 3; i++)
		p[i] = (first + i * step) % 3 * room;
}

/* ---- out of range ---- */

/* A slot or one of the NOFFSETS first offsets that is out of range: FN does nothing. */
static inline void check_bounds(enum fn fn, int noffsets)
{
	const uint64_t bad[] = {scratch_size - room + 1, scratch_size, value_size, UINT32_MAX,
		1ull << 32, UINT64_MAX, 1ull << 63};

	for (int i = 0; i < 3; i++)
		any_string(i * room, "abc");
	for (int i = 0; i < noffsets; i++) {
		for (unsigned j = 0; j < sizeof(bad) / sizeof(bad[0]); j++) {
			uint64_t a[4] = {0, noffsets > 1 ? room : 0, noffsets > 2 ? 2 * room : 0};

			a[i] = bad[j];
			CHECK_INT(run_string(fn, a[0], a[1], a[2], a[3]), 0);
			CHECK(!memcmp(mem, after, value_size));
		}
	}
	CHECK_INT(run(fn, 1u << 30, 0, 0, 0, 0), 0);
	CHECK_INT(run(fn, UINT64_MAX, 0, 0, 0, 0), 0);
}

/* ---- start and end ---- */

/* Get ready to load the N functions WANTED; NULL is all. */
static inline void rt_start(const enum fn *wanted, int n)
{
	static char names[FN_MAX][64];
	cpu_set_t cpus;

	read_object();
	for (int i = 0; i < FN_MAX; i++) {
		snprintf(names[i], sizeof(names[i]), "test_%s", fns[i].name);
		progs[i] = (struct load_prog){.name = names[i], .label = fns[i].name};
		progs[i].plan.kind = wanted ? ATTACH_ERROR : ATTACH_BEGIN;
	}
	for (int i = 0; i < n; i++)
		progs[wanted[i]].plan.kind = ATTACH_BEGIN;
	cpu_slot = (uint32_t)sched_getcpu();
	CPU_ZERO(&cpus);
	CPU_SET(cpu_slot, &cpus);
	CHECK_INT(sched_setaffinity(0, sizeof(cpus), &cpus), 0);
	cpu_slot *= DT_SCRATCH_SLOTS;
}

static inline void rt_end(void)
{
	free(object);
}

#endif
