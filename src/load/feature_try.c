// SPDX-License-Identifier: Apache-2.0
/*
 * Tries each kernel feature.  Each try is the cheapest that tells the kernels apart.  Detaching
 * waits for a grace period of RCU, 10 ms from a tracepoint and more from a kprobe or a trampoline;
 * so where the kernel looks at a request's particulars only after it has found that it has the
 * feature, the request is one that cannot succeed (an address or a file that is not there) and the
 * errno is the answer.
 */
#define _GNU_SOURCE /* sched_getcpu */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/perf_event.h>

#include "arch/arch.h"
#include "base/transfer.h"
#include "confine/landlock.h"
#include "load/feature.h"
#include "load/feature_try.h"
#include "load/trial.h"
#include "load/uprobe_try.h"
#include "load/verifier_try.h"
#include "types/type.h"
#include "types/types.h"

/* ---- bpf(2), including what is younger than the headers ---- */

/* enum bpf_prog_type and bpf_attach_type of include/uapi/linux/bpf.h, 6.18 */
#define PROG_TYPE_NETFILTER   32
#define ATTACH_KPROBE_MULTI   42
#define ATTACH_NETFILTER      45
#define ATTACH_UPROBE_MULTI   48
#define ATTACH_KPROBE_SESSION 56

struct tracepoint_attr {
	uint64_t name;
	uint32_t prog, unused;
	uint64_t cookie;
};

struct link_attr {
	uint32_t prog, target, attach_type, flags;
	union {
		struct {
			uint32_t flags, cnt;
			uint64_t syms, addrs, cookies;
		} kprobe_multi;
		struct {
			uint64_t path, offsets, ref_ctr_offsets, cookies;
			uint32_t cnt, flags, pid;
		} uprobe_multi;
		struct {
			uint32_t pf, hook;
			int32_t priority;
			uint32_t flags;
		} netfilter;
	};
};

