// SPDX-License-Identifier: Apache-2.0
/*
 * Compares what src/load/feature.c says of this kernel with what attaching shows, and on the stock
 * kernels of tests/vm with what is known of them.
 * @ref kernels
 */
#define _GNU_SOURCE /* unshare() */
#include "test.h"

#include <errno.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include <bpf/bpf.h>

#include "base/arena.h"
#include "load/feature.h"
#include "load/load.h"
#include "types/type.h"
#include "types/types.h"

/* Called by nothing but BPF_PROG_TEST_RUN of fentry programs. */
#define FUNCTION "bpf_fentry_test1"

static struct types *types;

/* ---- what is known of the stock kernels ---- */

/* Debian's linux-image-*-cloud-amd64 under QEMU. */
static const struct {
	enum feature feature;
	bool on_6_1, on_6_12;
} known[] = {
	{FEATURE_BTF, true, true},
	{FEATURE_TP_BTF, true, true},
	{FEATURE_RAW_TP, true, true},
	{FEATURE_RAW_TP_COOKIE, false, true},
	{FEATURE_PERF_TP, true, true},
	{FEATURE_FENTRY, true, true},
	{FEATURE_FEXIT, true, true},
	{FEATURE_KPROBE, true, true},
	{FEATURE_KPROBE_MULTI, false, true},
	{FEATURE_KPROBE_SESSION, false, true},
	{FEATURE_NETFILTER, false, true},
	{FEATURE_CPU_CLOCK, true, true},
	{FEATURE_SOFTWARE_EVENTS, true, true},
	{FEATURE_HARDWARE_EVENTS, false, false},
	{FEATURE_UPROBE, true, true},
	{FEATURE_UPROBE_MULTI, false, true},
	{FEATURE_UPROBE_NOP5, true, true},
	{FEATURE_UPROBE_WRITE, false, false},
	{FEATURE_TASK_STORAGE, true, true},
	{FEATURE_READ_KERNEL, true, true},
	{FEATURE_WRITE_USER, true, true},
	{FEATURE_KALLSYMS_ALL, true, true},
	{FEATURE_LANDLOCK, true, true},
};

/* Compares the trials of FEATURE_INTERNAL with the versions of kernels that nobody has patched. */
static void test_verifier(struct features *f)
{
	int64_t version = feature_kernel_version();
	static const struct {
		enum feature feature;
		int64_t since;
	} rows[] = {
		{FEATURE_CGROUP_MEMORY, 5LL << 32 | 11 << 16},
		{FEATURE_UNPRIVILEGED_MAPS, 5LL << 32 | 19 << 16},
		{FEATURE_LARGE_STORAGE, INT64_MAX}, /* older kernels have it */
		{FEATURE_GROWING_HASHES, 6LL << 32 | 1 << 16},
		{FEATURE_TYPED_TASK, 5LL << 32 | 11 << 16},
		{FEATURE_COOKIES, 5LL << 32 | 15 << 16},
		{FEATURE_ATOMICS, 5LL << 32 | 12 << 16},
		{FEATURE_LONG_JUMPS, 6LL << 32 | 6 << 16},
		{FEATURE_PRUNED_NUMBERS, 6LL << 32 | 8 << 16},
		{FEATURE_FRAME_16, 6LL << 32 | 10 << 16},
		{FEATURE_PRIVATE_STACKS, 6LL << 32 | 13 << 16},
		{FEATURE_SYSCALLS_PREEMPT, 7LL << 32 | 2 << 16},
	};
	struct rlimit before, after;

	CHECK_INT(sizeof(rows) / sizeof(rows[0]), FEATURE_ALL - FEATURE_MAX - 1);
	getrlimit(RLIMIT_MEMLOCK, &before);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		/* stable kernels get some of them later */
		CHECK(features_has(f, rows[i].feature) || version < rows[i].since);
	CHECK(features_has(f, FEATURE_LARGE_STORAGE) || version >= 7LL << 32);
	CHECK(!features_has(f, FEATURE_SYSCALLS_PREEMPT) || version >= 7LL << 32);
	CHECK(!features_has(f, FEATURE_PRIVATE_STACKS) || version >= (6LL << 32 | 13 << 16));
	getrlimit(RLIMIT_MEMLOCK, &after);
	CHECK(before.rlim_cur == after.rlim_cur && before.rlim_max == after.rlim_max);
}

