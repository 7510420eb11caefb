// SPDX-License-Identifier: Apache-2.0
/*
 * The run-time library's functions, run in the kernel by test_rt.bpf.c (its object lies beside
 * this program), against the same things done in plain C.
 */
#define _GNU_SOURCE /* dirname() and basename() of POSIX, sched_setaffinity() */
#include "test.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>

#include "abi/record.h"
#include "load/internal.h"
#include "load/rt_image.h"
#include "rt/conf.h"

enum fn {
#define RT(name, nargs) FN_##name,
#include "abi/runtime.def"
	FN_MAX,
};

static const struct {
	const char *name;
	int nargs;
} fns[] = {
#define RT(name, nargs) {#name, nargs},
#include "abi/runtime.def"
};

#define RESULT 5 /* where test_rt.bpf.c leaves it */

static struct load_prog progs[FN_MAX];
static char *object;
static size_t object_len;

/* What is loaded now. */
static struct load *load;
static volatile uint64_t *call;
static int scratch_fd;
static uint32_t strsize, room, scratch_size, value_size;
static char *mem, *after;

static uint32_t cpu_slot; /* number of this CPU's first slot */

/* ---- setting up ---- */

static void read_object(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 8);
	FILE *f;

	if (n < 0)
		test_skip("no /proc");
	strcpy(path + n, ".bpf.o");
	f = fopen(path, "re");
	if (!f) {
		printf("%s: %s\n", path, strerror(errno));
		exit(1);
	}
	object = malloc(1 << 20);
	object_len = fread(object, 1, 1 << 20, f);
	fclose(f);
}

static void report_cost(void)
{
	for (int i = 0; i < FN_MAX; i++) {
		struct bpf_prog_info info = {0};
		__u32 len = sizeof(info);
		int fd = bpf_program__fd(load->slots[i].prog);

		if (!bpf_obj_get_info_by_fd(fd, &info, &len))
			printf("strsize %u: %s: %u instructions verified\n", strsize, fns[i].name,
				info.verified_insns);
	}
}

static void open_with(uint32_t size)
{
	struct load_options opts = {.cpu = UINT32_MAX};
	struct load_image image = {
		.elf = object,
		.elf_len = object_len,
		.needs_rt = true,
		.progs = progs,
		.nprogs = FN_MAX,
		.strsize = size,
		.nspec = 4,
	};
	int err;

	strsize = size;
	room = size + 1;
	scratch_size = image.scratch_size = 3 * room;
	value_size = (uint32_t)dt_slot_size(strsize, scratch_size);
	err = load_open(&image, NULL, &opts, &load);
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
	if (getenv("VERBOSE"))
		report_cost();
}

static void close_all(void)
{
	munmap((void *)call, (size_t)getpagesize());
	load_close(load);
	free(mem);
	free(after);
}

/* ---- calling ---- */

static uint64_t run(enum fn fn, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
	uint64_t ctx[12] = {0};
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = ctx, .ctx_size_in = sizeof(ctx));

	call[0] = a, call[1] = b, call[2] = c, call[3] = d, call[4] = e;
	call[RESULT] = 0xdead;
	CHECK_INT(bpf_prog_test_run_opts(bpf_program__fd(load->slots[fn].prog), &opts), 0);
	return call[RESULT];
}

/* Run a string function on slot 3 holding `mem`; `after` is what it left. */
static uint64_t run_string(enum fn fn, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
	uint32_t slot = cpu_slot + 3;
	uint64_t result;

	CHECK_INT(bpf_map_update_elem(scratch_fd, &slot, mem, BPF_ANY), 0);
	result = run(fn, slot, b, c, d, e);
	CHECK_INT(bpf_map_lookup_elem(scratch_fd, &slot, after), 0);
	return result;
}

/* The string at DST is WANT, its length was returned, and nothing else has changed. */
static void check_string(uint64_t result, uint32_t dst, const char *want)
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