static int sys_perf_event_open(struct perf_event_attr *attr)
{
	int cpu = sched_getcpu();
	long fd;

	attr->size = sizeof(*attr);
	attr->disabled = 1;
	fd = syscall(SYS_perf_event_open, attr, -1, cpu < 0 ? 0 : cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

/* Judges the answer to a request that cannot succeed: 0 if it is WANT. */
static int expect(int got, int want)
{
	if (got >= 0) {
		close(got);
		return 0;
	}
	return got == want ? 0 : got;
}

/* ---- programs ---- */

/* A program that returns VALUE. */
static int load_return(struct feature_attempt *a, const struct trial_kind *k, int value)
{
	const struct bpf_insn insns[] = {MOV(BPF_REG_0, value), EXIT()};

	return trial_load(a, k, insns, ARRAY_SIZE(insns));
}

static int create_link(
	struct feature_attempt *a, struct link_attr *attr, int prog, uint32_t attach_type)
{
	a->what = "to attach it";
	attr->prog = (uint32_t)prog;
	attr->attach_type = attach_type;
	return verifier_trial_bpf(BPF_LINK_CREATE, attr, sizeof(*attr));
}

/* ---- types and symbols ---- */

static int try_btf(struct feature_attempt *a)
{
	uint16_t magic = 0;
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC), err = 0;

	a->what = "to show its types";
	if (fd < 0)
		return -errno;
	if (transfer_read(fd, &magic, sizeof(magic)) != sizeof(magic) || magic != BTF_MAGIC)
		err = -EINVAL;
	close(fd);
	return err;
}

/* Asks the kernel for a variable's address: to read all of /proc/kallsyms takes long. */
static int try_kallsyms_all(struct feature_attempt *a)
{
	static const char name[16] = "init_task";
	const struct trial_kind k = {.type = BPF_PROG_TYPE_SYSCALL, .flags = BPF_F_SLEEPABLE};
	uint32_t w[4];
	int prog, err;

	memcpy(w, name, sizeof(w));
	const struct bpf_insn insns[] = {
		STORE(BPF_W, -16, (int)w[0]),
		STORE(BPF_W, -12, (int)w[1]),
		STORE(BPF_W, -8, (int)w[2]),
		STORE(BPF_DW, -24, 0),
		MOV_REG(BPF_REG_1, BPF_REG_10),
		ADD(BPF_REG_1, -16),
		MOV(BPF_REG_2, sizeof("init_task")),
		MOV(BPF_REG_3, 0),
		MOV_REG(BPF_REG_4, BPF_REG_10),
		ADD(BPF_REG_4, -24),
		CALL(BPF_FUNC_kallsyms_lookup_name),
		EXIT(),
	};
	union bpf_attr run = {0};

	prog = trial_load(a, &k, insns, ARRAY_SIZE(insns));
	if (prog < 0)
		return prog;
	a->what = "to name its variables";
	run.test.prog_fd = (uint32_t)prog;
	err = verifier_trial_bpf(BPF_PROG_TEST_RUN, &run, sizeof(run));
	close(prog);
	if (!err && (int)run.test.retval == -ENOENT)
		snprintf(a->note, sizeof(a->note), "CONFIG_KALLSYMS_ALL is off");
	return err ? err : (int)run.test.retval;
}

/* ---- what confines dtrace itself ---- */

static int try_landlock(struct feature_attempt *a)
{
	a->what = "to confine a process with it";
	return landlock_version() ? 0 : -EOPNOTSUPP;
}

/* ---- tracepoints ---- */

/* Fires when a program was run by BPF_PROG_TEST_RUN, which is as rare as can be. */
#define RARE_TRACEPOINT	 "bpf_test_finish"
#define OTHER_TRACEPOINT "sched_process_exit"

static int try_tp_btf(struct feature_attempt *a)
{
	struct trial_kind k = {.type = BPF_PROG_TYPE_TRACING, .attach_type = BPF_TRACE_RAW_TP};

	a->what = "to show its types";
	if (a->types)
		k.btf_id = types_tracepoint(a->types, RARE_TRACEPOINT, NULL);
	if (a->types && !k.btf_id)
		k.btf_id = types_tracepoint(a->types, OTHER_TRACEPOINT, NULL);
	if (!k.btf_id)
		return -ENOENT;
	return verifier_trial_close(load_return(a, &k, 0));
}

static int try_raw_tracepoint(struct feature_attempt *a, uint64_t cookie)
{
	const struct bpf_insn insns[] = {
		cookie ? CALL(BPF_FUNC_get_attach_cookie) : MOV(BPF_REG_0, 0), EXIT()};
	const struct trial_kind k = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT};
	struct tracepoint_attr attr = {.name = (uintptr_t) "no tracepoint", .cookie = cookie};
	int prog = trial_load(a, &k, insns, ARRAY_SIZE(insns)), err;

	if (prog < 0)
		return prog;
	a->what = "to attach it";
	attr.prog = (uint32_t)prog;
	err = expect(verifier_trial_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr)), -ENOENT);
	close(prog);
	return err;
}

static int try_raw_tp(struct feature_attempt *a)
{
	return try_raw_tracepoint(a, 0);
}

static int try_raw_tp_cookie(struct feature_attempt *a)
{
	return try_raw_tracepoint(a, 1);
}

static int try_perf_tp(struct feature_attempt *a)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_TRACEPOINT, .config = UINT32_MAX};
	const struct trial_kind k = {.type = BPF_PROG_TYPE_TRACEPOINT};
	int tracefs = features_tracefs(a->features), err;

	a->what = "to show tracefs";
	if (tracefs < 0)
		return tracefs;
	if (faccessat(tracefs, "events/sched/sched_process_exit/id", R_OK, AT_EACCESS))
		return -errno;
	err = verifier_trial_close(load_return(a, &k, 0));
	if (err)
		return err;
	a->what = "to attach it";
	return expect(sys_perf_event_open(&attr), -EINVAL); /* there is no tracepoint of that id */
}

/* ---- functions of the kernel ---- */

#define ENOTSUPP 524 /* the kernel's own (include/linux/errno.h) */

/* Called by BPF_PROG_TEST_RUN of such programs, and by nothing else. */
#define RARE_FUNCTION "bpf_fentry_test1"