static void test_known(struct features *f)
{
	struct utsname u;
	bool old;

	CHECK_INT(sizeof(known) / sizeof(known[0]), FEATURE_MAX);
	uname(&u);
	old = !strncmp(u.release, "6.1.", 4);
	if (!strstr(u.release, "-cloud-amd64") || (!old && strncmp(u.release, "6.12.", 5)))
		return;
	for (size_t i = 0; i < FEATURE_MAX; i++) {
		bool want = old ? known[i].on_6_1 : known[i].on_6_12;

		CHECK_INT(features_has(f, known[i].feature), want);
		if (features_has(f, known[i].feature) != want)
			printf("\t%s: %s\n", feature_name(known[i].feature),
				features_why(f, known[i].feature));
	}
	if (old) {
		CHECK_STR(features_why(f, FEATURE_KPROBE_MULTI),
			"kprobe_multi: the kernel refuses to attach it (EOPNOTSUPP): it needs "
			"CONFIG_FPROBE and Linux 5.18");
		CHECK_STR(features_why(f, FEATURE_NETFILTER),
			"netfilter: the kernel refuses to load it (EINVAL): it needs "
			"CONFIG_NETFILTER_BPF_LINK and Linux 6.4");
	}
}

static void test_version(void)
{
	int64_t version = feature_kernel_version();
	char text[32];
	struct utsname u;
	int n;

	uname(&u);
	n = snprintf(text, sizeof(text), "%d.%d.%d", (int)(version >> 32),
		(int)(version >> 16 & 0xffff), (int)(version & 0xffff));
	CHECK(!strncmp(u.release, text, (size_t)n));
}

/* ---- what each says ---- */

static void test_wording(struct features *f)
{
	for (enum feature i = 0; i < FEATURE_MAX; i++) {
		const char *why = features_why(f, i), *name = feature_name(i);

		CHECK_INT(!why[0], features_has(f, i));
		CHECK(!strchr(why, '\n'));
		if (why[0])
			CHECK(!strncmp(why, name, strlen(name)) && why[strlen(name)] == ':');
		CHECK(features_why(f, i) == why);
	}
}

static void test_without_types(void)
{
	struct features *f = features_new(NULL);

	CHECK(!features_has(f, FEATURE_TP_BTF));
	CHECK_STR(features_why(f, FEATURE_TP_BTF),
		"tp_btf: the kernel refuses to show its types (ENOENT): it needs CONFIG_BPF_EVENTS "
		"and Linux 5.5");
	CHECK(!features_has(f, FEATURE_FENTRY));
	features_free(f);
}

/* ---- what attaching shows ---- */

static int load(enum bpf_prog_type type, int attach_type, uint32_t btf_id, int value)
{
	const struct bpf_insn insns[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = value},
		{.code = BPF_JMP | BPF_EXIT},
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .attach_btf_id = btf_id,
		.expected_attach_type = (enum bpf_attach_type)attach_type);

	return bpf_prog_load(type, NULL, "GPL", insns, 2, &opts);
}

static bool is_attached(int prog, int link)
{
	if (prog >= 0)
		close(prog);
	if (link >= 0)
		close(link);
	return link >= 0;
}

static bool attach_tracing(int attach_type, uint32_t btf_id)
{
	int prog = btf_id ? load(BPF_PROG_TYPE_TRACING, attach_type, btf_id, 0) : -1;

	return is_attached(prog, prog < 0 ? -1 : bpf_raw_tracepoint_open(NULL, prog));
}

static bool attach_raw_tp(void)
{
	int prog = load(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0, 0);

	return is_attached(prog, bpf_raw_tracepoint_open("bpf_test_finish", prog));
}

static bool attach_multi(int attach_type)
{
	const char *name = FUNCTION;
	LIBBPF_OPTS(bpf_link_create_opts, opts, .kprobe_multi.syms = &name, .kprobe_multi.cnt = 1);
	int prog = load(BPF_PROG_TYPE_KPROBE, attach_type, 0, 0);
	struct {
		uint32_t prog, target, attach_type, flags, multi_flags, cnt;
		uint64_t syms, addrs, cookies;
	} attr = {.prog = (uint32_t)prog,
		.attach_type = (uint32_t)attach_type,
		.cnt = 1,
		.syms = (uintptr_t)&name};

	if (attach_type == BPF_TRACE_KPROBE_MULTI)
		return is_attached(prog, bpf_link_create(prog, 0, BPF_TRACE_KPROBE_MULTI, &opts));
	return is_attached(prog, (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr)));
}

