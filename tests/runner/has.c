// SPDX-License-Identifier: Apache-2.0
/*
 * has MECHANISM: can the kernel do it? Tried with a program of two instructions, without anything
 * of dtrace, so that a test with "@needs MECHANISM" is not skipped because dtrace fails to see it.
 * Status: 0 yes, 1 no (stdout says why), 2 MECHANISM is no name of one.
 */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* a function that kernels of all ages let be traced, and that runs too seldom to matter */
static const char traced[] = "do_sys_openat2";

/* values of enums that the headers of older systems lack */
enum { TRACE_KPROBE_MULTI = 42, TRACE_KPROBE_SESSION = 56, ATTACH_NETFILTER = 45 };
enum { PROG_NETFILTER = 32 };

static const struct bpf_insn nothing[] = {
	{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0},
	{.code = BPF_JMP | BPF_EXIT},
};

static int load(int type, int attach, int btf_id)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = (enum bpf_attach_type)attach,
		.attach_btf_id = btf_id);

	return bpf_prog_load(
		type, "has", "GPL", nothing, sizeof(nothing) / sizeof(nothing[0]), &opts);
}

static bool has_kprobe(void)
{
	struct perf_event_attr attr = {.size = sizeof(attr), .kprobe_func = (uintptr_t)traced};
	int prog = load(BPF_PROG_TYPE_KPROBE, 0, 0), fd;
	FILE *f = fopen("/sys/bus/event_source/devices/kprobe/type", "r");

	if (prog < 0 || !f || fscanf(f, "%u", &attr.type) != 1)
		return false;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	return fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_BPF, prog) == 0 &&
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) == 0;
}

/* bpf(2) itself: libbpf refuses what it does not know */
static bool multi(int attach)
{
	const char *symbol = traced;
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = load(BPF_PROG_TYPE_KPROBE, attach, 0);
	attr.link_create.attach_type = attach;
	attr.link_create.kprobe_multi.syms = (uintptr_t)&symbol;
	attr.link_create.kprobe_multi.cnt = 1;
	return (int)attr.link_create.prog_fd >= 0 &&
		syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr)) >= 0;
}

static bool has_kprobe_multi(void)
{
	return multi(TRACE_KPROBE_MULTI);
}

static bool has_kprobe_session(void)
{
	return multi(TRACE_KPROBE_SESSION);
}

static bool tracing(int attach)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int id = btf ? btf__find_by_name_kind(btf, traced, BTF_KIND_FUNC) : -1;
	int prog = id > 0 ? load(BPF_PROG_TYPE_TRACING, attach, id) : -1;

	return prog >= 0 && bpf_link_create(prog, 0, (enum bpf_attach_type)attach, NULL) >= 0;
}

static bool has_fentry(void)
{
	return tracing(BPF_TRACE_FENTRY);
}

static bool has_fexit(void)
{
	return tracing(BPF_TRACE_FEXIT);
}

/* The verifier wants a verdict of such a program; asked for nothing, kernels without it say that
 * the type is invalid. */
static bool has_netfilter(void)
{
	static const struct bpf_insn accept[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 1},
		{.code = BPF_JMP | BPF_EXIT},
	};
	LIBBPF_OPTS(bpf_prog_load_opts, opts,
		.expected_attach_type = (enum bpf_attach_type)ATTACH_NETFILTER);

	return bpf_prog_load((enum bpf_prog_type)PROG_NETFILTER, "has", "GPL", accept, 2, &opts) >=
		0;
}

static bool has_hardware_events(void)
{
	struct perf_event_attr attr = {.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES};

	return syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC) >= 0;
}

/* bpf_probe_write_user(): not of a kernel that is locked down */
static bool has_write_user(void)
{
	static const struct bpf_insn writes[] = {
		{.code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .off = -8},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_1},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_2, .src_reg = BPF_REG_10},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_2, .imm = -8},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3, .imm = 8},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_write_user},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0},
		{.code = BPF_JMP | BPF_EXIT},
	};

	return bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "has", "GPL", writes, 8, NULL) >= 0;
}

/* Does /proc/kallsyms name data? */
static bool has_kallsyms_all(void)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[1024];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = strstr(line, " init_task\n");
	if (f)
		fclose(f);
	return found;
}

static const struct {
	const char *name;
	bool (*has)(void);
} mechanisms[] = {
	{"kprobe", has_kprobe},
	{"kprobe_multi", has_kprobe_multi},
	{"kprobe_session", has_kprobe_session},
	{"fentry", has_fentry},
	{"fexit", has_fexit},
	{"netfilter", has_netfilter},
	{"hardware_events", has_hardware_events},
	{"write_user", has_write_user},
	{"kallsyms_all", has_kallsyms_all},
};

static int no_message(enum libbpf_print_level level, const char *format, va_list args)
{
	return 0;
}

int main(int argc, char **argv)
{
	size_t i;

	libbpf_set_print(no_message);
	for (i = 0; argc == 2 && i < sizeof(mechanisms) / sizeof(mechanisms[0]); i++) {
		if (strcmp(argv[1], mechanisms[i].name))
			continue;
		if (mechanisms[i].has())
			return 0;
		printf("needs %s, which this kernel does not allow\n", argv[1]);
		return 1;
	}
	return 2;
}