static uint32_t any(uint32_t limit)
{
	static uint64_t x = 88172645463325252ull;

	x ^= x << 13, x ^= x >> 7, x ^= x << 17;
	return (uint32_t)((x >> 16) % limit);
}

/* A string of up to strsize of the letters of SET at OFF, garbage behind it. */
static const char *any_string(uint32_t off, const char *set)
{
	uint32_t n = (uint32_t)strlen(set), len = any(3) ? any(24) : any(strsize + 1);

	if (len > strsize)
		len = strsize;
	for (uint32_t i = 0; i < room; i++)
		mem[off + i] = i < len ? set[any(n)] : (char)any(256);
	mem[off + len] = '\0';
	return mem + off;
}

static int64_t any_value(void)
{
	static const int64_t edges[] = {0, 1, -1, INT64_MAX, INT64_MIN, INT64_MIN + 1, INT32_MAX,
		INT32_MIN, 9, 10, -9, -10, 99, 100, 1000000000000000000};
	int64_t v = (int64_t)(((uint64_t)any(UINT32_MAX) << 32) | any(UINT32_MAX));

	switch (any(4)) {
	case 0:
		return edges[any(sizeof(edges) / sizeof(edges[0]))];
	case 1:
		return (int64_t)((1ull << any(64)) - 1 + any(3));
	case 2:
		return -(v >> (1 + any(62)));
	default:
		return v >> any(63);
	}
}

/* Three places in the slot, in any order. */
static void any_places(uint32_t *p)
{
	uint32_t first = any(3), step = 1 + any(2);

	for (uint32_t i = 0; i < 3; i++)
		p[i] = (first + i * step) % 3 * room;
}

/* ---- the functions ---- */

static void try_strcmp(void)
{
	uint32_t p[3];
	const char *a, *b;
	int want;

	any_places(p);
	a = any_string(p[0], "ab\xff");
	b = any_string(p[1], "ab\xff");
	if (any(2)) { /* the same, or with one byte different */
		strcpy(mem + p[1], a);
		if (any(2) && a[0])
			mem[p[1] + any((uint32_t)strlen(a))] = (char)any(256);
	}
	want = strcmp(a, b);
	CHECK_INT(run_string(FN_dt_strcmp, p[0], p[1], 0, 0), want > 0 ? 1 : want < 0 ? -1 : 0);
	CHECK(!memcmp(mem, after, scratch_size));
}

static void try_strjoin(void)
{
	char *want;
	uint32_t p[3];
	uint64_t n;

	any_places(p);
	any_string(p[0], "junk");
	any_string(p[1], "abc");
	any_string(p[2], "xyz");
	CHECK(asprintf(&want, "%s%s", mem + p[1], mem + p[2]) >= 0);
	n = run_string(FN_dt_strjoin, p[0], p[1], p[2], 0);
	check_string(n, p[0], want);
	free(want);
}

/* The characters from the start to before the end, where both may lie outside of the string. */
static void substr_reference(char *out, const char *s, int64_t index, int64_t count)
{
	int64_t len = (int64_t)strlen(s), start = index < 0 ? index + len : index, end = len, i;

	if (count < 0)
		end = start < 0 ? 0 : len + count;
	else if (count != LONG_MAX)
		end = start + count;
	for (i = 0; i < len; i++)
		if (i >= start && i < end)
			*out++ = s[i];
	*out = '\0';
}

static void check_substr(uint32_t dst, uint32_t src, int64_t index, int64_t count)
{
	char *want = malloc(room);
	uint64_t n;

	substr_reference(want, mem + src, index, count);
	n = run_string(FN_dt_substr, dst, src, (uint64_t)index, (uint64_t)count);
	check_string(n, dst, want);
	free(want);
}