static bool ftrace_is_off(struct feature_attempt *a)
{
	char c = '1';
	int fd = open("/proc/sys/kernel/ftrace_enabled", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (transfer_read(fd, &c, 1) != 1)
		c = '1';
	close(fd);
	a->what = "to attach it";
	if (c == '0')
		snprintf(a->note, sizeof(a->note), "kernel.ftrace_enabled is 0");
	return c == '0';
}

static int try_trampoline(struct feature_attempt *a, uint32_t attach_type)
{
	const struct type *func = a->types ? types_function(a->types, RARE_FUNCTION) : NULL;
	struct trial_kind k = {.type = BPF_PROG_TYPE_TRACING, .attach_type = attach_type};
	union bpf_attr attr = {0};
	int prog, err;

	if (ftrace_is_off(a))
		return -EBUSY;
	a->what = "to show its types";
	if (!func)
		return -ENOENT;
	k.btf_id = func->id;
	prog = load_return(a, &k, 0);
	/*
	 * Loading finds the function; attaching needs what feature_option_off() looks for.  Old
	 * kernels have no types of functions that cannot be traced, as those of ftrace itself: only
	 * there it is tried, as it stops all CPUs for a moment.
	 */
	if (prog < 0 || !feature_option_off(FEATURE_FENTRY, a->types))
		return verifier_trial_close(prog);
	a->what = "to attach it";
	attr.raw_tracepoint.prog_fd = (uint32_t)prog;
	err = verifier_trial_close(
		verifier_trial_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr, sizeof(attr)));
	close(prog);
	return err == -ENOTSUPP ? -EOPNOTSUPP : err;
}

static int try_fentry(struct feature_attempt *a)
{
	return try_trampoline(a, BPF_TRACE_FENTRY);
}

static int try_fexit(struct feature_attempt *a)
{
	return try_trampoline(a, BPF_TRACE_FEXIT);
}

/* The number of a perf event source, or -errno. */
static int event_source(struct feature_attempt *a, const char *name)
{
	char path[80];
	int type = -EINVAL;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	a->what = "to attach it";
	f = fopen(path, "re");
	if (!f)
		return -EOPNOTSUPP;
	if (fscanf(f, "%d", &type) != 1)
		type = -EINVAL;
	fclose(f);
	return type;
}

static int try_kprobe(struct feature_attempt *a)
{
	const struct trial_kind k = {.type = BPF_PROG_TYPE_KPROBE};
	struct perf_event_attr attr = {.kprobe_func = (uintptr_t) "no function has this name"};
	int type = event_source(a, "kprobe"), err;

	if (type < 0)
		return type;
	attr.type = (uint32_t)type;
	err = verifier_trial_close(load_return(a, &k, 0));
	if (err)
		return err;
	a->what = "to attach it";
	return expect(sys_perf_event_open(&attr), -ENOENT);
}

static int try_multi(struct feature_attempt *a, uint32_t attach_type)
{
	const struct trial_kind k = {.type = BPF_PROG_TYPE_KPROBE, .attach_type = attach_type};
	struct link_attr attr = {.kprobe_multi = {.cnt = 1, .addrs = 1}};
	int prog, err;

	if (ftrace_is_off(a))
		return -EBUSY;
	prog = load_return(a, &k, 0);
	if (prog < 0)
		return prog;
	err = expect(create_link(a, &attr, prog, attach_type), -EFAULT);
	close(prog);
	return err;
}

static int try_kprobe_multi(struct feature_attempt *a)
{
	return try_multi(a, ATTACH_KPROBE_MULTI);
}

static int try_kprobe_session(struct feature_attempt *a)
{
	return try_multi(a, ATTACH_KPROBE_SESSION);
}

/* ---- packets ---- */

static int try_netfilter(struct feature_attempt *a)
{
	const struct trial_kind k = {.type = PROG_TYPE_NETFILTER, .attach_type = ATTACH_NETFILTER};
	struct link_attr attr = {.netfilter = {.pf = 255}};
	int prog = load_return(a, &k, 1), err; /* 1 = NF_ACCEPT */

	if (prog < 0)
		return prog;
	err = expect(create_link(a, &attr, prog, ATTACH_NETFILTER), -EAFNOSUPPORT);
	close(prog);
	return err;
}

/* ---- perf events ---- */

static int try_event(struct feature_attempt *a, uint32_t type, uint64_t config)
{
	struct perf_event_attr event = {.type = type, .config = config, .sample_period = 1u << 30};
	const struct trial_kind k = {.type = BPF_PROG_TYPE_PERF_EVENT};
	struct link_attr attr = {0};
	int prog = load_return(a, &k, 0), fd, err;

	if (prog < 0)
		return prog;
	a->what = "the event";
	fd = sys_perf_event_open(&event);
	err = fd;
	if (fd >= 0) {
		attr.target = (uint32_t)fd;
		err = verifier_trial_close(create_link(a, &attr, prog, BPF_PERF_EVENT));
		/* before Linux 5.15 there are no links to events */
		if (err && !ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog))
			err = 0;
		close(fd);
	}
	close(prog);
	return err;
}

