/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jumps: forward jumps over any distance.
 *
 * A jump reaches 32,767 instructions, and the kernel counts those that it makes of a program when
 * it puts its own code in place of helper calls (bpf_adj_branches() of kernel/bpf/core.c: a load
 * then ends in -ENOMEM).  A jump that waits for its block for longer than that is given a relay:
 * an instruction that goes on to the block, passed over by the code around it.  A relay is an
 * unconditional jump of 32 bits where the kernel has them, else another jump of 16 bits, relayed
 * again where it must.  (Some thousand blocks may be waited for at a time; branches are not nested
 * as deeply.)  A function without long jumps has no relays.
 */
#ifndef BPF_JUMPS_H
#define BPF_JUMPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;
struct bpf_code;
struct bpf_kernel;
struct ir_func;

/* A jump that was emitted. */
struct jump {
	uint32_t insn;	/* its number */
	uint32_t block; /* where to */
	uint32_t next;	/* in jumps.waiting: one more than the number of another to that block */
	uint64_t at;	/* its distance from the function's start, see jumps.c */
	bool is_long;	/* of 32 bits */
	bool done;	/* it has its offset */
};

struct jumps {
	struct arena *arena;
	struct bpf_code *code;
	const struct bpf_kernel *kernel; /* or NULL */
	VEC(struct jump) all;		 /* in the order of their instructions */
	uint32_t *waiting; /* by block: one more than the number of the last jump to it */
	uint32_t *relays;  /* by block: scratch of one group of relays */
	uint32_t oldest;   /* no jump before it waits for a relay */
	uint32_t measured; /* instructions that AT counts */
	uint64_t at;
};

/* For jumps between the blocks of F in CODE; KERNEL: as bpf_generate() has it. */
void jumps_begin(struct jumps *j, struct arena *a, struct bpf_code *code, const struct ir_func *f,
	const struct bpf_kernel *kernel);
/* Instruction INSN, the last one, jumps to block number BLOCK. */
void jumps_add(struct jumps *j, uint32_t insn, uint32_t block);
/* Block number BLOCK begins with the next instruction. */
void jumps_land(struct jumps *j, uint32_t block);
/* To be called between instructions: emits relays if jumps have waited for too long. */
void jumps_relay(struct jumps *j);

#endif
