// SPDX-License-Identifier: Apache-2.0
/* Loads test_load.bpf.c, whose object lies beside this program, and lets it fire. */
#define _GNU_SOURCE /* unshare(), memfd_create(), setresuid() */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "abi/kernel.h"
#include "abi/usdt.h"
#include "base/arena.h"
#include "load/load.h"
#include "types/type.h"
#include "types/types.h"

/* As in test_load.bpf.c. */
struct counts {
	uint64_t begin, end, enter, clock[64];
	uint64_t tgid, nr;
};

#define MS 1000000ull

static char *object;
static size_t object_len;
static struct types *types;
static const struct load_options plain = {.cpu = UINT32_MAX};

/* ---- helpers ---- */

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

static struct load_image image_of(const struct load_prog *progs, uint32_t n)
{
	return (struct load_image){
		.elf = object, .elf_len = object_len, .progs = progs, .nprogs = n, .strsize = 256};
}

static struct load *open_image(
	const struct load_prog *progs, uint32_t n, const struct load_options *opts, int want)
{
	struct load_image image = image_of(progs, n);
	struct load *l;
	int err = load_open(&image, types, opts, &l);

	CHECK_INT(err, want);
	if (err && !want)
		printf("%s\n%s\n", load_error(l), load_log(l));
	CHECK(!err == !load_error(l)[0]);
	return l;
}

static uint64_t sum(const volatile uint64_t *n, size_t len)
{
	uint64_t all = 0;

	for (size_t i = 0; i < len; i++)
		all += n[i];
	return all;
}

static struct counts *map_counts(struct load *l)
{
	void *p = mmap(NULL, (size_t)getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED,
		load_map_fd(l, "counts"), 0);