static bool attach_perf(struct perf_event_attr *attr, const char *source)
{
	int prog = load(BPF_PROG_TYPE_KPROBE, 0, 0, 0), event, link;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", source);
	f = fopen(path, "re");
	if (!f || fscanf(f, "%u", &attr->type) != 1)
		return is_attached(prog, -1);
	fclose(f);
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	event = (int)syscall(SYS_perf_event_open, attr, -1, 0, -1, 0);
	link = event < 0 ? -1 : bpf_link_create(prog, event, BPF_PERF_EVENT, NULL);
	if (link < 0 && event >= 0 && !ioctl(event, PERF_EVENT_IOC_SET_BPF, prog))
		link = dup(event); /* before Linux 5.15 */
	if (event >= 0)
		close(event);
	return is_attached(prog, link);
}

static bool attach_kprobe(void)
{
	struct perf_event_attr attr = {.kprobe_func = (uintptr_t)FUNCTION};

	return attach_perf(&attr, "kprobe");
}

/* On a file that no process maps. */
static bool attach_uprobe(void)
{
	char path[] = "uprobe.XXXXXX";
	struct perf_event_attr attr = {.uprobe_path = (uintptr_t)path};
	int fd = mkstemp(path);
	bool ok;

	CHECK(write(fd, path, sizeof(path)) == sizeof(path));
	ok = attach_perf(&attr, "uprobe");
	close(fd);
	unlink(path);
	return ok;
}

/* In a network of its own. */
static bool attach_netfilter(void)
{
	struct {
		uint32_t prog, target, attach_type, flags, pf, hook;
		int32_t priority;
		uint32_t nf_flags;
	} attr = {.attach_type = 45 /* BPF_NETFILTER */, .pf = 2, .hook = 3, .priority = 7};
	int prog = load((enum bpf_prog_type)32 /* BPF_PROG_TYPE_NETFILTER */, 45, 0, 1);

	CHECK_INT(unshare(CLONE_NEWNET), 0);
	attr.prog = (uint32_t)prog;
	return is_attached(prog, (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr)));
}

static uint32_t function_id(void)
{
	const struct type *func = types_function(types, FUNCTION);

	return func ? func->id : 0;
}

static void test_attached(struct features *f)
{
	CHECK_INT(features_has(f, FEATURE_TP_BTF),
		attach_tracing(BPF_TRACE_RAW_TP, types_tracepoint(types, "bpf_test_finish", NULL)));
	CHECK_INT(features_has(f, FEATURE_RAW_TP), attach_raw_tp());
	CHECK_INT(features_has(f, FEATURE_FENTRY), attach_tracing(BPF_TRACE_FENTRY, function_id()));
	CHECK_INT(features_has(f, FEATURE_FEXIT), attach_tracing(BPF_TRACE_FEXIT, function_id()));
	CHECK_INT(features_has(f, FEATURE_KPROBE), attach_kprobe());
	CHECK_INT(features_has(f, FEATURE_UPROBE), attach_uprobe());
	CHECK_INT(features_has(f, FEATURE_KPROBE_MULTI), attach_multi(BPF_TRACE_KPROBE_MULTI));
	CHECK_INT(features_has(f, FEATURE_KPROBE_SESSION),
		attach_multi(56 /* BPF_TRACE_KPROBE_SESSION */));
	CHECK_INT(features_has(f, FEATURE_NETFILTER), attach_netfilter());
}

/* tracefs is there whether or not it is mounted, and is not mounted by that. */
static void test_tracefs(struct features *f)
{
	int fd = features_tracefs(f);

	CHECK_INT(fd >= 0, features_has(f, FEATURE_PERF_TP));
	CHECK_INT(features_tracefs(f), fd);
	if (fd >= 0)
		CHECK(!faccessat(fd, "events/sched", X_OK, 0));
}

int main(void)
{
	struct load_btf btf = {0};
	struct arena *arena = arena_new();
	struct features *f;

	if (geteuid())
		test_skip("not root");
	types = types_new(arena, 256, load_kernel_types, &btf);
	f = features_new(types);
	test_known(f);
	test_verifier(f);
	test_version();
	test_wording(f);
	test_without_types();
	test_tracefs(f);
	test_attached(f);
	features_free(f);
	arena_free(arena);
	load_kernel_types_free(&btf);
	return test_done();
}
