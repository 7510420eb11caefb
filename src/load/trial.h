/* SPDX-License-Identifier: Apache-2.0 */
/* trial: private to src/load/feature_try.c and verifier_try.c: small programs that are tried. */
#ifndef LOAD_TRIAL_H
#define LOAD_TRIAL_H

#include <stddef.h>
#include <stdint.h>

#include <linux/bpf.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define INSN(op, dst, src, offs, value) \
	((struct bpf_insn){             \
		.code = (op), .dst_reg = (dst), .src_reg = (src), .off = (offs), .imm = (value)})
#define MOV(dst, value)		 INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value)
#define MOV_REG(dst, src)	 INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define ADD(dst, value)		 INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, value)
#define STORE(size, offs, value) INSN(BPF_ST | BPF_MEM | (size), BPF_REG_10, 0, offs, value)
#define CALL(helper)		 INSN(BPF_JMP | BPF_CALL, 0, 0, 0, helper)
#define EXIT()			 INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
#define LOAD_MAP(dst, fd) \
	INSN(BPF_LD | BPF_DW | BPF_IMM, dst, BPF_PSEUDO_MAP_FD, 0, fd), INSN(0, 0, 0, 0, 0)

struct feature_attempt;

/* The properties of a program that is tried. */
struct trial_kind {
	uint32_t type, attach_type, btf_id, flags;
};

/* bpf(2): what it returns, or -errno. */
int verifier_trial_bpf(int cmd, void *attr, size_t size);

/* Loads a program of N instructions.  Returns its descriptor, which is the caller's, or -errno. */
int trial_load(struct feature_attempt *a, const struct trial_kind *k, const struct bpf_insn *insns,
	size_t n);

/* 0 or the errno of what only had to succeed: FD is closed. */
int verifier_trial_close(int fd);

#endif