	if (p == MAP_FAILED) {
		CHECK(p != MAP_FAILED);
		exit(test_done());
	}
	return p;
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void report(const char *what, double since)
{
	if (getenv("VERBOSE"))
		printf("%s: %.2f ms\n", what, now_ms() - since);
}

/* Bytes that this process has read(2) so far. */
static long bytes_read(void)
{
	long n = -1;
	FILE *f = fopen("/proc/self/io", "re");

	if (f && fscanf(f, "rchar: %ld", &n) != 1)
		n = -1;
	if (f)
		fclose(f);
	return n;
}

static void spin(double ms)
{
	double end = now_ms() + ms;

	while (now_ms() < end)
		;
}

/* ---- programs ---- */

static const struct load_prog begin = {
	.name = "begin", .label = "dtrace:::BEGIN", .plan = {.kind = ATTACH_BEGIN}};
static const struct load_prog end = {
	.name = "end", .label = "dtrace:::END", .plan = {.kind = ATTACH_END}};
static const struct load_prog enter = {.name = "enter",
	.label = "syscall:vmlinux:getppid:entry",
	.plan = {.kind = ATTACH_TP_BTF, .hook = "sys_enter"}};
static const struct load_prog profile = {.name = "clock",
	.label = "profile:::profile-1000",
	.plan = {.kind = ATTACH_CPU_CLOCK, .period = MS, .all_cpus = true}};
static const struct load_prog tick = {.name = "clock",
	.label = "profile:::tick-1ms",
	.plan = {.kind = ATTACH_CPU_CLOCK, .period = MS}};

static void test_all(void)
{
	const struct load_prog progs[] = {begin, end, enter, profile,
		{.name = "refused", .label = "dtrace:::ERROR", .plan = {.kind = ATTACH_ERROR}}};
	double t = now_ms();
	struct load *l = open_image(progs, 5, &plain, 0);
	volatile struct dt_state *state = load_state(l);
	struct counts *c = map_counts(l);

	report("open", t);
	CHECK(state != NULL);
	CHECK_STR(load_log(l), "");
	CHECK_INT(load_map_fd(l, "nothing"), -1);
	CHECK(load_map_fd(l, DT_SEC_STATE) >= 0);
	c->tgid = (uint64_t)getpid();
	c->nr = SYS_getppid;

	CHECK_INT(load_run(l, ATTACH_BEGIN), 0);
	CHECK_INT(c->begin, 0); /* not its turn */
	state->activity = DT_BEGINNING;
	CHECK_INT(load_run(l, ATTACH_BEGIN), 0);
	CHECK_INT(c->begin, 1);

	t = now_ms();
	CHECK_INT(load_attach(l), 0);
	report("attach", t);
	syscall(SYS_getppid);
	CHECK_INT(c->enter, 0);
	state->activity = DT_ACTIVE;
	for (int i = 0; i < 1000; i++)
		syscall(SYS_getppid);
	CHECK_INT(c->enter, 1000);
	for (int i = 0; i < 200 && sum(c->clock, 2) < 25; i++)
		spin(50);
	state->activity = DT_ENDING;
	CHECK(c->clock[0] + c->clock[1] >= 25);
	CHECK_INT(load_run(l, ATTACH_END), 0);
	CHECK_INT(c->end, 1);
	CHECK_INT(c->begin, 1);

	t = now_ms();
	load_detach(l);
	report("detach", t);
	load_detach(l);
	state->activity = DT_ACTIVE;
	memset(c->clock, 0, sizeof(c->clock));
	syscall(SYS_getppid);
	spin(5);
	CHECK_INT(c->enter, 1000);
	CHECK_INT(c->clock[0] + c->clock[1], 0);
	munmap(c, (size_t)getpagesize());
	t = now_ms();
	load_close(l);
	report("close", t);
}

/*
 * Clock events: how many fired on each CPU in 50 ms, or until there were 20: a busy machine may let
 * a virtual CPU wait for longer.
 */
static void count_clock(const struct load_prog *prog, uint32_t cpu, uint64_t *clock)
{
	struct load_options opts = {.cpu = cpu};
	struct load *l = open_image(prog, 1, &opts, 0);
	struct counts *c = map_counts(l);

	CHECK_INT(load_attach(l), 0);
	load_state(l)->activity = DT_ACTIVE;
	for (int i = 0; i < 200 && sum(c->clock, 64) < 20; i++)
		spin(50);
	load_detach(l);
	memcpy(clock, c->clock, sizeof(c->clock));
	munmap(c, (size_t)getpagesize());
	load_close(l);
}

static void test_clock(void)
{
	struct load_options opts = {.cpu = 8000};
	uint64_t clock[64];
	struct load *l;
	cpu_set_t cpus;

	count_clock(&tick, UINT32_MAX, clock);
	CHECK(clock[0] >= 1);
	for (int i = 1; i < 64; i++)
		CHECK_INT(clock[i], 0);

	l = open_image(&profile, 1, &opts, 0);
	CHECK_INT(load_attach(l), -ENODEV);
	CHECK_STR(load_error(l), "cannot attach 'profile:::profile-1000': CPU 8000 is not online");
	load_close(l);

	CPU_ZERO(&cpus);
	if (sched_getaffinity(0, sizeof(cpus), &cpus) || !CPU_ISSET(1, &cpus)) {
		printf("one CPU only: some checks not made\n");
		return;
	}
	count_clock(&profile, UINT32_MAX, clock);
	CHECK(clock[0] + clock[1] >= 20);
	count_clock(&profile, 1, clock);
	CHECK_INT(clock[0], 0);
	CHECK(clock[1] >= 10);
	count_clock(&tick, 1, clock);
	CHECK_INT(clock[0], 0);
	CHECK(clock[1] >= 10);
}

/* ---- what goes wrong ---- */

static void test_refused(void)
{
	const struct load_prog progs[] = {begin,
		{.name = "refused", .label = "a:b:c:d", .plan = {.kind = ATTACH_BEGIN}}, end};
	struct load_options small = {.cpu = UINT32_MAX, .log_size = 256};
	struct load *l = open_image(progs, 3, &plain, -EACCES);

	CHECK_STR(load_error(l), "BPF program load for 'a:b:c:d' failed: Permission denied");
	CHECK(strstr(load_log(l), "invalid bpf_context access") != NULL);
	CHECK(strstr(load_log(l), "ctx[100] != 0") != NULL); /* the source line */
	CHECK_INT(load_log_lost(l), 0);
	load_close(l);

	/* kernels before 6.4 give no part of a log that does not fit */
	struct load_image image = image_of(progs, 3);

	CHECK_INT(load_open(&image, types, &small, &l), -EACCES);
	CHECK(load_log_lost(l) == 256 || strlen(load_log(l)) > 100);
	CHECK(!load_log_lost(l) || !load_log(l)[0]);
	load_close(l);
}

static void test_log_on_success(void)
{
	const struct load_prog progs[] = {begin, enter};
	struct load_options opts = {.cpu = UINT32_MAX, .log = true};
	struct load *l = open_image(progs, 2, &opts, 0);

	CHECK(strstr(load_log(l), "dtrace:::BEGIN:\n") != NULL);
	CHECK(strstr(load_log(l), "syscall:vmlinux:getppid:entry:\n") != NULL);
	CHECK(strstr(load_log(l), "processed ") != NULL);
	load_close(l);

	opts.log_size = 256;
	l = open_image(progs, 2, &opts, 0);
	CHECK_INT(load_attach(l), 0);
	load_close(l);
}

static void test_missing(void)
{
	struct load_prog unknown = enter;
	struct load_prog absent = begin;
	struct load_image image;
	struct load *l;

	unknown.plan.hook = "no_such_tracepoint";
	l = open_image(&unknown, 1, &plain, -ENOENT);
	CHECK_STR(load_error(l),
		"cannot enable 'syscall:vmlinux:getppid:entry': this kernel has no tracepoint "
		"'no_such_tracepoint'");
	load_close(l);

	absent.name = "absent";
	l = open_image(&absent, 1, &plain, -EINVAL);
	CHECK_STR(load_error(l), "BPF program for 'dtrace:::BEGIN' is not in the object");
	load_close(l);

	image = image_of(&begin, 1);
	image.elf = "not an object";
	image.elf_len = 13;
	CHECK(load_open(&image, types, &plain, &l) < 0);
	CHECK(strstr(load_error(l), "BPF program content is invalid: ") == load_error(l));
	load_close(l);
	image.needs_rt = RT_NEEDS_ALL;
	CHECK(load_open(&image, types, &plain, &l) < 0);
	CHECK(strstr(load_error(l), "cannot link the run-time library: ") == load_error(l));
	load_close(l);
}

/* With the run-time library linked in but none of it called, its maps are not created. */
static void test_needless_rt(void)
{
	struct load_image image = image_of(&begin, 1);
	struct load *l;

	image.needs_rt = RT_NEEDS_ALL;
	CHECK_INT(load_open(&image, types, &plain, &l), 0);
	CHECK_INT(load_map_fd(l, DT_MAP_SCRATCH), -1);
	CHECK_INT(load_map_fd(l, DT_MAP_SCRATCH_BUSY), -1);
	CHECK_INT(load_map_fd(l, DT_SEC_CONF), -1);
	load_close(l);
}

/* libbpf is not to read the kernel's types, some megabytes. */
static void test_cheap(void)
{
	long before = bytes_read();
	struct load *l = open_image(&enter, 1, &plain, 0);
	long used = bytes_read() - before;

	load_close(l);
	if (before < 0)
		printf("no /proc/self/io: one check not made\n");
	else
		CHECK(used < 100000);
}

/* ---- privileges ---- */

/* In a child: make it as PREPARE says, then ask; the answer must contain WANT, NULL = nothing. */
static void check_privileges(int (*prepare)(uint64_t arg), uint64_t arg, const char *want)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		char buf[256];
		const char *got;

