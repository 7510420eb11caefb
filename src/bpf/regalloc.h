/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regalloc: registers for temporaries, by linear scan.
 *
 * Blocks only jump forward, so a temporary lives from its first definition to its last use in
 * the order of the instructions.
 */
#ifndef BPF_REGALLOC_H
#define BPF_REGALLOC_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct ir_func;

/* r0 and r5 are kept free: results of calls, and temporaries that are in memory. */
#define REG_SPILLED (-1) /* on the stack */
#define REG_SCRATCH (-2) /* at ir_func.spills of the scratch slot */

static inline bool reg_in_memory(int reg)
{
	return reg < 0;
}

struct allocation {
	int *reg;	 /* by temporary: 1-4, 6-9, REG_SPILLED, REG_SCRATCH, or 0: never read */
	uint32_t *slot;	 /* by temporary: number of its 8-byte spill slot */
	uint32_t nslots; /* on the stack */
	uint32_t ctx;	 /* the temporary that stands for the context, temps.len; 0 = not used */
};

struct allocation *regalloc(struct arena *a, const struct ir_func *f);

#endif
