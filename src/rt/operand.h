/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/*
 * operand: the values of operands (abi/usdt.h) in the current process.
 *
 * The registers are those that the current task has saved on its way into the kernel: within a
 * uprobe these are what the process had at the probed instruction, wherever the program's context
 * is.
 */
#ifndef RT_OPERAND_H
#define RT_OPERAND_H

#include "rt/rt.h"
#include "abi/usdt.h"
#include "arch/arch.h"

/*
 * The word at a constant offset of the saved registers is loaded without a call.  A compiler that
 * saw the loads would make one of them, with an offset that the verifier does not know.
 */
#define LOAD_REG(reg)                                                                          \
	case reg:                                                                              \
		__asm__ volatile("%0 = *(u64 *)(%1 + %2)" : "=r"(*out) : "r"(regs), "i"(reg)); \
		break;

/* Register REG of the current task into *OUT; 0 if there is no such register. */
static __always_inline void load_reg(__u8 reg, __u64 *out)
{
	long regs;

	*out = 0;
	if (reg >= ARCH_REGS_END)
		return;
	regs = bpf_task_pt_regs(bpf_get_current_task_btf());
	switch (reg) {
		ARCH_REGS(LOAD_REG)
	}
}

/* The same, not inlined: most arguments are a register, which one load_reg() gives. */
static __attribute__((noinline)) __u64 user_reg(__u8 reg)
{
	__u64 value;

	load_reg(reg, &value);
	return value;
}

/* Returns the address that OP, of memory, is about, without the bias of the file's addresses. */
static inline __u64 operand_address(const struct dt_usdt_operand *op)
{
	__u64 base = user_reg(op->base), index = user_reg(op->index);

	return base + (index << (op->shift & 3)) + (__u64)op->number;
}

/* Returns VALUE's low BYTES, extended by SIZE. */
static inline __u64 extended(__u64 value, __s8 size)
{
	__u32 bytes = size < 0 ? -size : size, off = (64 - bytes * 8) & 63;

	value <<= off;
	return size < 0 ? (__u64)((__s64)value >> off) : value >> off;
}

/* Returns OP, a register. */
static __always_inline __u64 register_value(const struct dt_usdt_operand *op)
{
	__u64 value;

	load_reg(op->base, &value);
	return extended(value >> (op->shift & 63), op->size);
}

/*
 * Reads OP of the site at PC, not a register: 0, or why it cannot be read, and *VALUE is the
 * address.
 */
static inline ulong read_operand(__u64 pc, const struct dt_usdt_operand *op, __u64 *value)
{
	__u64 addr, bias = op->moves ? user_reg(ARCH_REG_PC) - pc : 0;
	__u32 size = op->size < 0 ? -op->size : op->size;
	long bytes = rt_bounded(size, sizeof(*value));

	*value = 0;
	if (op->kind == DT_USDT_CONST) {
		*value = bias + (__u64)op->number;
	} else if (op->kind == DT_USDT_MEMORY) {
		addr = bias + operand_address(op);
		if (bytes < 0)
			return DT_FAULT_ILLOP;
		if (bpf_probe_read_user(value, (__u32)bytes, (void *)addr)) {
			*value = addr;
			return DT_FAULT_BADADDR;
		}
	} else if (op->kind != DT_USDT_NONE) {
		return DT_FAULT_ILLOP;
	}
	*value = extended(*value, op->size);
	return 0;
}

#endif