		if (prepare(arg)) {
			printf("one check of privileges not made: %s\n", strerror(errno));
			fflush(stdout);
			_exit(0);
		}
		got = load_privileges(buf, sizeof(buf));
		if (want ? got && strstr(got, want) && !strchr(got, '\n') : !got)
			_exit(0);
		printf("\tgot  [%s]\n\twant [%s]\n", got ? got : "none", want ? want : "none");
		fflush(stdout);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	CHECK_INT(status, 0);
}

/* User nobody with these capabilities. */
static int be_nobody(uint64_t caps)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {
		{.effective = (uint32_t)caps, .permitted = (uint32_t)caps},
		{.effective = (uint32_t)(caps >> 32), .permitted = (uint32_t)(caps >> 32)},
	};

	prctl(PR_SET_KEEPCAPS, 1);
	if (setresuid(65534, 65534, 65534))
		return -1;
	return (int)syscall(SYS_capset, &head, data);
}

/* Root of a user namespace, as in a container. */
static int be_contained(uint64_t arg)
{
	int fd;

	if (unshare(CLONE_NEWUSER))
		return -1;
	fd = open("/proc/self/uid_map", O_WRONLY | O_CLOEXEC);
	return fd < 0 || write(fd, "0 0 1", 5) != 5;
}

/* bpf(2) fails with ERR, as where the kernel or a filter does not have it. */
static int be_filtered(uint64_t err)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)err),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {.len = 4, .filter = code};

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

static void test_privileges(void)
{
	uint64_t bpf = 1ull << CAP_BPF, perfmon = 1ull << CAP_PERFMON;

	fflush(stdout);
	check_privileges(be_nobody, 0, "run it as root, or with CAP_BPF and CAP_PERFMON");
	check_privileges(be_nobody, bpf, "run it as root, or with CAP_PERFMON");
	check_privileges(be_nobody, perfmon, "run it as root, or with CAP_BPF");
	check_privileges(be_nobody, bpf | perfmon, NULL);
	check_privileges(be_nobody, 1ull << CAP_SYS_ADMIN, NULL);
	check_privileges(be_contained, 0, "user namespace");
	check_privileges(be_filtered, ENOSYS, "CONFIG_BPF_SYSCALL");
	check_privileges(be_filtered, EPERM, "seccomp");
}

int main(void)
{
	struct arena *arena = arena_new();
	struct load_btf btf = {0};
	char why[256];
	int err_fd = memfd_create("stderr", 0), kept = dup(2);
	struct stat st = {0};

	if (load_privileges(why, sizeof(why)))
		test_skip(why);
	read_object();
	types = types_new(arena, 256, load_kernel_types, &btf);
	CHECK(types_tracepoint(types, "sys_enter", NULL) != 0);

	fflush(stderr);
	dup2(err_fd, 2);
	test_all();
	test_clock();
	test_refused();
	test_log_on_success();
	test_missing();
	test_needless_rt();
	test_cheap();
	test_privileges();
	fflush(stderr);
	dup2(kept, 2);
	CHECK(!fstat(err_fd, &st) && st.st_size == 0); /* libbpf was quiet */

	arena_free(arena);
	load_kernel_types_free(&btf);
	free(object);
	return test_done();
}