static void try_substr(void)
{
	static const int64_t edges[] = {0, -1, 1, INT32_MAX, INT32_MIN, LONG_MAX};
	int64_t index, count;
	uint32_t p[3], len;

	any_places(p);
	any_string(p[0], "junk");
	len = (uint32_t)strlen(any_string(p[1], "abcdefgh"));
	index = any(5) ? (int64_t)any(2 * len + 5) - len - 2 : edges[any(5)];
	count = any(3) ? (int64_t)any(2 * len + 5) - len - 2 : edges[any(6)];
	check_substr(any(4) ? p[0] : p[1], p[1], index, count);
}

static void try_path(const char *set)
{
	char *copy, *dir;
	uint32_t p[3];
	uint64_t n;

	any_places(p);
	any_string(p[0], "junk");
	any_string(p[1], set);
	copy = strdup(mem + p[1]);
	n = run_string(FN_dt_basename, p[0], p[1], 0, 0);
	check_string(n, p[0], basename(copy));
	free(copy);

	copy = strdup(mem + p[1]);
	n = run_string(FN_dt_dirname, p[0], p[1], 0, 0);
	dir = dirname(copy);
	check_string(n, p[0], !strcmp(dir, "//") ? "/" : dir); /* glibc keeps "//" alone */
	free(copy);
}

static void try_lltostr(void)
{
	int64_t v = any_value();
	char want[32];
	uint32_t p[3];
	uint64_t n;

	any_places(p);
	any_string(p[0], "junk");
	snprintf(want, sizeof(want), "%lld", (long long)v);
	n = run_string(FN_dt_lltostr, p[0], (uint64_t)v, 0, 0);
	check_string(n, p[0], want);
}

/* Offsets and slots that are out of range do nothing. */
static void test_bounds(void)
{
	const enum fn fn[] = {FN_dt_strcmp, FN_dt_strjoin, FN_dt_substr, FN_dt_basename,
		FN_dt_dirname, FN_dt_lltostr};
	const uint64_t bad[] = {scratch_size - room + 1, scratch_size, value_size, UINT32_MAX,
		1ull << 32, UINT64_MAX, 1ull << 63};

	any_string(0, "abc");
	any_string(room, "abc");
	any_string(2 * room, "abc");
	for (unsigned i = 0; i < sizeof(fn) / sizeof(fn[0]); i++) {
		for (unsigned j = 0; j < sizeof(bad) / sizeof(bad[0]); j++) {
			CHECK_INT(run_string(fn[i], bad[j], 0, 0, 0), 0);
			CHECK(!memcmp(mem, after, value_size));
			if (fn[i] == FN_dt_lltostr)
				continue;
			CHECK_INT(run_string(fn[i], 0, bad[j], bad[j], 0), 0);
			CHECK(!memcmp(mem, after, value_size));
		}
		CHECK_INT(run(fn[i], 1u << 30, 0, 0, 0, 0), 0);
		CHECK_INT(run(fn[i], UINT64_MAX, 0, 0, 0, 0), 0);
	}
}

static void test_strings(uint32_t size, int rounds)
{
	open_with(size);
	test_bounds();
	for (int i = 0; i < rounds; i++) {
		try_strcmp();
		try_strjoin();
		try_substr();
		try_path("a/");
		try_path("abcdef/");
		try_path("/");
		try_lltostr();
	}
	close_all();
}

/* ---- examples of the language's description ---- */

static void check_path(const char *path, const char *base, const char *dir)
{
	strcpy(mem, path);
	check_string(run_string(FN_dt_basename, room, 0, 0, 0), room, base);
	check_string(run_string(FN_dt_dirname, room, 0, 0, 0), room, dir);
}