static int try_cpu_clock(struct feature_attempt *a)
{
	return try_event(a, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
}

static int try_software_events(struct feature_attempt *a)
{
	return try_event(a, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS);
}

static int try_hardware_events(struct feature_attempt *a)
{
	return try_event(a, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
}

/* ---- user programs ---- */

/* Not a file: it is the process's own, and such names are not in it. */
#define NO_FILE "/proc/self/no-such-file"

static int try_uprobe(struct feature_attempt *a)
{
	const struct trial_kind k = {.type = BPF_PROG_TYPE_KPROBE};
	struct perf_event_attr attr = {.uprobe_path = (uintptr_t)NO_FILE};
	int type = event_source(a, "uprobe"), err;

	if (type < 0)
		return type;
	attr.type = (uint32_t)type;
	err = verifier_trial_close(load_return(a, &k, 0));
	if (err)
		return err;
	a->what = "to attach it";
	return expect(sys_perf_event_open(&attr), -ENOENT);
}

static int try_uprobe_multi(struct feature_attempt *a)
{
	const struct trial_kind k = {
		.type = BPF_PROG_TYPE_KPROBE, .attach_type = ATTACH_UPROBE_MULTI};
	uint64_t offset = 0;
	struct link_attr attr = {
		.uprobe_multi = {
			.path = (uintptr_t)NO_FILE, .offsets = (uintptr_t)&offset, .cnt = 1}};
	int prog = load_return(a, &k, 0), err;

	if (prog < 0)
		return prog;
	err = expect(create_link(a, &attr, prog, ATTACH_UPROBE_MULTI), -ENOENT);
	close(prog);
	return err;
}

static int try_uprobe_nop5(struct feature_attempt *a)
{
	struct trial_kind k = {.type = BPF_PROG_TYPE_KPROBE, .attach_type = ATTACH_UPROBE_MULTI};
	int prog = load_return(a, &k, 0), err;

	if (prog < 0) { /* before Linux 6.6 */
		k.attach_type = 0;
		prog = load_return(a, &k, 0);
	}
	if (prog < 0)
		return prog;
	a->what = "to leave a function's data alone";
	err = uprobe_try_nop5(prog);
	close(prog);
	return err;
}

static int try_uprobe_write(struct feature_attempt *a)
{
	const struct bpf_insn insns[] = {
		MOV(BPF_REG_2, TRIAL_RESULT),
		INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_2, ARCH_REG_RESULT, 0),
		MOV(BPF_REG_0, 0),
		EXIT(),
	};
	struct trial_kind k = {.type = BPF_PROG_TYPE_KPROBE, .attach_type = ATTACH_UPROBE_MULTI};
	int prog = trial_load(a, &k, insns, ARRAY_SIZE(insns)), err;

	if (prog < 0)
		return prog;
	a->what = "to let it write registers";
	err = uprobe_try_write(prog);
	close(prog);
	return err;
}

/* ---- helpers ---- */

/* BTF of our own with an int (id 1): such maps must say what is in them. */
static int load_btf(void)
{
	static const char names[] = "\0int";
	struct {
		struct btf_header head;
		struct btf_type type;
		uint32_t encoding;
		char names[sizeof(names)];
	} __attribute__((packed)) btf = {
		.head = {.magic = BTF_MAGIC,
			.version = BTF_VERSION,
			.hdr_len = sizeof(btf.head),
			.type_len = sizeof(btf.type) + sizeof(btf.encoding),
			.str_off = sizeof(btf.type) + sizeof(btf.encoding),
			.str_len = sizeof(names)},
		.type = {.name_off = 1, .info = BTF_KIND_INT << 24, .size = 4},
		.encoding = BTF_INT_SIGNED << 24 | 32,
	};
	union bpf_attr attr = {.btf = (uintptr_t)&btf, .btf_size = sizeof(btf)};

	memcpy(btf.names, names, sizeof(names));
	return verifier_trial_bpf(BPF_BTF_LOAD, &attr, sizeof(attr));
}

static int create_task_storage(void)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_TASK_STORAGE,
		.key_size = 4,
		.value_size = 4,
		.map_flags = BPF_F_NO_PREALLOC,
		.btf_key_type_id = 1,
		.btf_value_type_id = 1,
	};
	int btf = load_btf(), map;

	if (btf < 0)
		return btf;
	attr.btf_fd = (uint32_t)btf;
	map = verifier_trial_bpf(BPF_MAP_CREATE, &attr, sizeof(attr));
	close(btf);
	return map;
}

