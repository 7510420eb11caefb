// SPDX-License-Identifier: Apache-2.0
/* How deep our pid namespace is below the initial one: only the kernel knows that. */
#include <errno.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "load/internal.h"
#include "rt/conf.h"

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i)})
#define MOV(d, s)	INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define MOV_IMM(d, i)	INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define ADD_IMM(d, i)	INSN(BPF_ALU64 | BPF_ADD | BPF_K, d, 0, 0, i)
#define LOAD64(d, s, o) INSN(BPF_LDX | BPF_MEM | BPF_DW, d, s, o, 0)
#define ZERO64(d, o)	INSN(BPF_ST | BPF_MEM | BPF_DW, d, 0, o, 0)
#define CALL(f)		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_##f)
#define EXIT		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)

/* Run the program in our own system call; what it returns, or a negative errno. */
static int run_once(const struct bpf_insn *insns, size_t n)
{
	LIBBPF_OPTS(bpf_test_run_opts, run);
	int fd, err;

	fd = bpf_prog_load(
		BPF_PROG_TYPE_RAW_TRACEPOINT, "dt_pidns", "Dual BSD/GPL", insns, n, NULL);
	if (fd < 0)
		return fd;
	err = bpf_prog_test_run_opts(fd, &run);
	close(fd);
	return err ? err : (int)run.retval;
}

int load_pidns_level(struct types *types)
{
	struct dt_offsets at;

	load_offsets(types, &at);
	if (at.task_thread_pid == DT_OFFSET_UNKNOWN || at.pid_level == DT_OFFSET_UNKNOWN)
		return -ENOENT;

	/* current->thread_pid->level */
	const struct bpf_insn insns[] = {
		CALL(get_current_task),
		MOV(3, 0),
		ADD_IMM(3, (int)at.task_thread_pid),
		ZERO64(10, -8),
		MOV(1, 10),
		ADD_IMM(1, -8),
		MOV_IMM(2, 8),
		CALL(probe_read_kernel),
		LOAD64(3, 10, -8),
		ADD_IMM(3, (int)at.pid_level),
		ZERO64(10, -8),
		MOV(1, 10),
		ADD_IMM(1, -8),
		MOV_IMM(2, 4),
		CALL(probe_read_kernel),
		LOAD64(0, 10, -8),
		EXIT,
	};
	return run_once(insns, sizeof(insns) / sizeof(insns[0]));
}