static void test_examples(void)
{
	check_path("", ".", ".");
	check_path("/", "/", "/");
	check_path("//", "/", "/");
	check_path("/a", "a", "/");
	check_path("a", "a", ".");
	check_path("a/", "a", ".");
	check_path("/usr//lib///", "lib", "/usr");
	check_path("usr/lib", "lib", "usr");
	check_path("//a", "a", "/");
	strcpy(mem, "abcdef");
	check_substr(room, 0, -8, -1);
	CHECK_STR(after + room, "");
	check_substr(room, 0, -8, 4);
	CHECK_STR(after + room, "ab");
	check_substr(room, 0, 2, -1);
	CHECK_STR(after + room, "cde");
	check_substr(room, 0, -2, LONG_MAX);
	CHECK_STR(after + room, "ef");
	check_string(
		run_string(FN_dt_lltostr, 0, (uint64_t)INT64_MIN, 0, 0), 0, "-9223372036854775808");
}

/* ---- aggregations ---- */

static void try_quantize(void)
{
	int64_t v = any_value();

	CHECK_INT(run(FN_dt_quantize, (uint64_t)v, 0, 0, 0, 0), agg_bucket(AGG_QUANTIZE, NULL, v));
}

static void try_lquantize(void)
{
	struct agg_params p = {.step = (uint16_t)(1 + any(any(2) ? 5 : 65535))};
	uint32_t levels = 1 + any(any(2) ? 10 : 65535);
	int64_t limit, v;

	p.base = (int32_t)(any(UINT32_MAX) ^ 0x80000000u) >> any(31);
	limit = p.base + (int64_t)levels * p.step;
	if (limit > INT32_MAX)
		limit = INT32_MAX;
	if (limit - p.base < p.step)
		return;
	p.limit = (int32_t)limit;
	levels = agg_nbuckets(AGG_LQUANTIZE, &p) - 2;
	v = any(2) ? any_value() : p.base - 2 + (int64_t)any((uint32_t)(limit - p.base) + 5);
	CHECK_INT(run(FN_dt_lquantize, (uint64_t)v, (uint64_t)(int64_t)p.base, p.step, levels, 0),
		agg_bucket(AGG_LQUANTIZE, &p, v));
}

static void try_llquantize(void)
{
	/* as the compiler lets them through: F^(hmag+1) fits, steps divide */
	static const struct agg_params params[] = {
		{.factor = 10, .lmag = 0, .hmag = 6, .steps = 10},
		{.factor = 10, .lmag = 0, .hmag = 18, .steps = 5},
		{.factor = 10, .lmag = 3, .hmag = 9, .steps = 100},
		{.factor = 10, .lmag = 0, .hmag = 3, .steps = 100},
		{.factor = 2, .lmag = 0, .hmag = 62, .steps = 2},
		{.factor = 2, .lmag = 0, .hmag = 62, .steps = 1},
		{.factor = 2, .lmag = 0, .hmag = 62, .steps = 4},
		{.factor = 16, .lmag = 2, .hmag = 14, .steps = 4096},
		{.factor = 65535, .lmag = 0, .hmag = 2, .steps = 1},
		{.factor = 3, .lmag = 5, .hmag = 5, .steps = 3},
	};
	const struct agg_params *p = &params[any(sizeof(params) / sizeof(params[0]))];
	int64_t v = any_value();

	CHECK_INT(run(FN_dt_llquantize, (uint64_t)v, p->factor, p->lmag, p->hmag, p->steps),
		agg_bucket(AGG_LLQUANTIZE, p, v));
}

static void try_square(void)
{
	int64_t v = any_value();
	unsigned __int128 square = (unsigned __int128)((__int128)v * v);

	CHECK_INT(run(FN_dt_square_high, (uint64_t)v, 0, 0, 0, 0), (int64_t)(square >> 64));
}

static void test_aggs(int rounds)
{
	for (int i = 0; i < rounds; i++) {
		try_quantize();
		try_lquantize();
		try_llquantize();
		try_square();
	}
	/* nonsense must not hang or crash */
	run(FN_dt_lquantize, 5, 0, 0, 0, 0);
	run(FN_dt_llquantize, 5, 0, 0, 0, 0);
	run(FN_dt_llquantize, UINT64_MAX, UINT64_MAX, 0, UINT64_MAX, 0);
}