static int try_task_storage(struct feature_attempt *a)
{
	const struct trial_kind k = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT};
	int map = create_task_storage(), err;

	a->what = "to make it";
	if (map < 0)
		return map;
	const struct bpf_insn insns[] = {
		CALL(BPF_FUNC_get_current_task_btf),
		MOV_REG(BPF_REG_2, BPF_REG_0),
		LOAD_MAP(BPF_REG_1, map),
		MOV(BPF_REG_3, 0),
		MOV(BPF_REG_4, BPF_LOCAL_STORAGE_GET_F_CREATE),
		CALL(BPF_FUNC_task_storage_get),
		MOV(BPF_REG_0, 0),
		EXIT(),
	};
	err = verifier_trial_close(trial_load(a, &k, insns, ARRAY_SIZE(insns)));
	close(map);
	return err;
}

/* Lockdown cannot always be read, so the request itself is made. */
static int try_read_kernel(struct feature_attempt *a)
{
	const struct trial_kind k = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT};
	const struct bpf_insn insns[] = {
		MOV_REG(BPF_REG_1, BPF_REG_10),
		ADD(BPF_REG_1, -8),
		MOV(BPF_REG_2, 8),
		MOV(BPF_REG_3, 0),
		CALL(BPF_FUNC_probe_read_kernel),
		MOV(BPF_REG_0, 0),
		EXIT(),
	};

	return verifier_trial_close(trial_load(a, &k, insns, ARRAY_SIZE(insns)));
}

static int try_write_user(struct feature_attempt *a)
{
	const struct trial_kind k = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT};
	const struct bpf_insn insns[] = {
		STORE(BPF_DW, -8, 0),
		MOV(BPF_REG_1, 0),
		MOV_REG(BPF_REG_2, BPF_REG_10),
		ADD(BPF_REG_2, -8),
		MOV(BPF_REG_3, 8),
		CALL(BPF_FUNC_probe_write_user),
		MOV(BPF_REG_0, 0),
		EXIT(),
	};

	return verifier_trial_close(trial_load(a, &k, insns, ARRAY_SIZE(insns)));
}

/* ---- all of them ---- */

static int (*const tries[FEATURE_ALL])(struct feature_attempt *a) = {
#define FEATURE(id, name, try, privilege, needs) [FEATURE_##id] = (try),
#define FEATURE_INTERNAL(id, try)		 [FEATURE_##id] = (try),
#include "probe/features.def"
};

int feature_try(enum feature feature, struct feature_attempt *a)
{
	return tries[feature](a);
}

/* Functions that are in the kernel exactly when an option is on; first match wins. */
static const struct {
	enum feature feature;
	const char *function, *option;
} options[] = {
	{FEATURE_FENTRY, "register_ftrace_function", "CONFIG_FUNCTION_TRACER"},
	{FEATURE_FENTRY, "register_ftrace_direct", "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS"},
	{FEATURE_FEXIT, "register_ftrace_function", "CONFIG_FUNCTION_TRACER"},
	{FEATURE_FEXIT, "register_ftrace_direct", "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS"},
	{FEATURE_KPROBE, "register_kprobe", "CONFIG_KPROBES"},
	{FEATURE_KPROBE, "create_local_trace_kprobe", "CONFIG_KPROBE_EVENTS"},
	{FEATURE_KPROBE_MULTI, "register_fprobe_ips", "CONFIG_FPROBE"},
	{FEATURE_KPROBE_SESSION, "register_fprobe_ips", "CONFIG_FPROBE"},
	{FEATURE_NETFILTER, "bpf_nf_link_attach", "CONFIG_NETFILTER_BPF_LINK"},
	{FEATURE_UPROBE, "create_local_trace_uprobe", "CONFIG_UPROBE_EVENTS"},
};

const char *feature_option_off(enum feature feature, struct types *types)
{
	for (size_t i = 0; types && i < ARRAY_SIZE(options); i++)
		if (options[i].feature == feature && !types_function(types, options[i].function) &&
			!types_error(types))
			return options[i].option;
	return NULL;
}

bool feature_has_options(enum feature feature)
{
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].feature == feature)
			return true;
	return false;
}