/* ---- scratch slots ---- */

static void test_scratch(void)
{
	uint64_t seen = 0;

	for (int i = 0; i < DT_SCRATCH_SLOTS; i++) {
		uint64_t slot = run(FN_dt_scratch_claim, 0, 0, 0, 0, 0) - cpu_slot;

		CHECK(slot < DT_SCRATCH_SLOTS);
		CHECK(!(seen & (1ull << slot)));
		seen |= 1ull << slot;
	}
	CHECK_INT(run(FN_dt_scratch_claim, 0, 0, 0, 0, 0), -1);
	run(FN_dt_scratch_release, cpu_slot + 5, 0, 0, 0, 0);
	run(FN_dt_scratch_release, cpu_slot + DT_SCRATCH_SLOTS, 0, 0, 0, 0); /* another CPU's */
	run(FN_dt_scratch_release, UINT64_MAX, 0, 0, 0, 0);
	CHECK_INT(run(FN_dt_scratch_claim, 0, 0, 0, 0, 0), cpu_slot + 5);
	CHECK_INT(run(FN_dt_scratch_claim, 0, 0, 0, 0, 0), -1);
	for (uint32_t i = 0; i < DT_SCRATCH_SLOTS; i++)
		run(FN_dt_scratch_release, cpu_slot + i, 0, 0, 0, 0);
	CHECK_INT(run(FN_dt_scratch_claim, 0, 0, 0, 0, 0), cpu_slot);
	run(FN_dt_scratch_release, cpu_slot, 0, 0, 0, 0);
}

/* ---- the embedded object has what runtime.def says ---- */

static int nargs_of(const char *name)
{
	for (int i = 0; i < FN_MAX; i++)
		if (!strcmp(fns[i].name, name))
			return fns[i].nargs;
	return -1;
}

static void test_prototypes(void)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = "rt");
	size_t len;
	const void *elf = rt_image(&len);
	struct bpf_object *obj = bpf_object__open_mem(elf, len, &opts);
	struct btf *btf = obj ? bpf_object__btf(obj) : NULL;
	int found = 0;

	CHECK(btf != NULL);
	for (__u32 id = 1; btf && id < btf__type_cnt(btf); id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);

		if (!btf_is_func(t) || btf_vlen(t) != BTF_FUNC_GLOBAL)
			continue;
		found++;
		CHECK_INT(btf_vlen(btf__type_by_id(btf, t->type)),
			nargs_of(btf__name_by_offset(btf, t->name_off)));
	}
	CHECK_INT(found, FN_MAX);
	bpf_object__close(obj);
}

int main(void)
{
	static char names[FN_MAX][64];
	cpu_set_t cpus;
	char why[256];

	test_prototypes();
	if (load_privileges(why, sizeof(why)))
		test_skip(why);
	read_object();
	for (int i = 0; i < FN_MAX; i++) {
		snprintf(names[i], sizeof(names[i]), "test_%s", fns[i].name);
		progs[i] = (struct load_prog){.name = names[i], .label = fns[i].name};
		progs[i].plan.kind = ATTACH_BEGIN;
	}
	cpu_slot = (uint32_t)sched_getcpu();
	CPU_ZERO(&cpus);
	CPU_SET(cpu_slot, &cpus);
	CHECK_INT(sched_setaffinity(0, sizeof(cpus), &cpus), 0);
	cpu_slot *= DT_SCRATCH_SLOTS;

	open_with(256);
	test_examples();
	test_aggs(4000);
	test_scratch();
	close_all();
	for (uint32_t size = 2; size < 20; size++)
		test_strings(size, 60);
	test_strings(255, 300);
	test_strings(256, 300);
	test_strings(1000, 100);
	test_strings(4096, 60);
	test_strings(65536, 10);
	free(object);
	return test_done();
}
